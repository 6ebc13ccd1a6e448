import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Regime, ReportStage } from '../../src/contract/alerts/events.ts'
import { copyDraft, saveDraft } from '../../src/incidents/drafts/save-draft.ts'
import { recordDetermination } from '../../src/incidents/determinations/record-determination.ts'
import { changeRegimeSettings } from '../../src/incidents/regimes/change-settings.ts'
import { getDraft } from '../../src/incidents/drafts/read-draft.ts'
import { recordSubmission } from '../../src/incidents/submissions/record-submission.ts'
import { after, createIncidentScene, start, type IncidentScene } from './incident-scene.ts'
import { exploited, openExploited, switchOn } from './opened.ts'
import { anyText, textWith } from '../support/expected.ts'

let scene: IncidentScene
beforeEach(async () => {
  scene = await createIncidentScene()
})
afterEach(async () => {
  await scene.drop()
})

async function createCase(family = 'Pump') {
  const incidentId = await openExploited(scene, { family })
  const editor = await scene.member('editor', 'Edda')
  const reportId = async (stage: ReportStage, regime: Regime = 'cra') => {
    const reports = await scene.reports(incidentId)
    const found = reports.find((one) => one.regime === regime && one.report === stage)
    return found?.id ?? ''
  }
  const act = async (stage: ReportStage, now: Date, actor = editor) => ({
    workspaceId: scene.workspaceId,
    incidentId,
    actor,
    now,
    reportId: await reportId(stage),
  })
  const read = async (
    stage: ReportStage,
    { regime = 'cra', now = after(1) }: { regime?: Regime; now?: Date } = {},
  ) =>
    getDraft(scene.db, {
      workspaceId: scene.workspaceId,
      incidentId,
      now,
      reportId: await reportId(stage, regime),
    })
  const save = async (
    stage: ReportStage,
    revision: number,
    values: unknown,
    now = after(1),
    actor = editor,
  ) => saveDraft(scene.db, await act(stage, now, actor), { revision, values })
  return { incidentId, editor, reportId, act, read, save }
}

test('a draft begins with what is known', async () => {
  await scene.db.insertInto('euvd_mapping').values({ euvd_id: 'EUVD-2026-77', cve_id: exploited }).execute()
  const { incidentId, read } = await createCase()
  await scene.db
    .updateTable('incident')
    .set({ member_states: ['DE', 'NO'], occurred_at: after(-5), measure_available_at: after(3) })
    .where('id', '=', incidentId)
    .execute()
  const { company_name } = await scene.db
    .selectFrom('workspace')
    .select('company_name')
    .executeTakeFirstOrThrow()
  const draft = await read('final_report')
  expect(draft).toMatchObject({ revision: 0, savedAt: null, savedBy: null, regime: 'cra', siblings: [] })
  expect(draft.values).toMatchObject({
    '1': 'vulnerability',
    '2': 'CVE-2026-1234 in Pump',
    '4': company_name,
    '5': ['DE', 'NO'],
    '6': 'Pump',
    '12': 'pump-lib 1.0.0',
    v19: exploited,
    v20: 'EUVD-2026-77',
    v22: '2026-10-01T11:00:00Z',
    v24: 'High. CVSS score 9.8.',
    v26: '2026-10-01T08:00:00Z',
    v26a: '2026-10-01T03:00:00Z',
  })
  expect(draft.values['3']).toContain('is listed as exploited')
  expect(draft.values['v21']).toContain('Fixed in pump-lib 2.0.0.')
  expect(draft.form.fields.map(({ id }) => id)).toContain('v22')
})

test('it takes over what was written at the stage before', async () => {
  const { read, save } = await createCase()
  const { values } = await read('early_warning')
  await save('early_warning', 0, { ...values, '3': 'Our own words.' })
  expect((await read('notification')).values['3']).toBe('Our own words.')
  const notification = await read('notification')
  await save('notification', 0, { ...notification.values, '3': 'Newer words.' })
  expect((await read('final_report')).values['3']).toBe('Newer words.')
})

