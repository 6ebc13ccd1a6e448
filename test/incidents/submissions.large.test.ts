import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Regime, ReportStage } from '../../src/contract/alerts/events.ts'
import { changeAwareness } from '../../src/incidents/determinations/change-awareness.ts'
import { withdrawDetermination } from '../../src/incidents/determinations/decide-determination.ts'
import { recordDetermination } from '../../src/incidents/determinations/record-determination.ts'
import { saveDraft } from '../../src/incidents/drafts/save-draft.ts'
import { correctSubmission } from '../../src/incidents/submissions/correct-submission.ts'
import { addReceipt, selectReceipt } from '../../src/incidents/submissions/receipts.ts'
import { waiveReport } from '../../src/incidents/submissions/waive-report.ts'
import { describeIncident } from '../../src/incidents/reads/describe-incident.ts'
import { after, createIncidentScene, start, type IncidentScene } from './incident-scene.ts'
import { switchOn } from './opened.ts'
import { close, createCase, ew, final, notification, reason } from './submission-case.ts'
import { anyText, textWith, objectWith } from '../support/expected.ts'

let scene: IncidentScene
beforeEach(async () => {
  scene = await createIncidentScene()
})
afterEach(async () => {
  await scene.drop()
})

test('a submission ends its report at once, and is kept as it was recorded', async () => {
  const { incidentId, report, file, submissions } = await createCase(scene)
  const id = await file(ew, after(2), { authority: 'CERT-Bund', reference: 'SRP-77', now: after(3) })
  expect(await report(...ew)).toMatchObject({ state: 'submitted', submitted_at: after(2), due_at: after(24) })
  expect(await report(...notification)).toMatchObject({ state: 'open' })
  expect(await submissions()).toEqual([
    expect.objectContaining({
      id,
      kind: 'submission',
      submitted_at: after(2),
      first_submitted_at: null,
      recorded_at: after(3),
      recorded_by_name: 'editor',
      channel: 'Single Reporting Platform',
      authority: 'CERT-Bund',
      external_reference: 'SRP-77',
      draft: objectWith({ version: '2026-09-25' }),
      delay_reason: null,
      before_approval: false,
    }),
  ])
  expect(await scene.entries(incidentId)).toEqual(['opened', 'submitted'])
})

test('the audit trail says what was filed without its words', async () => {
  const { incidentId, act, report, file } = await createCase(scene)
  const { id: reportId } = await report(...ew)
  const secret = 'Words of the report'
  await saveDraft(scene.db, { ...act(after(1)), reportId }, { revision: 0, values: { '3': secret } })
  await file(ew, after(30), { delayReason: secret, authority: secret, channel: secret })
  const events = await scene.db
    .selectFrom('audit_event')
    .selectAll()
    .where('object_id', '=', incidentId)
    .execute()
  expect(events.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['incident.draft_saved', 'incident.report_submitted']),
  )
  expect(JSON.stringify(events)).not.toContain(secret)
})

test('a late one needs its reasons, which the draft of a GDPR notification may hold', async () => {
  const { incidentId, act, report, file, submissions } = await createCase(scene)
  await expect(file(ew, after(24.001))).rejects.toMatchObject({
    fields: { delayReason: anyText },
  })
  await file(ew, after(24))
  await switchOn(scene, incidentId, 'gdpr', start)
  const { id: reportId } = await report('gdpr', 'notification')
  await expect(file(['gdpr', 'notification'], after(73))).rejects.toMatchObject({
    fields: { delayReason: anyText },
  })
  const values = { nature: 'Names were read.', delay_reasons: reason }
  await saveDraft(scene.db, { ...act(after(70)), reportId }, { revision: 0, values })
  await file(['gdpr', 'notification'], after(73))
  expect((await submissions()).map(({ delay_reason }) => delay_reason)).toEqual([null, reason])
})

