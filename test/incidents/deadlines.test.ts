import { afterEach, beforeEach, expect, test } from 'vitest'
import { emitEvent } from '../../src/alerts/deliveries/emit.ts'
import { claimDeliveries } from '../../src/alerts/deliveries/claim.ts'
import { tellOfOverdue, warnOfDeadlines } from '../../src/incidents/reports/warn-of-deadlines.ts'
import { recordSubmission } from '../../src/incidents/submissions/record-submission.ts'
import { changeCompany } from '../../src/workspace/company/change-company.ts'
import { drain } from '../support/drain.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { changeAwareness } from '../../src/incidents/determinations/change-awareness.ts'
import { decideAwareness } from '../../src/incidents/determinations/decide-awareness.ts'
import { after, createIncidentScene, pump, type IncidentScene } from './incident-scene.ts'
import { waitingOf } from '../support/payloads.ts'

let scene: IncidentScene
let incidentId: string
beforeEach(async () => {
  scene = await createIncidentScene()
  const family = await scene.family('Pump')
  await scene.addRecord(scene.record('CVE-2026-1', 'pump-lib'))
  await scene.list('CVE-2026-1')
  await scene.upload(family, [pump()])
  await scene.open()
  incidentId = (await scene.incidents())[0]?.id ?? ''
})
afterEach(async () => {
  await scene.drop()
})

const warnings = async () =>
  (await scene.events()).flatMap((fact) => (fact.type === 'deadline.warning' ? [fact.data.report] : []))
const mails = async (type: 'deadline.warning' | 'deadline.overdue') =>
  (await waitingOf(scene.db, 'send_mail')).flatMap(({ fact, eventId, named }) =>
    fact.type === type ? [{ fact, eventId, named }] : [],
  )
const put = (plan: 'free' | 'core' | 'starter') => scene.db.updateTable('workspace').set({ plan }).execute()
const warn = (hours: number) => warnOfDeadlines(scene.db, after(hours))

test('each report is warned of once, in the order of its lead, by any number of schedulers', async () => {
  await warn(19.99)
  expect(await warnings()).toEqual([])
  await Promise.all([warn(20), warn(20), warn(20)])
  expect(await warnings()).toEqual(['early_warning'])
  await warn(23)
  await warn(68)
  await warn(69)
  expect(await warnings()).toEqual(['early_warning', 'notification'])
  const [event] = (await scene.events()).filter(({ type }) => type === 'deadline.warning')
  expect(event?.data).toEqual({
    incident: { id: incidentId, reference: 'INC-2026-0001', title: 'CVE-2026-1 in Pump' },
    regime: 'cra',
    report: 'early_warning',
    dueAt: '2026-10-02T08:00:00.000Z',
  })
})

test('a warning that was missed is sent as long as the deadline has not passed, and never after it', async () => {
  await warn(23.9)
  expect(await warnings()).toEqual(['early_warning'])
  await warn(72)
  expect(await warnings()).toEqual(['early_warning'])
})

test('a report that was overdue when it began is not warned of', async () => {
  const lead = await scene.member('lead')
  await changeAwareness(
    scene.db,
    { workspaceId: scene.workspaceId, incidentId, actor: lead, now: after(1) },
    { awareAt: after(-100).toISOString(), reason: 'The customer wrote four days before.' },
  )
  await warn(1)
  expect(await warnings()).toEqual([])
})

test('while the workspace is read-only only members are told; destinations follow when that ends in time, and members are not told again', async () => {
  await put('free')
  await warn(20)
  expect(await warnings()).toEqual([])
  expect((await mails('deadline.warning')).map(({ fact }) => fact.data.report)).toEqual(['early_warning'])
  await warn(21)
  await put('core')
  await warn(22)
  expect(await warnings()).toEqual(['early_warning'])
  const [report] = await scene.reports(incidentId)
  const ids = (await waitingOf(scene.db, 'emit_event')).map(({ eventId }) => eventId)
  expect(ids.at(-1)).toBe(report?.id)
  expect((await mails('deadline.warning')).map(({ eventId }) => eventId)).toEqual([report?.id])
})

test('drills and closed workspaces warn nobody', async () => {
  const actor = await scene.member('owner')
  const act = { workspaceId: scene.workspaceId, actor, now: after(1) }
  await openManually(scene.db, act, {
    kind: 'severe_incident',
    title: 'Drill',
    families: [],
    isExercise: true,
  })
  await scene.db
    .updateTable('incident')
    .set({ status: 'closed', closed_at: after(2) })
    .where('id', '=', incidentId)
    .execute()
  await warn(24.5)
  expect(await warnings()).toEqual([])
  await tellOfOverdue(scene.db, after(100))
  expect(await mails('deadline.overdue')).toEqual([])
})

