import { sql, type RawBuilder } from 'kysely'
import type { Page } from '../../contract/page.ts'
import type { Regime } from '../../contract/alerts/events.ts'
import type { IncidentRow } from '../../contract/incidents/shapes.ts'
import type { IncidentStatus } from '../../contract/incidents/words.ts'
import type { IncidentCounts } from '../../contract/incidents/waiting.ts'
import { vulnerabilityId } from '../../contract/public/public-id.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor, type Nulls } from '../../platform/cursor.ts'
import { containing, soughtText } from '../../platform/postgres/like-pattern.ts'
import { readAll } from '../../platform/postgres/snapshot.ts'
import { refuseTooMany } from '../../formats/table-file/max-rows.ts'
import { spellId } from '../../findings/reads/find-vulnerability.ts'
import { countIncidents } from './count-incidents.ts'
import { incidentColumns, toIncidentRow, type StoredIncident } from './incident-row.ts'
import { mayDecide, type Asking } from './who-asks.ts'

export type IncidentQuery = {
  status: IncidentStatus | 'all'
  due?: 'overdue' | 'due_soon' | undefined
  /** On which it is active. */
  regime?: Regime | undefined
  family?: string | undefined
  /** Any of its ids, or of a vulnerability that turned out to be the same, without regard to case. */
  vulnerability?: string | undefined
  assignee?: 'me' | 'none' | undefined
  /** For the member who asks. */
  waiting?: 'me' | undefined
  /** Part of the reference, the title, an id of the vulnerability or the name of a family. */
  search?: string | undefined
  cursor?: string | undefined
}

type Sorted = { band: number; place: number }
type Total = { total: number }

const shape = { list: 'incidents', kinds: ['int', 'float', 'text'] } as const

/**
 * The incidents of a workspace, 100 a page: open ones by their next deadline, those without one after them, then closed ones, the last closed first.
 * Counts are of the whole workspace, drills left out. Indexes incident_list, regime_report_open, incident_family primary key. Codes:
 * `invalid_request` (cursor).
 */
export async function listIncidents(
  db: Db,
  asking: Asking,
  { now, ...query }: IncidentQuery & { now: Date },
): Promise<Page<IncidentRow> & { counts: IncidentCounts }> {
  const { workspaceId } = asking
  const { rows } = await sql<Total & ((Sorted & StoredIncident) | Nulls<Sorted & StoredIncident>)>`
    with ${foundIncidents(asking, { now, ...query })},
    page as (
      select * from found where ${follows(query.cursor)} order by band, place, reference limit ${askedRows}
    )
    select t.total, p.band, p.place, l.*
    from (select count(*) as total from found) t
    left join page p on true
    left join lateral (
      select ${incidentColumns('i', now)} from incident i where i.workspace_id = ${workspaceId} and i.id = p.id
    ) l on true
    order by p.band, p.place, p.reference`.execute(db)
  const stored = rows.filter((row): row is Total & Sorted & StoredIncident => row.id !== null)
  const { shown, nextCursor } = cutPage(stored, {
    shape,
    position: ({ band, place, reference }) => [band, place, reference],
  })
  return {
    rows: shown.map((row) => toIncidentRow(row, now)),
    nextCursor,
    total: rows[0]?.total ?? 0,
    counts: await countIncidents(db, asking, now),
  }
}

/** All that `listIncidents` shows, in its order, for a file. Codes: `invalid_request` when there are more than a file may have. */
export async function* allIncidents(
  tx: Tx,
  asking: Asking,
  { now, ...query }: Omit<IncidentQuery, 'cursor'> & { now: Date },
): AsyncGenerator<IncidentRow[]> {
  const statement = sql<Total & Sorted & StoredIncident>`
    with ${foundIncidents(asking, { now, ...query })}
    select (select count(*) from found) as total, ${incidentColumns('i', now)}
    from found p
    join incident i on i.workspace_id = ${asking.workspaceId} and i.id = p.id
    order by p.band, p.place, p.reference`
  for await (const stored of readAll(tx, statement)) {
    refuseTooMany(stored[0]?.total ?? 0)
    yield stored.map((row) => toIncidentRow(row, now))
  }
}

/** The first few incidents, open or closed, that a search finds, by reference and title. */
export async function findIncidents(
  db: Db,
  asking: Asking,
  { search, max, now }: { search: string; max: number; now: Date },
): Promise<{ id: string; reference: string; title: string }[]> {
  const { rows } = await sql<{ id: string; reference: string; title: string }>`
    with ${foundIncidents(asking, { now, status: 'all', search })}
    select i.id, i.reference, i.title
    from found p
    join incident i on i.workspace_id = ${asking.workspaceId} and i.id = p.id
    order by p.band, p.place, p.reference
    limit ${max}`.execute(db)
  return rows
}

