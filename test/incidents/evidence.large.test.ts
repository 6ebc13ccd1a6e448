import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Value } from 'typebox/value'
import { entryWords } from '../../src/contract/incidents/entry-words.ts'
import { IncidentEvidence } from '../../src/contract/incidents/incident-evidence.ts'
import { entryKinds } from '../../src/contract/incidents/words.ts'
import { changeAwareness } from '../../src/incidents/determinations/change-awareness.ts'
import { decideAwareness } from '../../src/incidents/determinations/decide-awareness.ts'
import { recordDetermination } from '../../src/incidents/determinations/record-determination.ts'
import { saveDraft } from '../../src/incidents/drafts/save-draft.ts'
import { switchRegime } from '../../src/incidents/regimes/switch-regime.ts'
import { evidenceJson, evidenceOf } from '../../src/views/evidence-file/evidence-file.ts'
import { recordSubmission } from '../../src/incidents/submissions/record-submission.ts'
import { selectEvidence } from '../../src/views/evidence-file/select-evidence.ts'
import { after, createIncidentScene, type IncidentScene } from './incident-scene.ts'
import { exploited, openExploited } from './opened.ts'

let scene: IncidentScene
beforeEach(async () => {
  scene = await createIncidentScene()
})
afterEach(async () => {
  await scene.drop()
})

const reasoning = 'The access log of a customer shows the known pattern.'

test('the file holds what was found, decided and filed', async () => {
  const incidentId = await openExploited(scene)
  const lead = await scene.member('lead', 'Liam')
  const act = (hours: number) => ({
    workspaceId: scene.workspaceId,
    incidentId,
    actor: lead,
    now: after(hours),
  })
  await recordDetermination(scene.db, act(1), { value: 'actively_exploited', reasoning })
  await changeAwareness(scene.db, act(2), { awareAt: after(-1).toISOString(), reason: reasoning })
  const reports = await scene.reports(incidentId)
  const reportId = reports.find(({ report }) => report === 'early_warning')?.id ?? ''
  await saveDraft(scene.db, { ...act(3), reportId }, { revision: 0, values: { '2': 'A title' } })
  await recordSubmission(
    scene.db,
    { ...act(30), reportId },
    {
      kind: 'submission',
      submittedAt: after(29).toISOString(),
      channel: 'SRP',
      delayReason: 'The portal was not available.',
    },
  )
  const facts = await selectEvidence(scene.db, {
    workspaceId: scene.workspaceId,
    incidentId,
    by: 'Liam',
    now: after(40),
    switchedOff: [],
  })
  const file = evidenceOf(facts)
  expect(Value.Errors(IncidentEvidence, JSON.parse(evidenceJson(file)))).toEqual([])
  expect(file).toMatchObject({
    generatedAt: after(40).toISOString(),
    generatedBy: 'Liam',
    incident: {
      reference: 'INC-2026-0001',
      vulnerability: exploited,
      families: ['Pump'],
      openedBy: 'SBOM Monitor',
    },
    listings: [{ catalogue: 'kev', id: exploited, removedAt: null }],
    affected: [{ family: 'Pump', version: null, component: { name: 'pump-lib', version: '1.0.0' } }],
    awareness: [{ to: after(-1).toISOString(), recordedBy: 'Liam', withoutSecondPerson: false }],
    determinations: [{ value: 'actively_exploited', state: 'pending', reasoning }],
    submissions: [
      {
        delayReason: 'The portal was not available.',
        beforeApproval: true,
        draft: { fields: [{ id: '2', label: 'Title', value: 'A title' }] },
      },
    ],
  })
  expect(file.reports.map(({ report, status, isLate }) => [report, status, isLate])).toEqual([
    ['early_warning', 'late', true],
    ['notification', 'open', false],
    ['final_report', 'waiting', false],
  ])
  expect(file.reports[0]?.reason).toBe('The portal was not available.')
  expect(file.timeline.map(({ actor, text }) => [actor, text])).toEqual([
    ['SBOM Monitor', 'Opened: CISA KEV lists the vulnerability, affected: pump-lib 1.0.0.'],
    ['Liam', 'Recorded the determination “Actively exploited”.'],
    ['Liam', 'Changed the time of awareness from 1 Oct 2026, 08:00:00 UTC to 1 Oct 2026, 07:00:00 UTC.'],
    ['Liam', 'Saved the draft of the early warning (Cyber Resilience Act).'],
    [
      'Liam',
      'Submitted the early warning (Cyber Resilience Act) by SRP at 2 Oct 2026, 13:00:00 UTC, late. Filed before approval.',
    ],
  ])
})

