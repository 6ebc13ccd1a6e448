import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeIncident } from '../../src/incidents/closing/close-incident.ts'
import { reopenIncident } from '../../src/incidents/closing/reopen-incident.ts'
import { decideAwareness } from '../../src/incidents/determinations/decide-awareness.ts'
import { decideDetermination } from '../../src/incidents/determinations/decide-determination.ts'
import { recordDetermination } from '../../src/incidents/determinations/record-determination.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { changeRegimeSettings } from '../../src/incidents/regimes/change-settings.ts'
import { switchRegime } from '../../src/incidents/regimes/switch-regime.ts'
import { describeIncident } from '../../src/incidents/reads/describe-incident.ts'
import type { Family } from '../support/rows.ts'
import { after, createIncidentScene, pump, type IncidentScene } from './incident-scene.ts'
import { textWith } from '../support/expected.ts'
import { waitingOf } from '../support/payloads.ts'
import { fieldOf } from '../support/read-as.ts'

const cve = 'CVE-2026-1'
const reasoning = 'The vulnerable function is never called by our product.'

let scene: IncidentScene
let family: Family
let incidentId: string
let olga: Awaited<ReturnType<IncidentScene['member']>>
let per: typeof olga

beforeEach(async () => {
  scene = await createIncidentScene()
  family = await scene.family('Pump')
  olga = await scene.member('owner', 'Olga')
  per = await scene.member('lead', 'Per')
  await scene.addRecord(scene.record(cve, 'pump-lib'))
  await scene.list(cve)
  await scene.upload(family, [pump()])
  await scene.open()
  incidentId = (await scene.incidents())[0]?.id ?? ''
})
afterEach(async () => {
  await scene.drop()
})

const by = (actor = per, now = after(3), id = incidentId) => ({
  workspaceId: scene.workspaceId,
  incidentId: id,
  actor,
  now,
})
const notes = async () =>
  (await waitingOf(scene.db, 'send_mail')).map(({ fact }) => String(fieldOf(fact.data, 'what')))

async function determineNegative(): Promise<void> {
  const determinationId = await recordDetermination(scene.db, by(olga), { value: 'not_affected', reasoning })
  await decideDetermination(scene.db, { ...by(per), determinationId }, { approve: true })
}

async function close(): Promise<void> {
  await determineNegative()
  await closeIncident(scene.db, by(), { reason: 'Nothing to report.' })
}

test('it is not closed while anything keeps it open, and the refusal says what', async () => {
  const attempt = () => closeIncident(scene.db, by(), { reason: 'Done.' })
  await expect(attempt()).rejects.toMatchObject({
    code: 'conflict',
    detail: 'determination_missing, reports_open',
  })
  const determinationId = await recordDetermination(scene.db, by(olga), { value: 'not_affected', reasoning })
  await expect(attempt()).rejects.toMatchObject({
    detail: 'determination_missing, determination_pending, reports_open',
  })
  await decideDetermination(scene.db, { ...by(per), determinationId }, { approve: true })
  await attempt()
  expect((await scene.incidents())[0]).toMatchObject({ status: 'closed', closed_by_name: 'Per' })
  await expect(attempt()).rejects.toMatchObject({ code: 'conflict' })
})

test('after closing, the same component opens nothing and another one opens a follow-up', async () => {
  await close()
  await scene.look(family, after(4))
  expect(await scene.incidents('open')).toEqual([])
  await scene.upload(family, [pump('1.0.0'), pump('1.5.0')])
  await scene.open(after(5))
  expect(await scene.incidents('open')).toMatchObject([
    { reference: 'INC-2026-0002', follows: incidentId, aware_at: after(5) },
  ])
  await expect(
    reopenIncident(scene.db, by(), { reason: 'It has to be looked at again.', as: 'same_facts' }),
  ).rejects.toMatchObject({ code: 'conflict' })
})

test('reopened with the same facts, its reports have their times', async () => {
  await close()
  await reopenIncident(scene.db, by(per, after(50)), {
    reason: 'It has to be looked at again.',
    as: 'same_facts',
  })
  expect((await scene.reports(incidentId)).map(({ state, cycle, due_at }) => [state, cycle, due_at])).toEqual(
    [
      ['open', 1, after(24)],
      ['open', 1, after(72)],
      ['waiting', 1, null],
    ],
  )
  const states = await scene.db
    .selectFrom('determination')
    .select('state')
    .where('incident_id', '=', incidentId)
    .execute()
  expect(states).toEqual([{ state: 'superseded' }])
})