test('it keeps the draft of that moment', async () => {
  const { act, report, file, submissions } = await createCase(scene)
  const { id: reportId } = await report(...ew)
  await saveDraft(scene.db, { ...act(after(1)), reportId }, { revision: 0, values: { '2': 'A title' } })
  await file(ew, after(2))
  await saveDraft(scene.db, { ...act(after(3)), reportId }, { revision: 1, values: { '2': 'Another' } })
  await file(ew, after(4), { kind: 'amendment' })
  const drafts = (await submissions()).map(({ draft }) => draft)
  expect(drafts).toEqual([
    expect.objectContaining({ fields: [{ id: '2', number: '2', label: 'Title', value: 'A title' }] }),
    expect.objectContaining({ fields: [{ id: '2', number: '2', label: 'Title', value: 'Another' }] }),
  ])
})

test('it waits for no approval, and says that one was pending in the scope of its regime', async () => {
  const { incidentId, act, file, submissions } = await createCase(scene)
  await switchOn(scene, incidentId, 'gdpr', start)
  await recordDetermination(scene.db, act(after(1)), { value: 'actively_exploited', reasoning: reason })
  await file(ew, after(2))
  await file(['gdpr', 'notification'], after(3))
  expect((await submissions()).map(({ before_approval }) => before_approval)).toEqual([true, false])
})

test('one filing covers several reports of the regime, each with a row of its own', async () => {
  const { incidentId, report, file, submissions } = await createCase(scene)
  const alsoCovers = [(await report(...ew)).id, (await report(...notification)).id]
  await file(final, after(5), { alsoCovers, reference: 'SRP-1' })
  const rows = await submissions()
  expect(rows.map((row) => row.report).sort()).toEqual(['early_warning', 'final_report', 'notification'])
  for (const row of rows) expect(row).toMatchObject({ external_reference: 'SRP-1', submitted_at: after(5) })
  const states = (await scene.reports(incidentId)).map(({ state }) => state)
  expect(states).toEqual(['submitted', 'submitted', 'submitted'])
  expect(await scene.entries(incidentId)).toEqual(['opened', 'submitted', 'submitted', 'submitted'])
})

test('a covered report that is late makes the filing late', async () => {
  const { report, file } = await createCase(scene)
  const alsoCovers = [(await report(...ew)).id]
  await expect(file(notification, after(30), { alsoCovers })).rejects.toMatchObject({
    fields: { delayReason: anyText },
  })
})

test('a report that is not required can be filed all the same', async () => {
  const { incidentId, report, file } = await createCase(scene)
  await scene.db
    .updateTable('incident_regime')
    .set({ is_active: false })
    .where('incident_id', '=', incidentId)
    .execute()
  const editor = await scene.member('lead')
  // any act that recomputes the clocks
  await changeAwareness(
    scene.db,
    { workspaceId: scene.workspaceId, incidentId, actor: editor, now: after(1) },
    { awareAt: after(-1).toISOString(), reason },
  )
  expect(await report(...ew)).toMatchObject({ state: 'not_required', reason: 'regime_off' })
  await file(ew, after(2))
  expect(await report(...ew)).toMatchObject({ state: 'submitted', reason: null })
})

test('of two people who record the same submission, one is told what the other did', async () => {
  const { file, submissions } = await createCase(scene)
  const results = await Promise.allSettled([file(ew, after(2)), file(ew, after(2))])
  const refused = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason: why }): unknown => why)
  expect(refused).toEqual([
    expect.objectContaining({
      code: 'conflict',
      message: textWith('editor recorded this'),
    }),
  ])
  expect(await submissions()).toHaveLength(1)
})

test('a report that is submitted keeps the deadline it was filed under', async () => {
  const { incidentId, act, report, file } = await createCase(scene)
  await file(ew, after(20))
  const lead = await scene.member('lead')
  const awareAt = after(-6).toISOString()
  await changeAwareness(scene.db, act(after(30), lead), { awareAt, reason })
  expect(await report(...ew)).toMatchObject({ state: 'submitted', due_at: after(24) })
  expect(await report(...notification)).toMatchObject({ state: 'open', due_at: after(66) })
  const { reports } = await describeIncident(
    scene.db,
    { workspaceId: scene.workspaceId, personId: lead.id, role: 'lead' },
    { incidentId, now: after(31) },
  )
  expect(reports.find(({ report: stage }) => stage === 'early_warning')?.status).toBe('submitted')
})