test('another time zone of the workspace counts months by its clock at once', async () => {
  const actor = await scene.member('admin')
  const act = { workspaceId: scene.workspaceId, actor, now: new Date('2027-01-30T23:30:00Z') }
  const opened = { kind: 'severe_incident' as const, title: 'Stolen signing key', families: [] }
  const { id } = await openManually(scene.db, act, opened)
  const reports = await scene.reports(id)
  const of = (name: string) => reports.find(({ report }) => report === name)?.id ?? ''
  const filing = { kind: 'submission' as const, submittedAt: act.now.toISOString(), channel: 'SRP' }
  await recordSubmission(scene.db, { ...act, incidentId: id, reportId: of('notification') }, filing)
  const due = async () => (await scene.reports(id)).find(({ report }) => report === 'final_report')?.due_at
  expect(await due()).toEqual(new Date('2027-02-28T23:30:00Z'))
  await changeCompany(scene.db, act, { timeZone: 'Europe/Oslo' })
  await drain(scene.db, act.now)
  // half an hour before the legal end; in UTC it would be a day later
  expect(await due()).toEqual(new Date('2027-02-27T23:30:00Z'))
})

test('overdue reports are told of when they become so and every 24 hours', async () => {
  const assignee = await scene.member('editor')
  await scene.db.updateTable('incident').set({ assignee: assignee.id }).execute()
  const overdue = async (hours: number) => {
    await Promise.all([tellOfOverdue(scene.db, after(hours)), tellOfOverdue(scene.db, after(hours))])
    return (await mails('deadline.overdue')).map(({ fact }) => fact.data.report)
  }
  expect(await overdue(24)).toEqual([])
  expect(await overdue(24.1)).toEqual(['early_warning'])
  expect(await overdue(48)).toEqual(['early_warning'])
  expect(await overdue(48.1)).toEqual(['early_warning', 'early_warning'])
  expect((await mails('deadline.overdue'))[0]?.named).toEqual([assignee.id])
})

test('a report that is overdue again after its deadline was moved is told of when it becomes so', async () => {
  const [lead, admin] = [await scene.member('lead'), await scene.member('admin')]
  const act = { workspaceId: scene.workspaceId, incidentId, actor: lead, now: after(24.2) }
  const overdue = async (hours: number) => {
    await tellOfOverdue(scene.db, after(hours))
    return (await mails('deadline.overdue')).map(({ fact }) => fact.data.dueAt)
  }
  const [first, second] = [after(24).toISOString(), after(27).toISOString()]
  expect(await overdue(24.1)).toEqual([first])
  await changeAwareness(scene.db, act, {
    awareAt: after(3).toISOString(),
    reason: 'The report was not credible before.',
  })
  const [change] = await scene.db.selectFrom('awareness_change').select('id').execute()
  const deciding = { ...act, actor: admin, changeId: change?.id ?? '', now: after(24.3) }
  await decideAwareness(scene.db, deciding, { approve: true })
  expect(await overdue(26.9)).toEqual([first])
  expect(await overdue(27.1)).toEqual([first, second])
  expect(await overdue(51)).toEqual([first, second])
  expect(await overdue(51.1)).toEqual([first, second, second])
  const overdueEntries = (await scene.entries(incidentId)).filter((kind) => kind === 'overdue')
  expect(overdueEntries).toHaveLength(2)
})

test('a warning whose report was filed meanwhile is not sent', async () => {
  await scene.db
    .insertInto('alert_destination')
    .values({
      id: '0190d3a8-0000-7000-8000-0000000000aa',
      workspace_id: scene.workspaceId,
      kind: 'webhook',
      name: 'ops',
      host: 'hooks.example.com',
      url_sealed: Buffer.from('x'),
      secret_sealed: Buffer.from('x'),
      events: ['deadline.warning'],
      enabled: true,
      created_at: after(0),
      added_by_kind: 'system',
      added_by_name: 'test',
      last_delivery_at: null,
      last_error: null,
      removed_at: null,
    })
    .execute()
  await warn(20)
  const event = (await waitingOf(scene.db, 'emit_event')).at(-1)
  if (event === undefined) throw new Error('no event was enqueued')
  await emitEvent(scene.db, event, after(20))
  const [report] = await scene.reports(incidentId)
  await scene.db
    .updateTable('regime_report')
    .set({ state: 'submitted' })
    .where('id', '=', report?.id ?? '')
    .execute()
  const claimed = await claimDeliveries(scene.db, {
    worker: 'test',
    limit: 10,
    turns: [],
    maxOfWorkspace: 4,
    maxToHost: 4,
    exceptWorkspaces: [],
    now: after(20),
  })
  expect(claimed.map((delivery) => delivery.is_answered)).toEqual([true])
})
