import { sql, type RawBuilder } from 'kysely'
import type {
  Catalogue,
  ExploitedEntry,
  FindingComponent,
  Grade,
  GradeReason,
  RangeKind,
} from '../../contract/findings/shapes.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import type { VersionScheme } from '../../versions/ordering.ts'
import type { IdentityBasis, KeyOrigin } from '../../contract/identity.ts'
import { areCpesGuessed, gradeInSbom } from '../../findings/refresh/cpe-guesses.ts'
import { epssOfGroup } from '../../vulndata/reads/epss-of-group.ts'
import { recordsOfHashes } from '../../vulndata/malware-digests.ts'
import { selectEntries } from '../../vulndata/reads/exploited-entries.ts'
import { basisOfMatch, keysOfOne } from '../../matching/identity-keys.ts'
import { streamsMeet, streamsOfPair } from '../../matching/streams.ts'
import { selectPaths } from '../../sbom/components/component-paths.ts'
import { namesDirectly } from '../../findings/refresh/wanted-findings.ts'
import { isVersion } from '../../findings/version-slot.ts'
import { recordColumns, type StoredRecordFacts } from './record-facts.ts'
import { shownTitle } from '../../findings/shown-title.ts'
import { findingSeverity, ownSeverity } from '../../findings/own-severity.ts'

/** Of each record, as many ranges on the package as a page can show; the ones that contain the version come first. */
export const shownRanges = 50
const shownComponents = 100

export type StoredFinding = {
  id: string
  family_id: string
  version_id: string | null
  identity_id: string
  group_id: number
  grade: Grade
  exploited_by: Catalogue[]
  first_seen_at: Date
  closed_at: Date | null
  title: string
  summary: string
  severity: Severity
  score: number | null
  severity_source: string | null
  is_malware: boolean
  epss_score: number | null
  percentile: number | null
  ecosystem: string | null
  package_key: string | null
  release: string | null
  stream: string
  version: string
  scheme: VersionScheme | null
  basis: IdentityBasis
  decidability: string
  /** The CPEs of the SBOM that has, or had last, the component are a tool's guesses. */
  cpes_guessed: boolean
}

/** A finding of a workspace with its identity and group. Codes: `not_found`. */
export async function selectFinding(db: Db, workspaceId: string, findingId: string): Promise<StoredFinding> {
  const { rows } = await sql<StoredFinding>`
    select f.id, f.family_id, f.version_id, f.identity_id, f.group_id, f.grade, f.exploited_by, f.first_seen_at, f.closed_at,
      ${shownTitle('g.title_id')} as title, g.summary, ${findingSeverity.severity} as severity, ${findingSeverity.score} as score,
      ${findingSeverity.source} as severity_source, g.is_malware,
      e.score as epss_score, e.percentile,
      i.ecosystem, i.package_key, i.release, i.stream, i.version, i.scheme, i.basis, i.decidability,
      coalesce(${areCpesGuessedIn}, false) as cpes_guessed
    from finding f
    join vulnerability_group g on g.id = f.group_id
    left join ${ownSeverity(sql.ref('f.identity_id'))}
    join component_identity i on i.id = f.identity_id
    left join lateral ${epssOfGroup(sql.ref('f.group_id'))} e on true
    where f.workspace_id = ${workspaceId} and f.id = ${findingId}`.execute(db)
  const [finding] = rows
  if (finding === undefined) throw new ServiceError('not_found')
  return finding
}

/** For a finding `f`: by the newest SBOM of its version with its component, the active one first. */
const areCpesGuessedIn = sql<boolean | null>`(
  select ${areCpesGuessed(sql.ref('s.tools'))}
  from sbom s
  where s.workspace_id = f.workspace_id and s.family_id = f.family_id
    and s.version_id is not distinct from f.version_id
    and exists (
      select from component c
      where c.family_id = f.family_id and c.identity_id = f.identity_id and c.number = any(s.component_numbers)
    )
  order by s.active desc, s.received_at desc, s.id desc
  limit 1
)`