test('a vulnerability is called by its CVE, whichever sources have a record on it', async () => {
  for (const id of ['CISA-VULNRICHMENT', 'NVD', 'EUVD-DUMP'])
    await scene.addRecord(scene.record(`${id}:${exploited}`, 'pump-lib', { aliases: [exploited] }))
  await scene.addRecord(scene.record('EUVD:EUVD-2026-7', 'pump-lib', { aliases: [exploited] }))
  const incidentId = await openExploited(scene)
  const asked = { workspaceId: scene.workspaceId, incidentId, by: 'Liam', now: after(1), switchedOff: [] }
  const known = async () => (await selectEvidence(scene.db, asked)).incident
  const names = { vulnerability: exploited, aliases: ['EUVD-2026-7', 'GHSA-1'] }
  expect(await known()).toMatchObject(names)
  expect((await scene.incidents())[0]?.aliases).toEqual(names.aliases)
  const aliases = [`DEBIAN-${exploited}`, `CISA-VULNRICHMENT:${exploited}`, ...names.aliases]
  await scene.db.updateTable('incident').set({ aliases }).where('id', '=', incidentId).execute()
  expect(await known()).toMatchObject(names)
})

test.each([
  {
    ending: 'approved by the owner alone',
    decision: { approve: true, withoutSecondPerson: 'There is nobody else in the company.' },
    line: 'Approved, without a second person, switching off GDPR: There is nobody else in the company.',
  },
  {
    ending: 'approved by another, with a comment',
    decision: { approve: true, comment: 'The logs agree.' },
    line: 'Approved switching off GDPR: The logs agree.',
  },
  {
    ending: 'rejected',
    decision: { approve: false, comment: 'Names were reached.' },
    line: 'Rejected switching off GDPR: Names were reached.',
  },
])('the end of a regime, $ending: the file says why', async ({ decision, line }) => {
  const incidentId = await openExploited(scene)
  const olga = await scene.member('owner', 'Olga')
  const isAlone = 'withoutSecondPerson' in decision
  const asking = isAlone ? olga : await scene.member('lead', 'Liam')
  const act = { workspaceId: scene.workspaceId, incidentId, now: after(1) }
  const asked = { ...act, actor: asking, role: isAlone ? ('owner' as const) : ('lead' as const) }
  await switchRegime(scene.db, asked, { regime: 'gdpr', active: true, awareAt: after(0.5).toISOString() })
  await switchRegime(scene.db, asked, { regime: 'gdpr', active: false, reason: reasoning })
  const { id: changeId } = await scene.db
    .selectFrom('awareness_change')
    .select('id')
    .where('incident_id', '=', incidentId)
    .executeTakeFirstOrThrow()
  await decideAwareness(scene.db, { ...act, actor: olga, changeId }, decision)
  const { timeline } = await selectEvidence(scene.db, { ...act, by: 'Liam', switchedOff: [] })
  expect(timeline.at(-1)).toMatchObject({ actor: 'Olga', text: line })
})

test('related incidents are named', async () => {
  const incidentId = await openExploited(scene)
  await openExploited(scene, { family: 'Valve' })
  const place = { workspaceId: scene.workspaceId, by: 'Liam', now: after(1), switchedOff: [] }
  const { links } = await selectEvidence(scene.db, { ...place, incidentId })
  expect(links).toEqual([{ kind: 'incident', name: 'INC-2026-0002', relation: 'Same vulnerability' }])
  const foreign = { ...place, incidentId, workspaceId: randomUUID() }
  await expect(selectEvidence(scene.db, foreign)).rejects.toMatchObject({ code: 'not_found' })
})

test.each(entryKinds)('a line of kind %s is a sentence, whatever its data', (kind) => {
  for (const data of [
    {},
    { matches: 'x', count: 'y', before: null, after: [1], text: 'Hello.', value: 'constructor' },
  ]) {
    const words = entryWords({ kind, data })
    if (kind !== 'commented') expect(words).toMatch(/^\S.*[.!?]$/s)
    expect(words).not.toMatch(/undefined|\[object|null|NaN/)
  }
})