test('reopened with the same facts, a regime that was switched off has its first time again, and no second warning', async () => {
  const act = { workspaceId: scene.workspaceId, incidentId, actor: per, role: 'lead' as const }
  const on = { regime: 'gdpr' as const, active: true, awareAt: after(0.5).toISOString() }
  await switchRegime(scene.db, { ...act, now: after(1) }, on)
  await scene.db
    .updateTable('regime_report')
    .set({ warned_at: after(3) })
    .where('regime', '=', 'gdpr')
    .execute()
  await scene.db
    .updateTable('incident_regime')
    .set({ is_active: false })
    .where('regime', '=', 'gdpr')
    .execute()
  await close()
  await reopenIncident(scene.db, by(per, after(50)), {
    reason: 'It has to be looked at again.',
    as: 'same_facts',
  })
  const gdpr = (await scene.reports(incidentId)).filter(({ regime }) => regime === 'gdpr')
  expect(gdpr).toMatchObject([{ state: 'open', due_at: after(72.5), warned_at: after(3) }])
})

test('reopened with new evidence, a second cycle of reports begins', async () => {
  await close()
  await reopenIncident(scene.db, by(per, after(50)), {
    reason: 'A customer was attacked last night.',
    as: 'new_evidence',
    awareAt: after(48).toISOString(),
  })
  expect(
    (await scene.reports(incidentId)).map(({ report, state, cycle, due_at }) => [
      report,
      state,
      cycle,
      due_at,
    ]),
  ).toEqual([
    ['early_warning', 'not_required', 1, after(24)],
    ['notification', 'not_required', 1, after(72)],
    ['final_report', 'not_required', 1, null],
    ['early_warning', 'open', 2, after(72)],
    ['notification', 'open', 2, after(120)],
    ['final_report', 'waiting', 2, null],
  ])
})

test('new evidence starts the clocks of the act again where it had been switched off', async () => {
  await determineNegative()
  const off = { regime: 'cra' as const, active: false, reason: reasoning }
  expect(await switchRegime(scene.db, { ...by(), role: 'lead' }, off)).toBe(false)
  await closeIncident(scene.db, by(), { reason: 'Nothing to report.' })
  const again = { reason: 'A customer was attacked last night.', as: 'new_evidence' as const }
  await reopenIncident(scene.db, by(per, after(50)), again)
  const reports = (await scene.reports(incidentId)).filter(({ cycle }) => cycle === 2)
  expect(reports.map(({ state, due_at }) => [state, due_at])).toEqual([
    ['open', after(74)],
    ['open', after(122)],
    ['waiting', null],
  ])
  expect((await scene.entries(incidentId)).slice(-2)).toEqual(['regime_on', 'reopened'])
})

test('reopened with the same facts, DORA has reports only where it was classified on these facts', async () => {
  await scene.reportUnderDora()
  const classify = async (value: 'dora_major' | 'dora_not_major', now: Date) => {
    const determinationId = await recordDetermination(scene.db, by(olga, now), { value, reasoning })
    await decideDetermination(scene.db, { ...by(per, now), determinationId }, { approve: true })
  }
  const reopen = (as: 'new_evidence' | 'same_facts', now: Date) =>
    reopenIncident(scene.db, by(per, now), { reason: 'It has to be looked at again.', as })
  const initial = async (cycle: number) =>
    (await scene.reports(incidentId))
      .filter((one) => one.cycle === cycle && one.report === 'initial_notification')
      .map(({ state, due_at }) => [state, due_at])
  await classify('dora_major', after(1))
  await classify('dora_not_major', after(2))
  await close()
  await reopen('same_facts', after(3))
  expect(await initial(1)).toEqual([['open', after(5)]])
  await classify('dora_not_major', after(3))
  await close()
  await reopen('new_evidence', after(50))
  await close()
  await reopen('same_facts', after(60))
  expect(await initial(2)).toEqual([['not_required', null]])
})