export type StoredRecord = StoredRecordFacts & {
  id: number
  /** null: the record is of the group, but does not affect this identity. */
  grade: Grade | null
  grade_reason: GradeReason | null
  range_id: number | null
  /** null: as `grade`. */
  key: MatchedKey | null
  /** Whether the record has ranges on a package, release and stream of the identity. */
  covers_package: boolean
  /** `sha512:…`: the longest of the digests that it states of its package and a component of the finding has. */
  digest: string | null
}

/** The key of the identity by which a record affects it. */
export type MatchedKey = {
  /** null: its own. */
  origin: KeyOrigin | null
  package_key: string
  release: string | null
  version: string
  stream: string
  basis: IdentityBasis
  decidability: string
}

/** All records of the finding's group that are not withdrawn. */
export async function selectRecords(db: Db, finding: StoredFinding): Promise<StoredRecord[]> {
  const { rows } = await sql<StoredRecord>`
    select v.id, ${recordColumns('v')}, m.grade, m.grade_reason, m.range_id, to_jsonb(k) as key,
      exists (
        select
        from (${keysOfOne(sql`${finding.identity_id}::uuid`)}) s
        join affected_range r on r.vulnerability_id = v.id
          and r.package_key = s.package_key and r.release = s.release and ${streamsMeet(streamsOfPair)}
      ) as covers_package,
      ${metDigest(finding)} as digest
    from vulnerability v
    left join identity_match m on m.vulnerability_id = v.id and m.identity_id = ${finding.identity_id}
    left join ${matchedKey(finding)} k on true
    where v.group_id = ${finding.group_id} and v.withdrawn_at is null
    order by m.grade is null, m.grade, v.record_id`.execute(db)
  return rows
}

/** Of a record `v`: in the version's active SBOM; once it is gone from there, in any of the family. */
function metDigest({ family_id, version_id, identity_id }: StoredFinding): RawBuilder<string | null> {
  return sql<string | null>`(
    select d.hash
    from component c
    cross join ${recordsOfHashes('c')} d
    left join sbom s on s.family_id = c.family_id and ${isVersion('s.version_id', version_id)} and s.active
      and c.number = any(s.component_numbers)
    where c.family_id = ${family_id} and c.identity_id = ${identity_id} and d.vulnerability_id = v.id
    order by s.id is null, length(d.hash) desc, d.hash
    limit 1
  )`
}

/** Of the identity's keys that have the package of the range behind a match `m`, the one that fits it best, the own one before others. */
function matchedKey({ identity_id }: StoredFinding) {
  return sql`lateral (
    select s.number, f.origin, s.package_key, s.release, s.version, s.stream, s.basis, s.decidability
    from affected_range r
    join (${keysOfOne(sql`${identity_id}::uuid`)}) s on s.package_key = r.package_key
    left join identity_key f on f.identity_id = s.id and f.number = s.number
    where r.id = m.range_id
    order by s.release is distinct from r.release, s.stream <> r.stream, s.number
    limit 1
  )`
}

export type StoredRange = {
  id: number
  vulnerability_id: number
  kind: RangeKind
  introduced: string
  upper_text: string | null
  upper_included: boolean
  /** Of this record on the package, shown or not. */
  total: number
}

/** The records' ranges that were looked at: on the package in its release and stream; of every release when it is unknown. */
export async function selectRanges(db: Db, records: readonly StoredRecord[]): Promise<StoredRange[]> {
  const column = (value: (key: MatchedKey) => string | null) =>
    sql`${records.map(({ key }) => (key === null ? null : value(key)))}::text[]`
  const { rows } = await sql<StoredRange>`
    select found.*
    from unnest(
      ${records.map((record) => record.id)}::bigint[], ${records.map((record) => record.range_id)}::bigint[],
      ${column((key) => key.package_key)}, ${column((key) => key.release)}, ${column((key) => key.stream)},
      ${column((key) => key.version)}, ${column((key) => key.decidability)}
    ) as s (vulnerability_id, range_id, package_key, release, stream, version, decidability)
    cross join lateral (
      select r.id, r.vulnerability_id, r.kind, r.introduced, r.upper_text, r.upper_included, count(*) over () as total
      from affected_range r
      where r.vulnerability_id = s.vulnerability_id and r.package_key = s.package_key
        and (s.release is null or r.release = s.release)
        and (s.decidability <> 'covered' or ${streamsMeet(streamsOfPair)})
      order by r.id <> s.range_id, r.kind desc, r.id
      limit ${shownRanges}
    ) found`.execute(db)
  return rows
}