describe('the reports of DORA are counted from real submissions', () => {
  beforeEach(() => scene.reportUnderDora())

  const aware = new Date('2026-11-02T08:00:00.000Z')
  const initial: [Regime, ReportStage] = ['dora', 'initial_notification']
  const intermediate: [Regime, ReportStage] = ['dora', 'intermediate_report']
  const last: [Regime, ReportStage] = ['dora', 'final_report']

  async function classify(classifiedAt: string) {
    const one = await createCase(scene, aware)
    const given = { value: 'dora_major' as const, reasoning: reason, classifiedAt }
    await recordDetermination(scene.db, one.act(new Date('2026-11-06T00:00:00Z')), given)
    return one
  }

  // domain rule 2.6, vectors 11 to 13
  test.each([
    ['2026-11-02T09:00:00Z', '2026-11-02T13:00:00.000Z'],
    ['2026-11-03T06:00:00Z', '2026-11-03T08:00:00.000Z'],
    ['2026-11-05T10:00:00Z', '2026-11-05T14:00:00.000Z'],
  ])('classified at %s the initial notification is due at %s', async (classifiedAt, due) => {
    const { report, file } = await classify(classifiedAt)
    expect(await report(...initial)).toMatchObject({ state: 'open', due_at: new Date(due) })
    expect(await report(...intermediate)).toMatchObject({ state: 'waiting', due_at: null })
    const at = new Date(new Date(due).getTime() - 3_600_000)
    const now = new Date('2026-11-06T01:00:00Z')
    await file(initial, at, { now })
    const counted = new Date(at.getTime() + 72 * 3_600_000)
    expect(await report(...intermediate)).toMatchObject({ state: 'open', due_at: counted })
    expect(await report(...last)).toMatchObject({ state: 'waiting' })
  })

  test('a classification that is recorded again moves no deadline to later', async () => {
    const { incidentId, act, report, editor } = await classify('2026-11-02T09:00:00Z')
    const due = async () => (await report(...initial)).due_at
    const again = async (time: string) => {
      const [pending] = await scene.db
        .selectFrom('determination')
        .select('id')
        .where('incident_id', '=', incidentId)
        .where('state', '=', 'pending')
        .execute()
      const now = new Date('2026-11-06T01:00:00Z')
      const determinationId = pending?.id ?? ''
      await withdrawDetermination(scene.db, { ...act(now, editor), determinationId })
      const given = { value: 'dora_major' as const, reasoning: reason, classifiedAt: time }
      await recordDetermination(scene.db, act(now), given)
    }
    await again('2026-11-05T10:00:00Z')
    expect(await due()).toEqual(new Date('2026-11-02T13:00:00Z'))
    await again('2026-11-02T08:30:00Z')
    expect(await due()).toEqual(new Date('2026-11-02T12:30:00Z'))
  })

  test('an update of the intermediate report moves the final one, an amendment does not', async () => {
    const { report, file } = await classify('2026-11-02T09:00:00Z')
    const now = new Date('2026-11-20T00:00:00Z')
    await file(initial, new Date('2026-11-02T12:00:00Z'), { now })
    await file(intermediate, new Date('2026-11-05T10:00:00Z'), { now })
    expect(await report(...last)).toMatchObject({ due_at: new Date('2026-12-05T10:00:00Z') })
    await file(intermediate, new Date('2026-11-09T10:00:00Z'), { now, kind: 'update' })
    expect(await report(...last)).toMatchObject({ due_at: new Date('2026-12-09T10:00:00Z') })
    await file(intermediate, new Date('2026-11-12T10:00:00Z'), { now, kind: 'amendment' })
    expect(await report(...last)).toMatchObject({ due_at: new Date('2026-12-09T10:00:00Z') })
    expect(await report(...intermediate)).toMatchObject({ submitted_at: new Date('2026-11-05T10:00:00Z') })
  })

  test('a corrected time moves what is counted from it', async () => {
    const { incidentId, act, report, file } = await classify('2026-11-02T09:00:00Z')
    const now = new Date('2026-11-06T00:00:00Z')
    const submissionId = await file(initial, new Date('2026-11-02T12:00:00Z'), { now })
    const lead = await scene.member('lead')
    const correct = (submittedAt: string, at: Date) =>
      correctSubmission(scene.db, { ...act(at, lead), submissionId }, { submittedAt, reason })
    await correct('2026-11-02T11:00:00Z', new Date('2026-11-06T01:00:00Z'))
    await correct('2026-11-02T10:30:00Z', new Date('2026-11-06T02:00:00Z'))
    expect(await report(...initial)).toMatchObject({ submitted_at: new Date('2026-11-02T10:30:00Z') })
    expect(await report(...intermediate)).toMatchObject({ due_at: new Date('2026-11-05T10:30:00Z') })
    const [row] = await scene.db.selectFrom('submission').selectAll().execute()
    expect(row).toMatchObject({ first_submitted_at: new Date('2026-11-02T12:00:00Z') })
    expect((await scene.entries(incidentId)).slice(-2)).toEqual([
      'submission_corrected',
      'submission_corrected',
    ])
  })
})