test('new evidence of before the act applied starts clocks until a second person agrees', async () => {
  await close()
  await reopenIncident(scene.db, by(per, after(50)), {
    reason: 'A customer was attacked in the summer.',
    as: 'new_evidence',
    awareAt: '2026-09-01T00:00:00Z',
  })
  const states = async () =>
    (await scene.reports(incidentId))
      .filter(({ cycle }) => cycle === 2)
      .map(({ state, due_at }) => [state, due_at])
  expect(await states()).toEqual([
    ['open', after(74)],
    ['open', after(122)],
    ['waiting', null],
  ])
  expect(await notes()).toContain('awareness_requested')
  const waiting = await scene.db
    .selectFrom('awareness_change')
    .select(['id', 'from_at', 'to_at', 'recorded_by_name as by'])
    .where('state', '=', 'pending')
    .execute()
  expect(waiting).toMatchObject([{ from_at: after(50), to_at: new Date('2026-09-01T00:00:00Z'), by: 'Per' }])
  const decision = { ...by(olga, after(51)), changeId: waiting[0]?.id ?? '' }
  await decideAwareness(scene.db, decision, { approve: true })
  expect((await states()).map(([state]) => state)).toEqual(Array(3).fill('not_required'))
})

test('closing and an opening at the same moment lose nothing', async () => {
  await determineNegative()
  await scene.upload(family, [pump('1.0.0'), pump('1.6.0')])
  await Promise.all([
    closeIncident(scene.db, by(), { reason: 'Nothing to report.' }),
    scene.look(family, after(4)),
  ])
  const [first] = await scene.incidents('closed')
  const open = await scene.incidents('open')
  const affected = await scene.db
    .selectFrom('incident_affected')
    .select('incident_id')
    .where('component_version', '=', '1.6.0')
    .execute()
  expect(affected.map(({ incident_id }) => incident_id)).toEqual([open[0]?.id ?? first?.id])
})

test('an exact match that meets an incident opened by hand joins it, and its people are told', async () => {
  const other = await scene.family('Valve')
  await scene.addRecord(scene.record('GHSA-2', 'valve-lib', { aliases: ['CVE-2026-2'] }))
  const act = { workspaceId: scene.workspaceId, actor: per, now: after(1) }
  const { id } = await openManually(scene.db, act, {
    kind: 'vulnerability',
    title: 'Attacked through the valve',
    vulnerability: 'ghsa-2',
    families: [other.familyId],
  })
  await scene.list('CVE-2026-2')
  await scene.upload(other, [pump('1.0.0', 'valve-lib')])
  await scene.open(after(2))
  expect(await scene.incidents()).toHaveLength(2)
  expect(await scene.entries(id)).toEqual(['opened', 'affected_added', 'listed'])
  expect(await notes()).toEqual(['evidence_added'])
  expect((await scene.incidents()).find((one) => one.id === id)).toMatchObject({
    aware_at: after(1),
    source: 'manual',
    listed_by: ['kev'],
  })
})

test('a listing after closing opens nothing; those who may reopen it are told', async () => {
  const other = await scene.family('Valve')
  await scene.addRecord(scene.record('CVE-2026-3', 'valve-lib'))
  await scene.upload(other, [pump('1.0.0', 'valve-lib')])
  const act = { workspaceId: scene.workspaceId, actor: per, now: after(1) }
  const { id } = await openManually(scene.db, act, {
    kind: 'vulnerability',
    title: 'Looked at early',
    vulnerability: 'CVE-2026-3',
    families: [other.familyId],
  })
  const determinationId = await recordDetermination(scene.db, by(olga, after(2), id), {
    value: 'not_exploited',
    reasoning,
  })
  await decideDetermination(scene.db, { ...by(per, after(2), id), determinationId }, { approve: true })
  await closeIncident(scene.db, by(per, after(3), id), { reason: 'No sign of exploitation.' })
  await scene.list('CVE-2026-3')
  await scene.open(after(4))
  expect((await scene.incidents('open')).map(({ vuln_key }) => vuln_key)).toEqual([cve])
  expect(await notes()).toContain('listed_after_closing')
})

