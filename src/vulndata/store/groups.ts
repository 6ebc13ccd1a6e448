import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import type { Severity } from '../../contract/severities.ts'
import { assignGroups, type Assignment } from './assign-groups.ts'
import { byIndexes } from './by-indexes.ts'
import { connect, type Claim } from './components.ts'
import type { GroupMerge } from './group-merges.ts'
import { displayOf, type GroupDisplay, type Member } from './group-display.ts'
import { RowIds, type HasId } from './row-ids.ts'
import { takeIds } from './take-ids.ts'
import { gravestUpstream, type StatedSeverity } from './upstream-severity.ts'

export type Regrouping = {
  /** Groups that were merged: everything that refers to `from`, now empty, belongs to `into`. */
  merged: GroupMerge[]
  /** Records that were in another group before. */
  movedRecords: number[]
  /** A record of each set of more than 32 ids, which is left ungrouped. */
  oversized: string[]
}

type Row = {
  id: number
  recordId: string
  groupId: number
  groupTitleId: string
  summary: string
  severity: Severity
  score: number | null
  upstream: StatedSeverity | null
  isWithdrawn: boolean
  ids: string[]
  cves: string[]
}

const maxRecords = 2_000
const minRecords = 10
/** The bound on what is connected with the records of a round: a few popular ids lead to hundreds of thousands. */
const reachedPerRound = 10_000

/**
 * Works out the groups around changed records again: records connected by their ids and the aliases that bridge are one vulnerability
 * (OSV schema 1.7: aliases are symmetric and transitive). Only what is connected with the changed records is touched.
 *
 * Group ids are stable, because findings refer to them: of merging groups the oldest stays, and a group that splits keeps the part
 * that holds its title. `fresh` are groups made in this transaction; they vanish without a trace when they merge.
 */
export async function regroup(
  tx: Tx,
  recordIds: RowIds,
  { fresh = new RowIds(), onProgress }: { fresh?: HasId; onProgress?: (done: number) => void } = {},
): Promise<Regrouping> {
  const merged: GroupMerge[] = []
  const moved = new Set<number>()
  const oversized = new Set<string>()
  const done = new RowIds()
  let max = minRecords
  for (const changed of undone(recordIds, { done, max: () => max })) {
    const rows = await byIndexes(tx, () => selectConnected(tx, changed))
    const round = await regroupRows(tx, rows, fresh)
    merged.push(...round.merged)
    for (const id of round.movedRecords) moved.add(id)
    for (const id of round.oversized) oversized.add(id)
    for (const row of rows) done.add(row.id)
    max = recordsOfNextRound(changed.length, rows.length)
    onProgress?.(Math.min(done.size, recordIds.size))
  }
  return { merged, movedRecords: [...moved], oversized: [...oversized] }
}

/** As many as will probably lead to no more than a round may have in memory. */
function recordsOfNextRound(asked: number, reached: number): number {
  const wanted = Math.round((asked * reachedPerRound) / Math.max(1, reached))
  return Math.min(maxRecords, Math.max(minRecords, wanted))
}

type Rounds = { done: HasId; max: () => number }

/** So many at a time of those that no earlier round has reached. */
function* undone(recordIds: RowIds, { done, max }: Rounds): Generator<number[]> {
  let round: number[] = []
  for (const id of recordIds) {
    if (done.has(id)) continue
    round.push(id)
    if (round.length < max()) continue
    yield round
    round = []
  }
  if (round.length > 0) yield round
}

async function regroupRows(tx: Tx, rows: readonly Row[], fresh: HasId): Promise<Regrouping> {
  const claims = rows.map((row): Claim => ({ vulnerabilityId: row.id, recordId: row.recordId, ids: row.ids }))
  const { components, oversized } = connect(claims)
  const titles = new Map(rows.map((row) => [row.groupId, row.groupTitleId]))
  const groupOf = new Map(rows.map((row) => [row.id, row.groupId]))
  const assignment = assignGroups(components, { titles, groupOf })
  const membersOf = new Map(rows.map((row): [number, Member] => [row.id, row]))
  const displays = components.map((component) =>
    displayOf(
      component.members.map((id) => membersOf.get(id)).filter((member) => member !== undefined),
      component.ids,
    ),
  )
  const groupIds = await groupIdsFor(tx, assignment, displays)
  const movedRecords = await moveRecords(
    tx,
    components.flatMap((component, index) =>
      component.members.map((id) => ({ id, groupId: groupIds[index] ?? 0 })),
    ),
    groupOf,
  )
  await writeDisplays(tx, groupIds, displays)
  await deleteGroups(
    tx,
    assignment.merged.map((merge) => merge.from).filter((id) => fresh.has(id)),
  )
  return {
    merged: assignment.merged.filter((merge) => !fresh.has(merge.from)),
    movedRecords: movedRecords.filter((id) => !fresh.has(groupOf.get(id) ?? 0)),
    oversized,
  }
}