export type StoredAssertion = { vulnerability_id: number; other_id: string; relation: 'alias' | 'upstream' }

export async function selectAssertions(db: Db, recordIds: readonly number[]): Promise<StoredAssertion[]> {
  const { rows } = await sql<StoredAssertion>`
    select vulnerability_id, other_id, relation
    from alias_assertion
    where vulnerability_id = any(${recordIds}::bigint[]) and relation in ('alias', 'upstream')
    order by other_id`.execute(db)
  return rows
}

/** Which of the ids that patches to a component `known` fix are names of a group; in whatever case an SBOM writes a CVE. */
function resolvedOf(groupId: number): RawBuilder<string[]> {
  return sql`array(
    select r.id
    from unnest(known.resolves) as r (id)
    where exists (
      select from alias_assertion a
      join vulnerability v on v.id = a.vulnerability_id
      where a.other_id in (r.id, upper(r.id)) and v.group_id = ${groupId} and a.relation in ('self', 'alias', 'upstream')
    )
    order by r.id
  )`
}

/** The components of the family that are this identity: those of the version's active SBOM, else all of them. */
export async function selectComponents(
  db: Db,
  workspaceId: string,
  finding: StoredFinding,
): Promise<FindingComponent[]> {
  const { rows } = await sql<Omit<FindingComponent, 'path'>>`
    with active as (
      select component_numbers
      from sbom
      where workspace_id = ${workspaceId} and family_id = ${finding.family_id} and active
        and ${isVersion('version_id', finding.version_id)}
    ),
    known as (
      select c.number, c.group_name as "group", c.name, c.version, c.purl, c.cpe, c.other_names, c.scope, c.resolves,
        c.number = any((select component_numbers from active)::int[]) as is_active
      from component c
      where c.workspace_id = ${workspaceId} and c.family_id = ${finding.family_id} and c.identity_id = ${finding.identity_id}
    )
    select number, "group", name, version, purl, cpe, coalesce(other_names, '{}') as "otherNames", scope, ${resolvedOf(finding.group_id)} as resolves
    from known
    where is_active or not exists (select from known where is_active)
    order by number
    limit ${shownComponents}`.execute(db)
  const slot = { workspaceId, familyId: finding.family_id, versionId: finding.version_id }
  const paths = await selectPaths(
    db,
    slot,
    rows.map(({ number }) => number),
  )
  return rows.map((row) => ({ ...row, path: paths.get(row.number) ?? null }))
}

/**
 * Entries of the catalogues, dropped ones included, that name a record of the group by any of its ids. Direct are those that a
 * record matching the identity as surely as the finding says names directly.
 */
export async function selectExploitedEntries(db: Db, finding: StoredFinding): Promise<ExploitedEntry[]> {
  const grade = gradeInSbom({
    grade: sql`m.grade`,
    basis: basisOfMatch('m', 'i'),
    cpesGuessed: sql.lit(finding.cpes_guessed),
  })
  const named = sql`
    select a.other_id as id,
      bool_or(((m.identity_id is not null and ${grade} <= ${finding.grade}) or ${metDigest(finding)} is not null) and v.class <> 'informational' and ${namesDirectly('a')}) as is_direct
    from vulnerability v
    join alias_assertion a on a.vulnerability_id = v.id and a.relation in ('self', 'alias', 'upstream')
    left join identity_match m on m.vulnerability_id = v.id and m.identity_id = ${finding.identity_id}
    left join component_identity i on i.id = m.identity_id
    where v.group_id = ${finding.group_id} and v.withdrawn_at is null
    group by a.other_id`
  return selectEntries(db, { named, order: sql`e.source desc, e.cve_id, e.euvd_id` })
}
