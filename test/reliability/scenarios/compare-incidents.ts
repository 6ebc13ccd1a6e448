import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../src/database/connection.ts'
import type { Company } from '../../support/company.ts'
import type { Receiver } from '../../support/receivers.ts'
import { cveOf } from './incident-arrivals.ts'
import { isDueSoon, type IncidentMembers } from './incident-members.ts'
import { onceEach, type Outcome } from './outcome.ts'
import { fieldOf } from '../../support/read-as.ts'

const patienceMs = 240_000

/** Lets the members finish, and waits until no job or delivery is pending and every close deadline has been warned about. */
export async function untilAllIsDone(
  db: Db,
  { members, expected }: { members: IncidentMembers; expected: number },
): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    await members.workThrough()
    const { rows } = await sql<{ left: number; determined: number }>`
      select
        (select count(*)::int from job where state <> 'failed')
          + (select count(*)::int from alert_delivery where state in ('pending', 'sending'))
          + (select count(*)::int from incident i where ${wantsWarning}
              and not exists (select from regime_report r where r.incident_id = i.id and r.warned_at is not null)) as left,
        (select count(*)::int from determination) as determined`.execute(db)
    const { left = 1, determined = 0 } = rows[0] ?? {}
    // the comparison reports what is missing for good
    if ((left === 0 && determined >= expected) || performance.now() > until) return
    await sleep(100)
  }
}

/** For `incident i`; like `isDueSoon`. */
const wantsWarning = sql<boolean>`right(i.vuln_key, 1)::int % 2 = 0`

type Expected = {
  families: readonly Company[]
  members: readonly { id: string }[]
  receivers: readonly Receiver[]
  /** Vulnerabilities that arrived. */
  count: number
}

type Incident = { id: string; family: string; vulnKey: string }

/** Compares the database and what receivers saw with what must exist exactly once. */
export async function compareIncidents(db: Db, expected: Expected): Promise<Outcome> {
  const incidents = await selectIncidents(db)
  const failures = onceEach(
    'incident',
    expected.families.flatMap(({ familyId }) =>
      numbers(expected.count).map((n) => `${familyId} ${cveOf(n)}`),
    ),
    incidents.map(({ family, vulnKey }) => `${family} ${vulnKey}`),
  )
  failures.push(...(await compareRecords(db, incidents)), ...(await compareBells(db, expected, incidents)))
  const deliveries = await compareDeliveries(db, expected, incidents)
  failures.push(...deliveries.failures, ...(await unsettled(db)))
  const warnings = incidents.filter(({ vulnKey }) => isDueSoon(vulnKey)).length
  return { figures: { incidents: incidents.length, warnings, ...deliveries.figures }, failures }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

async function selectIncidents(db: Db): Promise<Incident[]> {
  return db
    .selectFrom('incident as i')
    .innerJoin('incident_family as f', 'f.incident_id', 'i.id')
    .select(['i.id', 'f.family_id as family'])
    .select(sql<string>`i.vuln_key`.as('vulnKey'))
    .execute()
}

/** Timeline entries, audit events and determinations of each incident. */
async function compareRecords(db: Db, incidents: readonly Incident[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select 'line ' || kind || ' ' || incident_id as name from incident_entry
      where kind in ('opened', 'determination_recorded', 'determination_decided', 'awareness_changed', 'warned')
    union all
    select 'audit ' || action || ' ' || object_id from audit_event where object_kind = 'incident'
      and action in ('incident.opened', 'incident.determination_recorded', 'incident.determination_approved')
    union all
    select 'determination ' || state || ' ' || incident_id from determination
    union all
    select 'awareness ' || state || ' ' || incident_id from awareness_change
    union all
    select 'warned report ' || report || ' ' || incident_id from regime_report where warned_at is not null`.execute(
    db,
  )
  const always = [
    ...['line opened', 'line determination_recorded', 'line determination_decided', 'determination approved'],
    ...[
      'audit incident.opened',
      'audit incident.determination_recorded',
      'audit incident.determination_approved',
    ],
  ]
  const whenSoon = [
    'line awareness_changed',
    'awareness in_force',
    'line warned',
    'warned report early_warning',
  ]
  const wanted = incidents.flatMap(({ id, vulnKey }) =>
    [...always, ...(isDueSoon(vulnKey) ? whenSoon : [])].map((what) => `${what} ${id}`),
  )
  return onceEach(
    'record',
    wanted,
    rows.map(({ name }) => name),
  )
}

/** The events of an incident. */
function eventsOf({ id, vulnKey }: Incident): string[] {
  const always = [`incident.opened ${id}`, `approval.requested ${id}`]
  return isDueSoon(vulnKey) ? [...always, `deadline.warning ${id}`] : always
}

/** Notices of members: the author of a determination is not asked to approve it. */
async function compareBells(
  db: Db,
  { members: [recorder, approver] }: Expected,
  incidents: readonly Incident[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select kind || ' ' || (fact #>> '{data,incident,id}') || ' ' || person_id as name
    from bell_entry where kind in ('incident.opened', 'approval.requested', 'deadline.warning')`.execute(db)
  const wanted = incidents.flatMap((incident) =>
    eventsOf(incident).flatMap((event) => [
      ...(event.startsWith('approval.requested') ? [] : [`${event} ${recorder?.id ?? ''}`]),
      `${event} ${approver?.id ?? ''}`,
    ]),
  )
  return onceEach(
    'bell entry',
    wanted,
    rows.map(({ name }) => name),
  )
}

/** A retried post has the same id; at most one retry arrives. */
async function compareDeliveries(
  db: Db,
  { receivers }: Expected,
  incidents: readonly Incident[],
): Promise<Outcome> {
  const { rows } = await sql<{ name: string; state: string; why: string }>`
    select state, host || ' ' || type || ' ' || (fact #>> '{data,incident,id}') as name,
      concat_ws(', ', 'attempts ' || attempts, 'status ' || status, reason, duration_ms || ' ms', sent_at) as why
    from alert_delivery`.execute(db)
  const events = incidents.flatMap(eventsOf)
  const wanted = receivers.flatMap(({ host }) => events.map((event) => `${host} ${event}`))
  const failures = onceEach(
    'delivery',
    wanted,
    rows.map(({ name }) => name),
  )
  const unsent = rows.filter(({ state }) => state !== 'sent')
  failures.push(...unsent.map(({ state, name, why }) => `delivery ${name} is ${state}: ${why}`))
  let repeats = 0
  for (const { host, requests } of receivers) {
    const byId = Map.groupBy(requests, ({ headers }) => String(headers['service-event-id']))
    const first = [...byId.values()].flatMap(([request]) =>
      request === undefined ? [] : [eventIn(request.body)],
    )
    failures.push(...onceEach(`event at ${host}`, events, first))
    for (const [id, { length }] of byId) if (length > 2) failures.push(`${host}: ${id} came ${length} times`)
    repeats += requests.length - byId.size
  }
  return { figures: { deliveries: rows.length, repeats }, failures }
}

function eventIn(body: string): string {
  const event: unknown = JSON.parse(body)
  return `${String(fieldOf(event, 'type'))} ${String(fieldOf(event, 'data', 'incident', 'id'))}`
}

async function unsettled(db: Db): Promise<string[]> {
  const jobs = await db.selectFrom('job').select(['kind', 'state', 'last_error']).execute()
  return jobs.map(({ kind, state, last_error }) => `job ${kind} is ${state}: ${last_error ?? ''}`)
}
