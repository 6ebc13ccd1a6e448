import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../database/connection.ts'
import { columnOf, uuidList } from '../platform/postgres/columns.ts'
import type { GradeReason } from '../contract/findings/shapes.ts'
import { proStream, snapshotStream } from '../identities/distributions/streams.ts'
import { keysOfIdentities } from './identity-keys.ts'
import {
  snapshotInStream,
  streamDoubt,
  streamsMeet,
  streamsOfPackages,
  streamsOfPair,
  unstatedVersionMeets,
} from './streams.ts'
import { gradeOf, matchableDecidabilities } from './grade.ts'
import { identityBases } from '../contract/identity.ts'

/** A match that was found outside SQL: by a comparator, or by a record's own list of versions. */
export type FoundMatch = {
  identityId: string
  /** Which of the identity's keys met the range. */
  keyNumber: number
  vulnerabilityId: number
  rangeId: number
  /** null: certain. */
  doubt: GradeReason | null
}

export type MatchDifference = {
  identityId: string
  vulnerabilityId: number
  /** null: there was no result */
  before: string | null
  /** null: the result is gone */
  after: string | null
}

export type MatchChanges = {
  added: number
  removed: number
  changed: number
  /** The first differences, for a report. */
  sample: MatchDifference[]
}

export const noMatchChanges: MatchChanges = { added: 0, removed: 0, changed: 0, sample: [] }

/** The changes of two runs together. */
export function joinMatchChanges(one: MatchChanges, other: MatchChanges): MatchChanges {
  return {
    added: one.added + other.added,
    removed: one.removed + other.removed,
    changed: one.changed + other.changed,
    sample: [...one.sample, ...other.sample].slice(0, sampleSize),
  }
}

/** Whether some key of the identities of a run is like this. */
export type KeyTraits = {
  /** Of the decidabilities `covered`, `no_version` and `uncomparable`. */
  isCovered: boolean
  isUnversioned: boolean
  isUncomparable: boolean
  /** Of the schemes `generic` and `dpkg`. */
  isGeneric: boolean
  isDpkg: boolean
  /** Of the basis `foreign_purl`. */
  isForeign: boolean
}

type MatchInput = {
  identityIds: readonly string[]
  traits: KeyTraits
  compared: readonly FoundMatch[]
  now: Date
}

const sampleSize = 20

/**
 * Writes the results of these identities, in one statement: the join of version keys with ranges (index
 * affected_range_package), the compared ones, and the package names of identities without a version. What no longer holds is
 * deleted, what is the same stays untouched. The caller holds the locks of the packages.
 */
export async function writeMatches(
  tx: Tx,
  { identityIds, traits, compared, now }: MatchInput,
): Promise<MatchChanges> {
  const { rows } = await sql<MatchChanges>`
    with ${gradedHits(identityIds, hitsOf(traits, compared))},
    stored as materialized (
      select identity_id, vulnerability_id, grade, grade_reason, range_id
      from identity_match
      where identity_id = any(${uuidList(identityIds)})
    ),
    difference as materialized (
      select coalesce(g.identity_id, o.identity_id) as identity_id,
        coalesce(g.vulnerability_id, o.vulnerability_id) as vulnerability_id,
        g.grade, g.reason, g.range_id, o.grade as old_grade, o.grade_reason as old_reason, o.range_id as old_range_id
      from graded g
      full join stored o using (identity_id, vulnerability_id)
      where (g.grade, g.reason, g.range_id) is distinct from (o.grade, o.grade_reason, o.range_id)
    ),
    removed as (
      delete from identity_match m
      using difference d
      where d.grade is null and m.identity_id = d.identity_id and m.vulnerability_id = d.vulnerability_id
    ),
    altered as (
      update identity_match m
      set grade = d.grade, grade_reason = d.reason, range_id = d.range_id, matched_at = ${now}::timestamptz
      from difference d
      where d.grade is not null and d.old_grade is not null
        and m.identity_id = d.identity_id and m.vulnerability_id = d.vulnerability_id
    ),
    inserted as (
      insert into identity_match (identity_id, vulnerability_id, grade, grade_reason, range_id, matched_at)
      select identity_id, vulnerability_id, grade, reason, range_id, ${now}::timestamptz
      from difference
      where old_grade is null
      order by identity_id, vulnerability_id
    ),
    stamped as (
      update component_identity set matched_at = ${now}::timestamptz where id = any(${uuidList(identityIds)})
    )
    select count(*) filter (where old_grade is null) as added,
      count(*) filter (where grade is null) as removed,
      count(*) filter (where grade is not null and old_grade is not null) as changed,
      ${sampleOfDifferences} as sample
    from difference`.execute(tx)
  const [changes] = rows
  if (changes === undefined) throw new Error('the match statement answered no row')
  return changes
}