test('a regime is switched on by an editor and off by a lead with a reason', async () => {
  const eva = await scene.member('editor', 'Eva')
  const regimes = { workspaceId: scene.workspaceId, incidentId, actor: eva, now: after(1) }
  await switchRegime(
    scene.db,
    { ...regimes, role: 'editor' },
    { regime: 'gdpr', active: true, awareAt: after(0.5).toISOString() },
  )
  const gdpr = async () => (await scene.reports(incidentId)).filter(({ regime }) => regime === 'gdpr')
  expect((await gdpr()).map(({ state, due_at }) => [state, due_at])).toEqual([['open', after(72.5)]])
  const later = { regime: 'gdpr' as const, active: true, awareAt: after(1).toISOString() }
  await expect(switchRegime(scene.db, { ...regimes, role: 'editor' }, later)).rejects.toMatchObject({
    code: 'conflict',
    message: textWith('Eva'),
  })
  expect((await gdpr()).map(({ due_at }) => due_at)).toEqual([after(72.5)])
  const off = { regime: 'gdpr' as const, active: false, reason: 'No personal data were reached.' }
  await expect(switchRegime(scene.db, { ...regimes, role: 'editor' }, off)).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(
    switchRegime(scene.db, { ...regimes, role: 'lead' }, { ...off, reason: 'no' }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
  const asked = { ...regimes, actor: per, role: 'lead' as const, now: after(2) }
  expect(await switchRegime(scene.db, asked, off)).toBe(true)
  expect((await gdpr()).map(({ state, due_at }) => [state, due_at])).toEqual([['open', after(72.5)]])
  await expect(switchRegime(scene.db, asked, off)).rejects.toMatchObject({
    code: 'conflict',
    message: textWith('of a regime that Per recorded waits'),
  })
  const { id: changeId } = await scene.db
    .selectFrom('awareness_change')
    .select('id')
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  await expect(
    decideAwareness(scene.db, { ...by(per, after(3)), changeId }, { approve: true }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await decideAwareness(scene.db, { ...by(olga, after(3)), changeId }, { approve: true })
  expect((await gdpr()).map(({ state, reason }) => [state, reason])).toEqual([['not_required', 'regime_off']])
  expect((await notes()).filter((what) => what.startsWith('regime_off'))).toEqual([
    'regime_off_requested',
    'regime_off_approved',
  ])
  expect(await scene.entries(incidentId)).toEqual(
    expect.arrayContaining(['regime_off_requested', 'regime_off_decided']),
  )
  for (const regime of ['gdpr', 'dora'] as const) {
    const again = switchRegime(scene.db, { ...regimes, role: 'lead' }, { ...off, regime })
    await expect(again).rejects.toMatchObject({ code: 'conflict' })
  }
  // switched on again: from its first time, whatever time is given
  await switchRegime(scene.db, { ...regimes, role: 'editor' }, later)
  expect((await gdpr()).map(({ state, due_at }) => [state, due_at])).toEqual([['open', after(72.5)]])
  await expect(
    switchRegime(scene.db, { ...regimes, role: 'lead' }, { regime: 'digitalsikkerhetsloven', active: true }),
  ).rejects.toMatchObject({ code: 'conflict' })
})

test('regimes that a member switches on are suggested until somebody has said whether they apply', async () => {
  const act = { workspaceId: scene.workspaceId, actor: per, now: after(1) }
  const given = { kind: 'severe_incident' as const, title: 'Stolen signing key', families: [] }
  const severe = await openManually(scene.db, act, given)
  const asking = { workspaceId: scene.workspaceId, personId: per.id, role: 'lead' as const }
  const suggested = async (id: string) =>
    (await describeIncident(scene.db, asking, { incidentId: id, now: after(1) })).suggestedRegimes
  expect([await suggested(incidentId), await suggested(severe.id)]).toEqual([['gdpr'], ['gdpr']])
  await changeRegimeSettings(scene.db, act, { digitalsikkerhetsloven: true })
  expect(await suggested(incidentId)).toEqual(['gdpr'])
  expect(await suggested(severe.id)).toEqual(['gdpr', 'digitalsikkerhetsloven'])
  const on = { regime: 'gdpr' as const, active: true }
  await switchRegime(scene.db, { ...act, incidentId: severe.id, role: 'lead' }, on)
  expect(await suggested(severe.id)).toEqual(['digitalsikkerhetsloven'])
})