/** What a query finds, as `found (id, reference, band, place)`; reference, band and place put it in order. */
function foundIncidents(asking: Asking, { now, ...query }: Conditions & { now: Date }): RawBuilder<unknown> {
  const { workspaceId } = asking
  return sql`
    ${dueIncidents(workspaceId, now)},
    found as materialized (
      select i.id, i.reference collate "C" as reference, (i.status = 'closed')::int as band,
        coalesce(-extract(epoch from i.closed_at), extract(epoch from n.due_at), 1e18)::float8 as place
      from incident i
      left join due n on n.incident_id = i.id
      where i.workspace_id = ${workspaceId} and ${sql.join(conditions(query, asking), sql` and `)}
    )`
}

/** `due (incident_id, due_at, has_overdue, has_due_soon)` of the incidents with open reports. */
function dueIncidents(workspaceId: string, now: Date): RawBuilder<unknown> {
  return sql`
    due as materialized (
      select incident_id, min(due_at) as due_at, bool_or(due_at < ${now}) as has_overdue,
        bool_or(due_at >= ${now} and due_at - make_interval(hours => lead_hours) <= ${now}) as has_due_soon
      from regime_report
      where workspace_id = ${workspaceId} and state = 'open'
      group by incident_id
    )`
}

type Conditions = Omit<IncidentQuery, 'cursor'>

function conditions(query: Conditions, asking: Asking): RawBuilder<unknown>[] {
  const words = soughtText(query.search)
  return [
    query.status === 'all' ? sql`true` : sql`i.status = ${query.status}`,
    where(query.due, (due) => (due === 'overdue' ? sql`n.has_overdue` : sql`n.has_due_soon`)),
    where(query.regime, isUnder),
    where(query.family, isOfFamily),
    where(query.vulnerability, isOf),
    where(query.assignee, (assignee) =>
      assignee === 'none' ? sql`i.assignee is null` : sql`i.assignee = ${asking.personId}`,
    ),
    where(query.waiting, () => waitsFor(asking)),
    where(words === '' ? undefined : words, contains),
  ]
}

/** The condition for what is asked for; true where nothing is. */
function where<T>(asked: T | undefined, condition: (asked: T) => RawBuilder<unknown>): RawBuilder<unknown> {
  return asked === undefined ? sql`true` : condition(asked)
}

function isUnder(regime: Regime): RawBuilder<unknown> {
  return sql`exists (
    select from incident_regime g where g.incident_id = i.id and g.regime = ${regime} and g.is_active
  )`
}

function isOfFamily(family: string): RawBuilder<unknown> {
  return sql`exists (select from incident_family y where y.incident_id = i.id and y.family_id = ${family})`
}

function isOf(vulnerability: string): RawBuilder<unknown> {
  const id = vulnerabilityId(spellId(vulnerability))
  const isNamed = (incident: string) => {
    const one = sql.ref(incident)
    return sql`(${one}.vuln_key = ${id} or ${id} = any(${one}.aliases))`
  }
  return sql`(${isNamed('i')} or exists (
    select from incident_link l
    join incident o on o.id = case when l.one = i.id then l.other else l.one end
    where (l.one = i.id or l.other = i.id) and ${isNamed('o')}
  ))`
}

function waitsFor(asking: Asking): RawBuilder<unknown> {
  const { workspaceId } = asking
  return sql`(exists (
    select from determination d
    where d.workspace_id = ${workspaceId} and d.incident_id = i.id and d.state = 'pending' and ${mayDecide(asking, 'd')}
  ) or exists (
    select from awareness_change w
    where w.workspace_id = ${workspaceId} and w.incident_id = i.id and w.state = 'pending' and ${mayDecide(asking, 'w')}
  ))`
}

function contains(words: string): RawBuilder<unknown> {
  const pattern = containing(vulnerabilityId(words))
  return sql`(
    i.reference ilike ${pattern} or i.title ilike ${pattern} or i.vuln_key ilike ${pattern}
    or exists (select from unnest(i.aliases) a (id) where a.id ilike ${pattern})
    or exists (
      select from incident_family f join family y on y.id = f.family_id
      where f.incident_id = i.id and y.name ilike ${pattern}
    )
  )`
}

function follows(cursor: string | undefined): RawBuilder<unknown> {
  if (cursor === undefined) return sql`true`
  const [band, place, reference] = decodeCursor(shape, cursor)
  return sql`(band, place, reference) > (${band}::int, ${place}::float8, ${reference}::text collate "C")`
}