describe('receipts', () => {
  test('any bytes are kept once', async () => {
    const { incidentId, act, file } = await createCase(scene)
    const submissionId = await file(ew, after(2))
    const bytes = Uint8Array.from([0, 255, 13, 10, 0])
    await addReceipt(scene.db, { ...act(after(3)), submissionId }, { name: 'Kvittering Ø.pdf', bytes })
    const place = { workspaceId: scene.workspaceId, incidentId, submissionId }
    expect(await selectReceipt(scene.db, place)).toEqual({
      name: 'Kvittering Ø.pdf',
      bytes: Buffer.from(bytes),
    })
    await expect(
      addReceipt(scene.db, { ...act(after(4)), submissionId }, { name: 'b.pdf', bytes }),
    ).rejects.toMatchObject({ code: 'conflict' })
    expect(await scene.entries(incidentId)).toContain('receipt_added')
  })

  test('there is none where none was added, and none of another workspace', async () => {
    const { incidentId, act, file } = await createCase(scene)
    const submissionId = await file(ew, after(2))
    const place = { workspaceId: scene.workspaceId, incidentId, submissionId }
    await expect(selectReceipt(scene.db, place)).rejects.toMatchObject({ code: 'not_found' })
    await addReceipt(
      scene.db,
      { ...act(after(3)), submissionId },
      { name: 'a.pdf', bytes: Uint8Array.from([1]) },
    )
    await expect(selectReceipt(scene.db, { ...place, workspaceId: randomUUID() })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

test('a breach without risk to people is not notified, and the reason is kept', async () => {
  const { incidentId, act, report } = await createCase(scene)
  await switchOn(scene, incidentId, 'gdpr', start)
  const { id: reportId } = await report('gdpr', 'notification')
  const lead = await scene.member('lead')
  await waiveReport(scene.db, { ...act(after(1), lead), reportId }, { reason })
  expect(await report('gdpr', 'notification')).toMatchObject({ state: 'not_required', reason: 'no_risk' })
  expect(await report(...ew)).toMatchObject({ state: 'open' })
  const regime = await scene.db
    .selectFrom('incident_regime')
    .select(['waiver', 'reason', 'changed_by_name'])
    .where('regime', '=', 'gdpr')
    .executeTakeFirst()
  expect(regime).toEqual({ waiver: 'no_risk', reason, changed_by_name: 'lead' })
})

test('an amendment and a receipt are recorded on a closed incident too', async () => {
  const one = await createCase(scene)
  const submissionId = await one.file(ew, after(2))
  await close(scene, one)
  await one.file(ew, after(60), { kind: 'amendment' })
  await addReceipt(
    scene.db,
    { ...one.act(after(61)), submissionId },
    { name: 'a.pdf', bytes: Uint8Array.from([1]) },
  )
  expect((await one.submissions()).map(({ kind }) => kind)).toEqual(['submission', 'amendment'])
})
