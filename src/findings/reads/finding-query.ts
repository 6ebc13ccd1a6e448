import { sql, type RawBuilder } from 'kysely'
import type { FindingSort } from '../../contract/findings/lists.ts'
import type { Catalogue, Grade, RecordClass } from '../../contract/findings/shapes.ts'
import { severities, type ComponentScope, type Severity } from '../../contract/sbom/shapes.ts'
import type { VerdictFilter } from '../../contract/findings/verdict.ts'
import { decodeCursor } from '../../platform/cursor.ts'
import { containing, soughtText } from '../../platform/postgres/like-pattern.ts'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import { namesOfRow, saysText } from './component-spellings.ts'
import { epssOfGroup } from '../../vulndata/reads/epss-of-group.ts'
import { speaksOf } from './find-vulnerability.ts'
import { findingSeverity, ownSeverity } from '../own-severity.ts'
import { shownTitle } from '../shown-title.ts'
import { isSettled } from '../verdicts/settled.ts'
import { isVersion, type VersionSlot } from '../version-slot.ts'

export type FindingFilters = {
  /** Part of a component's group, name, version or purl, a title, a record id or a summary, without regard to case; or a whole id that a record names. */
  search?: string | undefined
  severity?: Severity | undefined
  exploited?: Catalogue | 'any' | undefined
  grade?: Grade | undefined
  recordClass?: RecordClass | undefined
  scope?: ComponentScope | undefined
}

/**
 * Common table expressions ending in `open_finding`: the open findings of the SBOM's version (index finding_subject) on the
 * components that the SBOM has, each with the first of its components.
 */
export function findingsOfSbom(sbomId: string, slot: VersionSlot): RawBuilder<unknown> {
  const { workspaceId } = slot
  return sql`
    ${findingsOfVersion(slot)},
    part as materialized (
      select c.identity_id, min(c.number) as number, count(*) as occurrences, min(${scopeRank}) as scope_rank
      from sbom s
      cross join ${componentsOfSbom('s')}
      where s.workspace_id = ${workspaceId} and s.id = ${sbomId}
      group by c.identity_id
    ),
    -- For a family the store has not counted it expects one row: a full join is made by hash or merge nevertheless, and a family
    -- it does not see as a constant is looked up with the number.
    placed as materialized (
      select f.*, p.number as part_number, p.occurrences, p.scope_rank from of_version f full join part p using (identity_id)
    ),
    open_finding as (
      select f.*, c.group_name, c.name, c.version, c.purl, c.other_names, ${scopesByRank}[f.scope_rank] as scope
      from placed f
      cross join lateral (
        select group_name, name, version, purl, other_names from component where family_id = f.family_id and number = f.part_number limit 1
      ) c
      where f.id is not null
    )`
}

/** The widest first; no scope means required. A finding has the widest scope of its components `c`. */
const scopesByRank = sql`(array['required', null, 'optional', 'excluded']::text[])`
const scopeRank = sql`array_position(${scopesByRank}, c.scope)`

/** The common table expression `of_version`: the open findings of a version, whatever its SBOMs have. */
export function findingsOfVersion({ workspaceId, familyId, versionId }: VersionSlot): RawBuilder<unknown> {
  return sql`
    of_version as materialized (
      select f.id, f.family_id, f.identity_id, f.group_id, f.grade, f.exploited_by, f.first_seen_at, f.verdict,
        f.verdict_decision_id, g.is_malware, ${shownTitle('g.title_id')} as title, g.summary, ${findingSeverity.severity} as severity, ${findingSeverity.score} as score
      from finding f
      join vulnerability_group g on g.id = f.group_id
      left join ${ownSeverity(sql.ref('f.identity_id'))}
      where f.workspace_id = ${workspaceId} and f.family_id = ${familyId} and ${isVersion('f.version_id', versionId)}
        and f.closed_at is null
    )`
}

/** The class of a finding of `of_version`: malware if its vulnerability is, informational if all contributing records are. */
export function classOfFinding(finding: string): RawBuilder<RecordClass> {
  const f = sql.ref(finding)
  return sql<RecordClass>`(
  select case
    when ${f}.is_malware then 'malware'
    when bool_and(v.class = 'informational') then 'informational'
    else 'vulnerability'
  end
  from identity_match m
  join vulnerability v on v.id = m.vulnerability_id and v.withdrawn_at is null
  where m.identity_id = ${f}.identity_id and v.group_id = ${f}.group_id
)`
}