test('it says what is missing, and that a late one needs its reasons', async () => {
  const { incidentId, read, save } = await createCase()
  const saved = await save('early_warning', 0, { '2': 'x'.repeat(256), '5': ['XX'] })
  expect(saved.problems).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ field: '2', problem: 'too_long' }),
      expect.objectContaining({ field: '5', problem: 'unknown_country' }),
      expect.objectContaining({ field: '3', problem: 'missing' }),
    ]),
  )
  await switchOn(scene, incidentId, 'gdpr', start)
  const reasons = async (now: Date) =>
    (await read('notification', { regime: 'gdpr', now })).problems.filter(
      ({ field }) => field === 'delay_reasons',
    )
  expect(await reasons(after(72))).toEqual([])
  expect(await reasons(after(73))).toHaveLength(1)
})

test('the second of two who save is refused, and told who saved when', async () => {
  const { read, save } = await createCase()
  const other = await scene.member('lead', 'Liam')
  await save('early_warning', 0, { '2': 'one' }, after(1), other)
  const late = save('early_warning', 0, { '2': 'two' }, after(2))
  await expect(late).rejects.toMatchObject({
    code: 'conflict',
    message: 'Liam saved this draft at 1 Oct 2026, 09:00:00 UTC. Your changes are not saved.',
  })
  expect(await read('early_warning')).toMatchObject({ revision: 1, savedBy: 'Liam', values: { '2': 'one' } })
  await save('early_warning', 1, { '2': 'two' }, after(2))
  expect(await read('early_warning')).toMatchObject({ revision: 2, savedBy: 'Edda', values: { '2': 'two' } })
})

test('two first saves at once make one draft', async () => {
  const { read, save } = await createCase()
  const results = await Promise.allSettled([
    save('early_warning', 0, { '2': 'one' }),
    save('early_warning', 0, { '2': 'two' }),
  ])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await read('early_warning')).toMatchObject({ revision: 1 })
})

test('the timeline has one line for each person, report and hour', async () => {
  const { incidentId, save } = await createCase()
  const other = await scene.member('lead', 'Liam')
  for (const [index, hours] of [1, 1.5, 1.9].entries())
    await save('early_warning', index, { '2': `${index}` }, after(hours))
  expect(await scene.entries(incidentId)).toEqual(['opened', 'draft_saved'])
  await save('notification', 0, { '2': 'x' }, after(1.95))
  await save('early_warning', 3, { '2': 'x' }, after(1.96), other)
  await save('early_warning', 4, { '2': 'y' }, after(2.01))
  expect((await scene.entries(incidentId)).filter((kind) => kind === 'draft_saved')).toHaveLength(4)
})

test('a draft is copied from an incident on the same vulnerability; products and times stay its own', async () => {
  const one = await createCase('Pump')
  const { values } = await one.read('early_warning')
  await one.save('early_warning', 0, { ...values, '3': 'What we know.', '14': 'Switch it off.' })
  const two = await createCase('Valve')
  const before = await two.read('early_warning')
  expect(before.siblings).toEqual([
    { incidentId: one.incidentId, reference: 'INC-2026-0001', families: ['Pump'] },
  ])
  const copied = await copyDraft(scene.db, await two.act('early_warning', after(2)), {
    from: one.incidentId,
    revision: 0,
  })
  expect(copied).toMatchObject({ revision: 1, savedBy: 'Edda' })
  expect(copied.values).toMatchObject({ '3': 'What we know.', '14': 'Switch it off.', '6': 'Valve' })
})

test('what it began with and is unchanged names the products of the other incident after copying', async () => {
  const one = await createCase('Pump')
  const { values } = await one.read('early_warning')
  const began = String(values['3'])
  expect([values['2'], began]).toEqual(['CVE-2026-1234 in Pump', textWith('pump-lib 1.0.0 in Pump.')])
  const written = `Seen at a customer.\n${began}\nWe stopped the Pump there.`
  await one.save('early_warning', 0, { ...values, '3': written })
  const two = await createCase('Valve')
  const given = { from: one.incidentId, revision: 0 }
  const copied = await copyDraft(scene.db, await two.act('early_warning', after(2)), given)
  expect(copied.values).toMatchObject({
    '2': 'CVE-2026-1234 in Valve',
    '3': written.replace('pump-lib 1.0.0 in Pump.', 'pump-lib 1.0.0 in Valve.'),
  })
  const again = await one.read('early_warning')
  await one.save('early_warning', again.revision, { ...again.values, '2': 'Code from the network' })
  const titled = { from: one.incidentId, revision: copied.revision }
  const later = await copyDraft(scene.db, await two.act('early_warning', after(3)), titled)
  expect(later.values['2']).toBe('Code from the network')
})