/** The queries that can have hits: the server plans the whole statement in each run, which takes longer than running it for a small upload. */
function hitsOf(traits: KeyTraits, compared: readonly FoundMatch[]): RawBuilder<unknown> {
  const { isCovered, isUnversioned, isUncomparable } = traits
  return sql.join(
    [
      ...(isCovered ? [keyedHits(traits)] : []),
      ...(isUnversioned ? [namedHits] : []),
      ...(isUncomparable ? [listedHits(traits)] : []),
      comparedHits(traits, compared),
    ],
    sql` union all `,
  )
}

/** All hits of the identities, one per record, with their grades: a list of common table expressions ending in `graded`. */
function gradedHits(identityIds: readonly string[], hits: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    subject as materialized (
      select s.*, g.reason as doubt
      from (${keysOfIdentities(identityIds)}) s
      join (${gradeTable}) as g (decidability, basis, reason) on g.decidability = s.decidability and g.basis = s.basis
    ),
    hit (identity_id, vulnerability_id, range_id, doubt) as (
      ${hits}
    ),
    found as materialized (
      select h.identity_id, h.vulnerability_id,
        coalesce(min(h.range_id) filter (where h.doubt is null), min(h.range_id)) as range_id,
        case when bool_and(h.doubt is not null) then min(h.doubt) end as doubt
      from hit h
      group by h.identity_id, h.vulnerability_id
    ),
    graded as materialized (
      select f.identity_id, f.vulnerability_id, f.range_id,
        case when v.id is null and f.doubt is null then 'exact' else 'possible' end as grade,
        case when v.id is null then f.doubt else ${sql.lit(informational)} end as reason
      from found f
      left join vulnerability v
        on v.id = f.vulnerability_id and (v.class = 'informational' or v.withdrawn_at is not null)
      where v.withdrawn_at is null
    )`
}

/** Of a key `s` of an identity. Go tools write it where they know no version, and for a module that was never released. */
const placeholderDoubt = sql`case when s.scheme = 'go' and s.version in ('v0.0.0', '0.0.0') then 'placeholder_version' end`

/**
 * Of a key `s` of an identity and a record. The owner of a name in the public registry says nothing about another registry. Few records have
 * their class looked up, each by its id.
 */
function registryDoubt({ isForeign }: KeyTraits, vulnerabilityId: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!isForeign) return sql`null`
  return sql`case
    when s.basis = 'foreign_purl' and (select w.class from vulnerability w where w.id = ${vulnerabilityId}) = 'malware' then 'other_registry' end`
}

/** Of a key `s` of an identity: it was compared as the tag behind which it was made. */
const snapshotDoubt = sql`case when s.stream = ${sql.lit(snapshotStream)} or ${snapshotInStream('s')} <> '' then 'snapshot' end`

/** Debian's backports are rebuilt from a later release, whose fixes an open range of the release they are for knows nothing of. */
const backportDoubt = sql`case
  when s.scheme = 'dpkg' and r.kind = 'range' and r.upper_key is null and strpos(s.version, '~bpo') > 0 then 'backport' end`

/**
 * A build of Ubuntu Pro is below the fix of the ordinary line, and the record does not mention Pro, whose own fix would have another version: in doubt,
 * but never left out.
 */
const proMeetsOrdinary = sql<boolean>`(s.scheme = 'dpkg' and s.stream = ${sql.lit(proStream)} and r.stream = '' and not exists (
      select from affected_range o
      where o.package_key = r.package_key and o.release = r.release and o.vulnerability_id = r.vulnerability_id and o.stream = s.stream))`
const proDoubt = sql`case when s.stream = ${sql.lit(proStream)} and r.stream = '' then 'pro_build' end`

/**
 * The range test: equal package, release and scheme, streams that meet, and the version key between the bounds. A listed version of PEP 440 has
 * its local versions between them.
 */
function keyedHits(traits: KeyTraits): RawBuilder<unknown> {
  const streams = traits.isGeneric ? streamsOfPair : streamsOfPackages
  const registry = registryDoubt(traits, sql`r.vulnerability_id`)
  return sql`
  select s.id, r.vulnerability_id, r.id,
    coalesce(s.doubt, ${registry}, r.doubt, ${proDoubt}, ${streamDoubt(streams)}, ${backportDoubt},
      ${placeholderDoubt}, ${snapshotDoubt})
  from subject s
  join affected_range r on r.package_key = s.package_key and r.release = s.release
  where s.decidability = 'covered'
    and r.scheme = s.scheme
    and (${streamsMeet(streams)} ${traits.isDpkg ? sql`or ${proMeetsOrdinary}` : sql``})
    and r.lower_key <= s.version_key
    and (r.upper_key is null or s.version_key < r.upper_key or (r.upper_included and s.version_key = r.upper_key))
    and (r.kind = 'range' or s.version_key = r.lower_key or r.scheme = 'pep440')`
}

/**
 * Without a version only the package can be compared; the stream of a package is part of the version and unknown too, while what a
 * product named by CPE runs in is not.
 */
const namedHits = sql`
  select s.id, r.vulnerability_id, r.id, s.doubt
  from subject s
  join affected_range r on r.package_key = s.package_key and r.release = s.release
  where s.decidability = 'no_version' and (r.scheme <> 'generic' or (${streamsMeet(streamsOfPair)} and ${unstatedVersionMeets('s', 'r')}))`

/** A version that no order knows is affected where a record lists exactly its text (OSV schema 1.7, `versions`). */
function listedHits(traits: KeyTraits): RawBuilder<unknown> {
  const registry = registryDoubt(traits, sql`r.vulnerability_id`)
  return sql`
  select s.id, r.vulnerability_id, r.id, coalesce(s.doubt, ${registry}, ${streamDoubt(streamsOfPair)}, ${snapshotDoubt})
  from subject s
  join affected_range r on r.package_key = s.package_key and r.release = s.release
  where s.decidability = 'uncomparable' and r.kind = 'listed' and r.introduced = s.version and ${streamsMeet(streamsOfPair)}`
}

function comparedHits(traits: KeyTraits, compared: readonly FoundMatch[]): RawBuilder<unknown> {
  const registry = registryDoubt(traits, sql`compared.vulnerability_id`)
  return sql`
    select s.id, compared.vulnerability_id, compared.range_id, coalesce(s.doubt, ${registry}, compared.doubt)
    from unnest(
      ${columnOf(compared, 'uuid', (match) => match.identityId)},
      ${columnOf(compared, 'int', (match) => match.keyNumber)},
      ${columnOf(compared, 'bigint', (match) => match.vulnerabilityId)},
      ${columnOf(compared, 'bigint', (match) => match.rangeId)},
      ${columnOf(compared, 'text', (match) => match.doubt)}
    ) as compared (identity_id, number, vulnerability_id, range_id, doubt)
    join subject s on s.id = compared.identity_id and s.number = compared.number`
}

/** The reason by `gradeOf` for every combination of what a key is known by; the doubt of a range counts after it. */
const gradeTable = sql`
  values ${sql.join(
    matchableDecidabilities.flatMap((decidability) =>
      identityBases.map((basis) => {
        const { reason } = gradeOf({ decidability, basis, isInformational: false, doubt: null })
        return sql`(${words([decidability, basis, reason])})`
      }),
    ),
  )}`

/** What counts before everything else, whatever the key. */
const informational = 'informational' satisfies GradeReason

/** Words of ours, never foreign text. */
function words(list: readonly (string | null)[]): RawBuilder<unknown> {
  return sql.join(list.map((word) => sql`${sql.lit(word)}::text`))
}

const sampleOfDifferences = sql`
  coalesce((
    select json_agg(json_build_object(
      'identityId', s.identity_id, 'vulnerabilityId', s.vulnerability_id,
      'before', case when s.old_grade is not null then concat_ws(' ', s.old_grade, s.old_reason, 'range', s.old_range_id) end,
      'after', case when s.grade is not null then concat_ws(' ', s.grade, s.reason, 'range', s.range_id) end))
    from (select * from difference order by identity_id, vulnerability_id limit ${sql.lit(sampleSize)}) s
  ), '[]')`