/** On a finding `f` of `open_finding`. */
export function matchesFilters(filters: FindingFilters): RawBuilder<boolean> {
  const conditions = [sql<boolean>`true`]
  if (filters.severity !== undefined) conditions.push(sql`f.severity = ${filters.severity}`)
  if (filters.grade !== undefined) conditions.push(sql`f.grade = ${filters.grade}`)
  if (filters.exploited === 'any') conditions.push(sql`f.exploited_by <> '{}'`)
  else if (filters.exploited !== undefined) conditions.push(sql`${filters.exploited} = any(f.exploited_by)`)
  if (filters.recordClass === 'malware') conditions.push(sql`f.is_malware`)
  else if (filters.recordClass !== undefined)
    conditions.push(sql`${classOfFinding('f')} = ${filters.recordClass}`)
  if (filters.scope !== undefined) conditions.push(sql`coalesce(f.scope, 'required') = ${filters.scope}`)
  const search = soughtText(filters.search)
  if (search !== '') conditions.push(contains(search))
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** On a finding `f` of `open_finding`. */
export function hasVerdict(filter: VerdictFilter): RawBuilder<boolean> {
  if (filter === 'all') return sql<boolean>`true`
  if (filter === 'open') return sql<boolean>`not ${isSettled('f')}`
  return filter === 'undecided'
    ? sql<boolean>`f.verdict is null`
    : sql<boolean>`coalesce(f.verdict = ${filter}, false)`
}

function contains(text: string): RawBuilder<boolean> {
  const pattern = containing(text)
  return sql<boolean>`(
    ${saysText(namesOfRow('f'), text)} or f.title ilike ${pattern} or f.summary ilike ${pattern}
    or ${speaksOf(sql.ref('f.group_id'), text)}
    or exists (select from vulnerability v where v.group_id = f.group_id and v.record_id ilike ${pattern})
  )`
}

type Urgency = {
  isMalware: RawBuilder<unknown>
  exploitedBy: RawBuilder<unknown>
  severity: RawBuilder<unknown>
}

/** Malware before everything else, then what is known to be exploited, then by severity; `band` of the default order. */
export function urgencyBand({ isMalware, exploitedBy, severity }: Urgency): RawBuilder<number> {
  return sql`case when ${isMalware} then 0 else ${2 * severities.length} end
    + case when ${exploitedBy} = '{}' then ${severities.length} else 0 end
    + array_position(${[...severities]}::text[], ${severity})`
}

/** Malware is a class above every severity. */
export function severityBand({ isMalware, severity }: Omit<Urgency, 'exploitedBy'>): RawBuilder<number> {
  return sql`case when ${isMalware} then 0 else array_position(${[...severities]}::text[], ${severity}) end`
}

const ofFinding = {
  isMalware: sql`f.is_malware`,
  exploitedBy: sql`f.exploited_by`,
  severity: sql`f.severity`,
}
const severityRank = sql<number>`array_position(${[...severities]}::text[], f.severity)`

/** A score is a multiple of 0.00001, so a rank below 100 beside it never outweighs it. */
const byEpss = sql`-coalesce(f.epss, -1) * 10000000`

/**
 * What a list is sorted by, ascending: a band, then within the band; title, component and id come last. EPSS scores are looked up only
 * for the bands that have rows on the page (`rankedFindings`).
 */
const sortKeys = {
  urgency: { band: urgencyBand(ofFinding), within: byEpss },
  severity: { band: severityBand(ofFinding), within: sql`-coalesce(f.score, 0)` },
  component: { band: sql`0`, within: sql`0` },
  title: { band: sql`0`, within: sql`0` },
  newest: { band: sql`-extract(epoch from f.first_seen_at)`, within: sql`0` },
  epss: { band: sql`0`, within: sql`${byEpss} + ${severityRank}` },
} as const satisfies Record<FindingSort, { band: RawBuilder<unknown>; within: RawBuilder<unknown> }>

/** The first sort value of a finding `f`, as column `band`. */
export function bandColumn(sort: FindingSort): RawBuilder<unknown> {
  return sql`(${sortKeys[sort].band})::float8 as band`
}

/** `rows`: of a page; null: all of them are wanted. */
type Ranking = { sort: FindingSort; cursor: string | undefined; rows: number | null }

/**
 * From `found (…, is_shown, band)`: the findings that may be on the page after the cursor, with what they are sorted by, as the common
 * table expressions ending in `ranked`. An EPSS score takes some look-ups, so it is worked out once for each vulnerability, and only for the bands that the next
 * rows are in; for a whole list for all of them. The full join forces a hash join, whatever the server expects of the size of a family.
 */
export function rankedFindings({ sort, cursor, rows }: Ranking): RawBuilder<unknown> {
  const from = cursor === undefined ? '-infinity' : decodeCursor(findingCursor(sort), cursor)[0]
  const lastBand =
    rows === null
      ? sql`'infinity'`
      : sql`coalesce((
        select band from found where is_shown and band > ${from}::float8 order by band offset ${rows} limit 1
      ), 'infinity')`
  return sql`
    near as materialized (
      select f.* from found f where f.is_shown and f.band >= ${from}::float8 and f.band <= ${lastBand}
    ),
    scored as materialized (
      select d.group_id, e.score as epss, e.percentile as epss_percentile
      from (select distinct group_id from near where ${rows === null || sort === 'urgency' || sort === 'epss'}) d
      left join lateral ${epssOfGroup(sql.ref('d.group_id'))} e on true
    ),
    weighed as materialized (select f.*, s.epss, s.epss_percentile from near f full join scored s using (group_id)),
    ranked as (
      select f.*, ${sortColumns(sort)} from weighed f
    )`
}

/** The sort values of a finding `f`, as columns `sort_1` to `sort_4`. */
function sortColumns(sort: FindingSort): RawBuilder<unknown> {
  const component = sql`lower(f.name)`
  const title = sql`f.title`
  const [third, fourth] = sort === 'component' ? [component, title] : [title, component]
  return sql`f.band as sort_1, (${sortKeys[sort].within})::float8 as sort_2, ${third} collate "C" as sort_3,
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