test.each([
  ['itself', 0, 'invalid_request', async (one: Case) => Promise.resolve(one.incidentId)],
  ['no id', 0, 'invalid_request', async () => Promise.resolve('x')],
  ['one that is not there', 0, 'invalid_request', async () => Promise.resolve(randomUUID())],
  ['one without a saved draft', 0, 'invalid_request', async () => openExploited(scene, { family: 'Valve' })],
  ['an older revision', 5, 'conflict', async (one: Case) => Promise.resolve(one.incidentId)],
])('copying from %s is refused', async (_what, revision, code, from) => {
  const one = await createCase()
  const given = { revision, from: await from(one) }
  await expect(copyDraft(scene.db, await one.act('early_warning', after(1)), given)).rejects.toMatchObject({
    code,
  })
})

type Case = Awaited<ReturnType<typeof createCase>>

test.each([
  ['an unknown field', { '99': 'x' }, '99'],
  ['a number', { '2': 4 }, '2'],
  ['too much', { '3': 'x'.repeat(20_001) }, '3'],
])('saving %s is refused by name', async (_what, values, field) => {
  const { save } = await createCase()
  await expect(save('early_warning', 0, values)).rejects.toMatchObject({
    code: 'invalid_request',
    fields: { [field]: anyText },
  })
})

test('a closed incident takes drafts of amendments alone, another workspace none', async () => {
  const { incidentId, act, save } = await createCase()
  const given = { kind: 'submission', submittedAt: after(2).toISOString(), channel: 'SRP' } as const
  await recordSubmission(scene.db, await act('early_warning', after(2)), given)
  await scene.db
    .updateTable('incident')
    .set({ status: 'closed', closed_at: after(3), closed_by_name: 'x', close_reason: 'x' })
    .where('id', '=', incidentId)
    .execute()
  await save('early_warning', 0, { '2': 'x' }, after(4))
  await expect(save('notification', 0, { '2': 'x' }, after(4))).rejects.toMatchObject({ code: 'conflict' })
  const { reportId } = await act('early_warning', after(4))
  await expect(
    getDraft(scene.db, { workspaceId: randomUUID(), incidentId, reportId, now: after(4) }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('under DORA it begins with what the company says of itself, and says when that has changed', async () => {
  const { incidentId, reportId, read, editor } = await createCase()
  const admin = await scene.member('admin', 'Ada')
  const settings = { workspaceId: scene.workspaceId, actor: admin }
  const lei = '5493001KJTIIGC8Y1R12'
  await changeRegimeSettings(
    scene.db,
    { ...settings, now: start },
    {
      dora: true,
      doraFacts: { entity_lei: lei.toLowerCase(), reporting_currency: 'eur', contact_1_name: 'Ada' },
    },
  )
  await recordDetermination(
    scene.db,
    { workspaceId: scene.workspaceId, incidentId, actor: editor, now: after(1) },
    { value: 'dora_major', reasoning: 'More clients are affected than the threshold says.' },
  )
  const stages = ['initial_notification', 'intermediate_report', 'final_report'] as const
  for (const stage of stages) {
    const { values, problems } = await read(stage, { regime: 'dora' })
    expect(values).toMatchObject({
      report_type: stage,
      entity_lei: lei,
      reporting_currency: 'EUR',
      contact_1_name: 'Ada',
    })
    expect(values['entity_name']).toBeTypeOf('string')
    expect(problems.map(({ field }) => field)).toContain('contact_2_name')
  }
  const place = { workspaceId: scene.workspaceId, incidentId, actor: editor, now: after(1) }
  const first = await read('initial_notification', { regime: 'dora' })
  const report = await reportId('initial_notification', 'dora')
  await saveDraft(scene.db, { ...place, reportId: report }, { revision: 0, values: first.values })
  await changeRegimeSettings(
    scene.db,
    { ...settings, now: after(2) },
    { doraFacts: { contact_1_name: 'Berit' } },
  )
  const { values, kept, savedAt } = await read('initial_notification', { regime: 'dora' })
  expect(values['contact_1_name']).toBe('Ada')
  const changed = kept.find(({ field }) => field === 'contact_1_name')
  expect(changed).toMatchObject({ value: 'Berit', with: 'company', changedAt: after(2).toISOString() })
  expect((changed?.changedAt ?? '') > (savedAt ?? '')).toBe(true)
})
