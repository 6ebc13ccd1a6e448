import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeIncident } from '../../src/incidents/reads/describe-incident.ts'
import { describeOverview } from '../../src/views/overview.ts'
import { listEntries } from '../../src/incidents/reads/list-entries.ts'
import { listIncidents } from '../../src/incidents/reads/list-incidents.ts'
import { selectDeadlines } from '../../src/incidents/reads/list-deadlines.ts'
import { listExploited } from '../../src/vulnerabilities/list-exploited.ts'
import type { Asking } from '../../src/incidents/reads/who-asks.ts'
import { reportingPlatform } from '../../src/contract/incidents/regimes.ts'
import type { Role } from '../../src/contract/roles.ts'
import type { Tables } from '../../src/database/tables.ts'
import { newId } from '../../src/platform/random.ts'
import { addVersion, type Family } from '../support/rows.ts'
import { after, createIncidentScene, pump, start, type IncidentScene } from './incident-scene.ts'

let scene: IncidentScene
let pumpFamily: Family
let valve: Family
let foreign: Family
beforeEach(async () => {
  scene = await createIncidentScene()
  pumpFamily = await scene.family('Pump')
  valve = await scene.family('Valve')
  foreign = await scene.foreign()
})
afterEach(async () => {
  await scene.drop()
})

const cve = 'CVE-2026-1234'
const nobody = randomUUID()

const askingAs = (role: Role) => scene.askingAs(role)
const foreigner = (): Asking => ({ workspaceId: foreign.workspaceId, personId: nobody, role: 'owner' })

const openIn = (...families: Family[]) => scene.openIn(cve, ...families)

async function pending(incidentId: string, recordedBy: string): Promise<string> {
  const id = randomUUID()
  await scene.db
    .insertInto('determination')
    .values({
      id,
      workspace_id: scene.workspaceId,
      incident_id: incidentId,
      scope: 'cra',
      value: 'not_affected',
      state: 'pending',
      cycle: 1,
      reasoning: 'The affected function is never called.',
      evidence: ['https://example.com/analysis'],
      classified_at: null,
      approvers: 1,
      recorded_by: recordedBy,
      recorded_by_name: 'Olga',
      recorded_at: start,
      decided_by: null,
      decided_by_name: null,
      decided_at: null,
      comment: null,
    })
    .execute()
  return id
}

test('a list has the incident with its next deadline, and other workspaces see none of it', async () => {
  await openIn(pumpFamily, valve)
  const asking = await askingAs('lead')
  const list = await listIncidents(scene.db, asking, { status: 'open', now: after(1) })
  expect(list.counts).toEqual({ open: 2, overdue: 0, dueSoon: 0, waitingForMe: 0 })
  expect(list.total).toBe(2)
  expect(list.rows[0]).toMatchObject({
    reference: 'INC-2026-0001',
    title: `${cve} in Pump`,
    families: [{ id: pumpFamily.familyId, name: 'Pump' }],
    vulnKey: cve,
    listedBy: ['kev'],
    status: 'open',
    awareAt: start.toISOString(),
    next: { regime: 'cra', report: 'early_warning', status: 'open', dueAt: after(24).toISOString() },
    overdue: 0,
    determination: null,
    assignee: null,
  })
  const none = await listIncidents(scene.db, foreigner(), { status: 'all', now: after(1) })
  expect(none).toMatchObject({ rows: [], total: 0, counts: { open: 0, overdue: 0 } })
})

test('what is due soon and overdue is said at the time of asking', async () => {
  await openIn(pumpFamily)
  const asking = await askingAs('lead')
  const at = async (hours: number, due?: 'overdue' | 'due_soon') =>
    listIncidents(scene.db, asking, { status: 'open', due, now: after(hours) })
  expect((await at(21)).counts).toMatchObject({ dueSoon: 1, overdue: 0 })
  expect((await at(21, 'due_soon')).total).toBe(1)
  expect((await at(21, 'overdue')).total).toBe(0)
  expect((await at(25)).counts).toMatchObject({ dueSoon: 0, overdue: 1 })
  expect((await at(25, 'overdue')).rows[0]).toMatchObject({ overdue: 1, next: { status: 'overdue' } })
  expect((await at(25, 'due_soon')).total).toBe(0)
  expect((await at(24)).counts).toMatchObject({ dueSoon: 1, overdue: 0 })
})

