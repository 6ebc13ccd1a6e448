import { sql, type RawBuilder } from 'kysely'
import type { Catalogue, Grade, RecordClass } from '../contract/finding.ts'
import { severities, type Severity } from '../contract/sbom.ts'
import type { VerdictFilter } from '../contract/verdict.ts'
import { decodeCursor } from '../platform/cursor.ts'
import { containing } from '../platform/postgres/like-pattern.ts'
import { componentsOfSbom } from '../sbom/components-of-sbom.ts'
import { epssOfGroup } from './epss-of-group.ts'
import { speaksOf } from './find-vulnerability.ts'
import { isVersion, type VersionSlot } from './version-slot.ts'

export type FindingFilters = {
  /** Part of a component's name or purl, a title, a record id or a summary, without regard to case; or a whole id that a record names. */
  search?: string | undefined
  severity?: Severity | undefined
  exploited?: Catalogue | 'any' | undefined
  grade?: Grade | undefined
  recordClass?: RecordClass | undefined
}

const longestSearch = 200

/**
 * Common table expressions ending in `open_finding`: the open findings of the SBOM's version (index finding_subject) on the
 * components that the SBOM has, each with the first of its components.
 */
export function findingsOfSbom(
  sbomId: string,
  { workspaceId, familyId, versionId }: VersionSlot,
): RawBuilder<unknown> {
  return sql`
    of_version as materialized (
      select f.id, f.family_id, f.identity_id, f.group_id, f.grade, f.exploited_by, f.first_seen_at, f.verdict,
        f.verdict_decision_id, g.title_id as title, g.summary, g.severity, g.score
      from finding f
      join vulnerability_group g on g.id = f.group_id
      where f.workspace_id = ${workspaceId} and f.family_id = ${familyId} and ${isVersion('f.version_id', versionId)}
        and f.closed_at is null
    ),
    part as materialized (
      select c.identity_id, min(c.number) as number
      from sbom s
      cross join ${componentsOfSbom}
      where s.workspace_id = ${workspaceId} and s.id = ${sbomId}
      group by c.identity_id
    ),
    -- For a family the store has not counted it expects one row: a full join is made by hash or merge nevertheless, and a family
    -- it does not see as a constant is looked up with the number.
    placed as materialized (
      select f.*, p.number as part_number from of_version f full join part p using (identity_id)
    ),
    open_finding as (
      select f.*, c.name, c.version, c.purl
      from placed f
      cross join lateral (
        select name, version, purl from component where family_id = f.family_id and number = f.part_number limit 1
      ) c
      where f.id is not null
    )`
}

/** The class of a finding `f`: malware if any contributing record says so, informational if all of them are. */
export const classOfFinding = sql<RecordClass>`(
  select case
    when bool_or(v.class = 'malware') then 'malware'
    when bool_and(v.class = 'informational') then 'informational'
    else 'vulnerability'
  end
  from identity_match m
  join vulnerability v on v.id = m.vulnerability_id and v.withdrawn_at is null
  where m.identity_id = f.identity_id and v.group_id = f.group_id
)`

/** On a finding `f` of `open_finding`. */
export function matchesFilters(filters: FindingFilters): RawBuilder<boolean> {
  const conditions = [sql<boolean>`true`]
  if (filters.severity !== undefined) conditions.push(sql`f.severity = ${filters.severity}`)
  if (filters.grade !== undefined) conditions.push(sql`f.grade = ${filters.grade}`)
  if (filters.exploited === 'any') conditions.push(sql`f.exploited_by <> '{}'`)
  else if (filters.exploited !== undefined) conditions.push(sql`${filters.exploited} = any(f.exploited_by)`)
  if (filters.recordClass !== undefined) conditions.push(sql`${classOfFinding} = ${filters.recordClass}`)
  const search = filters.search?.trim().slice(0, longestSearch) ?? ''
  if (search !== '') conditions.push(contains(search))
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Declared not affected or fixed by the effective verdict of a finding `f`: counted apart and hidden by default. */
export const isSettled = sql<boolean>`coalesce(f.verdict in ('not_affected', 'fixed'), false)`

/** On a finding `f` of `open_finding`. */
export function hasVerdict(filter: VerdictFilter): RawBuilder<boolean> {
  if (filter === 'all') return sql<boolean>`true`
  if (filter === 'open') return sql<boolean>`not ${isSettled}`
  return filter === 'undecided'
    ? sql<boolean>`f.verdict is null`
    : sql<boolean>`coalesce(f.verdict = ${filter}, false)`
}

function contains(text: string): RawBuilder<boolean> {
  const pattern = containing(text)
  return sql<boolean>`(
    f.name ilike ${pattern} or f.purl ilike ${pattern} or f.title ilike ${pattern} or f.summary ilike ${pattern}
    or ${speaksOf(sql.ref('f.group_id'), text)}
    or exists (select from vulnerability v where v.group_id = f.group_id and v.record_id ilike ${pattern})
  )`
}

const severityRank = sql<number>`array_position(${[...severities]}::text[], f.severity)`

/** What a list is sorted by, ascending; the id of the finding comes last. */
const sortKeys = {
  severity: [severityRank, sql`-coalesce(f.score, 0)`],
  component: [sql`0`, sql`0`],
  title: [sql`0`, sql`0`],
  newest: [sql`-extract(epoch from f.first_seen_at)`, sql`0`],
  epss: [sql`-coalesce((select score from ${epssOfGroup(sql.ref('f.group_id'))} as e), -1)`, severityRank],
} as const satisfies Record<string, [RawBuilder<unknown>, RawBuilder<unknown>]>
export type FindingSort = keyof typeof sortKeys

/** The sort values of a finding `f`, as columns `sort_1` to `sort_4`. */
export function sortColumns(sort: FindingSort): RawBuilder<unknown> {
  const [first, second] = sortKeys[sort]
  const component = sql`lower(f.name)`
  const title = sql`f.title`
  const [third, fourth] = sort === 'component' ? [component, title] : [title, component]
  return sql`${first}::float8 as sort_1, ${second}::float8 as sort_2, ${third} collate "C" as sort_3,
    ${fourth} collate "C" as sort_4`
}

export type SortValues = { sort_1: number; sort_2: number; sort_3: string; sort_4: string; id: string }

export function findingCursor(sort: FindingSort) {
  return { list: `findings ${sort}`, kinds: ['float', 'float', 'text', 'text', 'uuid'] } as const
}

/** Rows after the cursor's. Codes: `invalid_request` when the cursor is not of this list. */
export function followsCursor(sort: FindingSort, cursor: string | undefined): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const [first, second, third, fourth, id] = decodeCursor(findingCursor(sort), cursor)
  return sql<boolean>`(sort_1, sort_2, sort_3, sort_4, id::text) > (
    ${first}::float8, ${second}::float8, ${third}::text collate "C", ${fourth}::text collate "C", ${id}::text)`
}