/**
 * The changed records, what is connected with them through shared ids, and what shares a group with any of these. A row of `reached` is a record, a
 * group or an id: each is followed once, since thousands of notices of one CVE that led to each other would be as many times thousands.
 * Indexes alias_assertion_pkey, alias_assertion_other, vulnerability_of_group.
 */
async function selectConnected(tx: Tx, changed: readonly number[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with recursive reached (id, group_id, name) as (
      select unnest(${changed}::bigint[]), null::bigint, null::text
      union
      select n.id, n.group_id, n.name
      from reached r
      cross join lateral (
        select null::bigint, v.group_id, null::text from vulnerability v where v.id = r.id
        union all
        select null, null, a.other_id from alias_assertion a where a.vulnerability_id = r.id and a.bridges
        union all
        select s.id, null, null from vulnerability s where s.group_id = r.group_id
        union all
        select b.vulnerability_id, null, null from alias_assertion b where b.other_id = r.name and b.bridges
      ) n (id, group_id, name)
    )
    select v.id, v.record_id as "recordId", v.group_id as "groupId", g.title_id as "groupTitleId", v.summary, v.severity,
      v.score, v.withdrawn_at is not null as "isWithdrawn", ${gravestUpstream('v')} as upstream,
      array(
        select a.other_id from alias_assertion a
        where a.vulnerability_id = v.id and a.bridges
        order by a.relation = 'self' desc, a.other_id
      ) as ids,
      array(
        select a.other_id from alias_assertion a
        where a.vulnerability_id = v.id and a.other_id like 'CVE-%'
          and (a.relation = 'upstream' or (a.relation = 'alias' and not a.bridges))
        order by a.other_id
      ) as cves
    from reached
    join vulnerability v on v.id = reached.id
    join vulnerability_group g on g.id = v.group_id
    order by v.id`.execute(tx)
  return rows
}

/** The group of each component: a stored one, or a new row. */
async function groupIdsFor(
  tx: Tx,
  assignment: Assignment,
  displays: readonly GroupDisplay[],
): Promise<number[]> {
  const missing = assignment.groupIds.filter((id) => id === null).length
  const taken = await takeIds(tx, 'vulnerability_group', missing)
  const groupIds = assignment.groupIds.map((id) => id ?? taken.shift() ?? 0)
  const fresh = groupIds.flatMap((id, index) => (assignment.groupIds[index] === null ? [{ id, index }] : []))
  if (fresh.length > 0) {
    await sql`
      insert into vulnerability_group (id, title_id, summary, severity)
      overriding system value
      select * from unnest(${fresh.map(({ id }) => id)}::bigint[],
        ${fresh.map(({ index }) => displays[index]?.titleId)}::text[],
        ${fresh.map(({ index }) => displays[index]?.summary)}::text[],
        ${fresh.map(({ index }) => displays[index]?.severity)}::text[])`.execute(tx)
  }
  return groupIds
}

type Placement = { id: number; groupId: number }

async function moveRecords(
  tx: Tx,
  placements: readonly Placement[],
  groupOf: ReadonlyMap<number, number>,
): Promise<number[]> {
  const moving = placements.filter((placement) => groupOf.get(placement.id) !== placement.groupId)
  if (moving.length === 0) return []
  await sql`
    update vulnerability v set group_id = n.group_id
    from unnest(${moving.map((row) => row.id)}::bigint[], ${moving.map((row) => row.groupId)}::bigint[])
      as n (id, group_id)
    where v.id = n.id`.execute(tx)
  return moving.map((row) => row.id)
}

async function writeDisplays(
  tx: Tx,
  ids: readonly number[],
  displays: readonly GroupDisplay[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update vulnerability_group g
    set title_id = n.title_id, summary = n.summary, severity = n.severity, score = n.score,
      severity_source = n.severity_source, is_disputed_severity = n.is_disputed_severity,
      is_malware = n.is_malware, cves = n.cves
    from unnest(${ids}::bigint[], ${displays.map((display) => display.titleId)}::text[],
      ${displays.map((display) => display.summary)}::text[], ${displays.map((display) => display.severity)}::text[],
      ${displays.map((display) => display.score)}::real[],
      ${displays.map((display) => display.severitySource)}::text[],
      ${displays.map((display) => display.isDisputedSeverity)}::boolean[],
      ${displays.map((display) => display.isMalware)}::boolean[], ${displays.map(({ cves }) => cves)}::text[])
      as n (id, title_id, summary, severity, score, severity_source, is_disputed_severity, is_malware, cves)
    where g.id = n.id
      and (g.title_id, g.summary, g.severity, g.score, g.severity_source, g.is_disputed_severity, g.is_malware, g.cves)
      is distinct from (n.title_id, n.summary, n.severity, n.score, n.severity_source, n.is_disputed_severity, n.is_malware, n.cves)`.execute(
    tx,
  )
}

async function deleteGroups(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from vulnerability_group where id = any(${ids}::bigint[])`.execute(tx)
}