test.each([
  ['family', { family: 'valve' }, 1],
  ['the vulnerability', { vulnerability: 'cve-2026-1234' }, 2],
  ['another id of it', { vulnerability: 'GHSA-1' }, 2],
  ['another vulnerability', { vulnerability: 'CVE-2026-9' }, 0],
  ['a part of the reference', { search: '0002' }, 1],
  ['the name of a family', { search: 'valv' }, 1],
  ['no wildcard', { search: '%' }, 0],
  ['nobody’s', { assignee: 'none' }, 2],
  ['mine', { assignee: 'me' }, 0],
  ['a regime', { regime: 'cra' }, 2],
  ['another regime', { regime: 'dora' }, 0],
  ['closed', { status: 'closed' }, 0],
] as const)('a list is narrowed by %s', async (_name, filter, total) => {
  await openIn(pumpFamily, valve)
  const asking = await askingAs('lead')
  const query = {
    status: 'open',
    ...filter,
    ...('family' in filter ? { family: valve.familyId } : {}),
  } as const
  expect((await listIncidents(scene.db, asking, { ...query, now: after(1) })).total).toBe(total)
})

test('a list is read page by page: every incident once, the next deadline first', async () => {
  const rows = Array.from({ length: 230 }, (_none, index) => index)
  await scene.db
    .insertInto('incident')
    .values(
      rows.map((index) => ({
        id: randomUUID(),
        workspace_id: scene.workspaceId,
        reference: `INC-2026-${String(index).padStart(4, '0')}`,
        kind: 'severe_incident',
        title: `Incident ${index}`,
        vuln_key: null,
        aliases: [],
        source: 'manual',
        listed_by: [],
        severity: 'high',
        is_exercise: false,
        status: index % 10 === 0 ? 'closed' : 'open',
        opened_at: start,
        opened_by_kind: 'person',
        opened_by: null,
        opened_by_name: 'Olga',
        aware_at: start,
        occurred_at: null,
        measure_available_at: null,
        assignee: null,
        follows: null,
        users_informed: null,
        maintainer_informed: null,
        closed_at: index % 10 === 0 ? after(index) : null,
        closed_by_name: null,
        close_reason: null,
      })),
    )
    .execute()
  const asking = await askingAs('viewer')
  const read: string[] = []
  let cursor: string | undefined
  do {
    const page = await listIncidents(scene.db, asking, { status: 'all', cursor, now: after(1) })
    expect(page.total).toBe(230)
    read.push(...page.rows.map(({ reference }) => reference))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(new Set(read).size).toBe(230)
  expect(read.length).toBe(230)
  const closed = read.slice(-23)
  expect(closed).toEqual([...closed].sort().reverse())
  await expect(
    listIncidents(scene.db, asking, { status: 'all', cursor: 'made-up', now: start }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
})

test('an incident is described whole, and not to another workspace', async () => {
  await openIn(pumpFamily, valve)
  const asking = await askingAs('lead')
  const [incident, sibling] = await scene.incidents()
  const id = incident?.id ?? ''
  const detail = await describeIncident(scene.db, asking, { incidentId: id, now: after(1) })
  expect(detail).toMatchObject({
    reference: 'INC-2026-0001',
    aliases: ['GHSA-1'],
    openedBy: { kind: 'system' },
    regimes: [
      {
        regime: 'cra',
        isActive: true,
        awareAt: start.toISOString(),
        hasOwnAwareness: false,
        authority: reportingPlatform,
      },
    ],
    reports: [
      { report: 'early_warning', status: 'open' },
      { report: 'notification', status: 'open' },
      { report: 'final_report', status: 'waiting', dueAt: null },
    ],
    affected: [{ family: 'Pump', component: { name: 'pump-lib', version: '1.0.0' }, isPresent: true }],
    affectedTotal: 1,
    related: [{ id: sibling?.id, relation: 'same_vulnerability' }],
    blockers: ['determination_missing', 'reports_open'],
    approvals: { cra: null, dora: null, awareness: null },
    cycle: 1,
  })
  expect(detail.affected[0]?.findingId).toMatch(/^[0-9a-f-]{36}$/)
  const asked = { incidentId: id, now: after(1) }
  await expect(describeIncident(scene.db, foreigner(), asked)).rejects.toMatchObject({ code: 'not_found' })
  const place = { workspaceId: foreign.workspaceId, incidentId: id }
  await expect(listEntries(scene.db, place, undefined)).rejects.toMatchObject({ code: 'not_found' })
})

test('what is affected is listed in the order of its versions: 2.3.10 behind 2.3.9', async () => {
  await scene.addRecord(scene.record(cve, 'pump-lib'))
  await scene.list(cve)
  for (const name of ['2.3.10', '2.3.8', '2.10.0', '2.3.9'])
    await scene.upload(pumpFamily, [pump()], { versionId: await addVersion(scene.db, pumpFamily, name) })
  await scene.look(pumpFamily)
  const asking = await askingAs('viewer')
  const [incident] = await scene.incidents()
  const detail = await describeIncident(scene.db, asking, { incidentId: incident?.id ?? '', now: after(1) })
  expect(detail.affected.map(({ version }) => version)).toEqual(['2.3.8', '2.3.9', '2.3.10', '2.10.0'])
})

test('a component that is gone stays listed, as one that is not there any more', async () => {
  await openIn(pumpFamily)
  const asking = await askingAs('viewer')
  await scene.upload(pumpFamily, [pump('2.0.0')])
  const [incident] = await scene.incidents()
  const detail = await describeIncident(scene.db, asking, { incidentId: incident?.id ?? '', now: after(1) })
  expect(detail.affected).toMatchObject([{ component: { version: '1.0.0' }, isPresent: false }])
})

test('what waits is shown to whoever may decide it, and never to whoever recorded it', async () => {
  await openIn(pumpFamily)
  const [incident] = await scene.incidents()
  const id = incident?.id ?? ''
  const [recorder, lead, editor] = [await askingAs('owner'), await askingAs('lead'), await askingAs('editor')]
  await pending(id, recorder.personId)
  const seen = async (asking: Asking) => {
    const { approvals, approvalsTotal } = await describeOverview(scene.db, asking, after(1))
    const { counts, total } = await listIncidents(scene.db, asking, {
      status: 'open',
      waiting: 'me',
      now: after(1),
    })
    const detail = await describeIncident(scene.db, asking, { incidentId: id, now: after(1) })
    expect(approvalsTotal).toBe(1)
    return [approvals[0]?.isMine, counts.waitingForMe, total, detail.approvals.cra?.allowed]
  }
  const { rows } = await listIncidents(scene.db, lead, { status: 'open', now: after(1) })
  expect(rows[0]?.determination).toEqual({ value: 'not_affected', state: 'pending', recordedBy: 'Olga' })
  expect(await seen(lead)).toEqual([true, 1, 1, true])
  expect(await seen(recorder)).toEqual([false, 0, 0, false])
  expect(await seen(editor)).toEqual([false, 0, 0, false])
  expect((await describeOverview(scene.db, foreigner(), after(1))).approvals).toEqual([])
})

test('where an owner is alone, what they recorded waits for themselves', async () => {
  await openIn(pumpFamily)
  const [incident] = await scene.incidents()
  const owner = await askingAs('owner')
  await pending(incident?.id ?? '', owner.personId)
  const { approvals, approvers } = await describeOverview(scene.db, owner, after(1))
  expect([approvals[0]?.isMine, approvers]).toEqual([true, 1])
  const detail = await describeIncident(scene.db, owner, { incidentId: incident?.id ?? '', now: after(1) })
  expect(detail.approvals.cra).toMatchObject({ allowed: false, override: true })
})

test('drills are in no figure and no list of deadlines of the dashboard', async () => {
  await openIn(pumpFamily)
  await scene.db.updateTable('incident').set({ is_exercise: true }).execute()
  const asking = await askingAs('lead')
  const overview = await describeOverview(scene.db, asking, after(1))
  expect(overview).toMatchObject({
    deadlines: [],
    deadlinesTotal: 0,
    openIncidents: 0,
    lastDrillAt: start.toISOString(),
  })
  const list = await listIncidents(scene.db, asking, { status: 'open', now: after(1) })
  expect([list.total, list.counts.open, list.counts.overdue]).toEqual([1, 0, 0])
  expect(
    await selectDeadlines(scene.db, { workspaceId: scene.workspaceId, max: 5, now: start }),
  ).toHaveLength(2)
})

function destination(differing: Partial<Insertable<Tables['alert_destination']>>) {
  return {
    id: newId(start),
    workspace_id: scene.workspaceId,
    kind: 'webhook' as const,
    name: 'On call',
    host: 'alerts.acme.example',
    url_sealed: null,
    secret_sealed: null,
    events: [],
    enabled: true,
    created_at: start,
    added_by_kind: 'system' as const,
    added_by_name: 'provisioning',
    last_delivery_at: null,
    last_error: null,
    removed_at: null,
    ...differing,
  }
}

test('the dashboard has the deadlines in their order, and the regimes without an authority', async () => {
  await openIn(pumpFamily, valve)
  const asking = await askingAs('lead')
  const overview = await describeOverview(scene.db, asking, after(1))
  const shown = overview.deadlines.map(({ report, incident, vulnKey, incidents }) => {
    return [report, incident.reference, vulnKey, incidents]
  })
  expect(shown).toEqual([
    ['early_warning', 'INC-2026-0001', cve, 2],
    ['notification', 'INC-2026-0001', cve, 2],
  ])
  expect(overview).toMatchObject({
    deadlinesTotal: 2,
    openIncidents: 2,
    suppressed: 0,
    toReview: 0,
    untaken: 2,
    usersNotInformed: 0,
  })
  expect(overview.regimesWithoutAuthority).toEqual(['cra', 'gdpr'])
  expect(overview.destinations).toBe(0)
  await scene.db
    .insertInto('alert_destination')
    .values([
      destination({ name: 'On call', url_sealed: Buffer.from('sealed') }),
      destination({ name: 'Switched off', url_sealed: Buffer.from('sealed'), enabled: false }),
      destination({ name: 'Removed', removed_at: start }),
    ])
    .execute()
  expect((await describeOverview(scene.db, asking, after(1))).destinations).toBe(1)
  expect(await describeOverview(scene.db, foreigner(), after(1))).toMatchObject({
    deadlines: [],
    deadlinesTotal: 0,
    openIncidents: 0,
    approvers: 0,
  })
})

test('what an open incident is about is left out of the exploited without one', async () => {
  await openIn(pumpFamily)
  await scene.upload(valve, [pump()])
  const all = await listExploited(scene.db, scene.workspaceId)
  expect(all.findings).toBe(2)
  const without = await listExploited(scene.db, scene.workspaceId, { incident: 'none' })
  expect(without.rows.flatMap(({ products }) => products.map(({ family }) => family))).toEqual(['Valve'])
})

test('an incident says what its flaw is, what fixes it, and what the catalogue demands', async () => {
  await openIn(pumpFamily)
  const raw = {
    dueDate: '2026-10-21',
    requiredAction: 'Apply the update.',
    knownRansomwareCampaignUse: 'Known',
  }
  await scene.db
    .updateTable('exploited')
    .set({ entry: JSON.stringify({ kev: { raw } }) })
    .execute()
  await scene.db.updateTable('vulnerability_group').set({ summary: 'Anybody can stop the pump.' }).execute()
  const [incident] = await scene.incidents()
  const order = { incidentId: incident?.id ?? '', now: start }
  const { flaw } = await describeIncident(scene.db, await askingAs('viewer'), order)
  expect(flaw).toMatchObject({
    summary: 'Anybody can stop the pump.',
    fixes: [{ component: 'pump-lib', version: '1.0.0', fixedIn: '2.0.0' }],
    listings: [
      {
        catalogue: 'kev',
        id: cve,
        dueOn: '2026-10-21',
        requiredAction: 'Apply the update.',
        ransomware: 'known',
      },
    ],
  })
})
