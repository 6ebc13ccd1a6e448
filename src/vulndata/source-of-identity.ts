import { sql, type RawBuilder } from 'kysely'
import { decidersByEcosystem, inParts } from './deciders.ts'

/**
 * The row in `data_source` of the data that decide about a component identity, as the sources declare it (`decides`): `osv:npm`, `nvd`.
 * Among the ecosystems of its keys, the one whose data are loaded best, its own first. Where several sources decide about an ecosystem, each names
 * products that the others do not: the least loaded one says whether all of them were compared.
 */
export function sourceOfIdentity(identity: string): RawBuilder<string> {
  const i = sql.ref(identity)
  return sql<string>`case when ${i}.other_ecosystems is null or ${i}.other_ecosystems = '{}' then ${deciderOf(sql`${i}.ecosystem`)} else (
    select ${deciderOf(sql`n.ecosystem`)}
    from unnest(${i}.ecosystem || ${i}.other_ecosystems) with ordinality as n (ecosystem, place)
    left join data_source d on d.name = ${deciderOf(sql`n.ecosystem`)}
    order by ${bestLoaded}, n.place
    limit 1
  ) end`
}

/** Beside those that are named, the one source in parts has a row for each ecosystem. */
function deciderOf(ecosystem: RawBuilder<unknown>): RawBuilder<string> {
  const branches = [...decidersByEcosystem].map(
    ([name, rows]) => sql`when ${sql.lit(name)} then ${leastOf(rows)}`,
  )
  return sql<string>`case ${ecosystem} ${sql.join(branches, sql` `)} else ${sql.lit(`${inParts.id}:`)} || ${ecosystem} end`
}

function leastOf(rows: readonly string[]): RawBuilder<string> {
  const [first = ''] = rows
  if (rows.length === 1) return sql.lit(first)
  return sql<string>`(
    select n.name from (values ${sql.join(rows.map((row, place) => sql`(${sql.lit(row)}, ${sql.lit(place)})`))}) as n (name, place)
    left join data_source d on d.name = n.name
    order by ${leastLoaded}, n.place
    limit 1
  )`
}

/** Of rows of `data_source` as `d`. */
const bestLoaded = sql`d.is_whole desc nulls last, d.last_success_at is null`
const leastLoaded = sql`d.is_whole is true, d.last_success_at is not null`

/**
 * The state that the source (left join) gives to a decidable identity. Records of a source that its publisher has ended are still compared, but cover
 * nothing. Nor is a package covered whose release no record has ever named, where records name others.
 */
export function loadOfSource(identity: string, source: string): RawBuilder<string> {
  const [i, d] = [sql.ref(identity), sql.ref(source)]
  return sql<string>`
  case when ${d}.is_whole and ${i}.release <> '' and ${lacksRelease(identity)} then 'no_source'
    when ${d}.is_whole then 'covered' when ${d}.absent_since is not null then 'no_source'
    when ${d}.last_success_at is not null then 'partly_loaded' else 'data_not_loaded' end`
}

function lacksRelease(identity: string): RawBuilder<boolean> {
  const i = sql.ref(identity)
  return sql<boolean>`(exists (select from known_release k where k.ecosystem = ${i}.ecosystem)
    and not exists (select from known_release k where k.ecosystem = ${i}.ecosystem and k.release = ${i}.release))`
}

/** Whether a record that names an identity, or one of its further keys, changes which data cover it. */
export function awaitsRecord(identity: string): RawBuilder<boolean> {
  const i = sql.ref(identity)
  return sql<boolean>`(${i}.is_named is not null or ${i}.other_ecosystems is not null)`
}

/**
 * Whether the records can judge an identity, wherever they are loaded: its decidability, but `not_covered` while none names a repository, and
 * `source_unknown` while none names a package whose source is not stated.
 */
export function decidabilityOf(identity: string): RawBuilder<string> {
  const i = sql.ref(identity)
  return sql<string>`case when ${i}.other_ecosystems <> '{}' then 'covered' when ${lacksSource(identity)} then 'source_unknown'
    when ${lacksRecord(identity)} then 'not_covered' else ${i}.decidability end`
}

/** Why they cannot; null when they can. */
export function reasonOf(identity: string): RawBuilder<string | null> {
  const i = sql.ref(identity)
  return sql<
    string | null
  >`case when ${i}.other_ecosystems <> '{}' then null when ${lacksSource(identity)} then ${sql.lit(withoutSource)}
    when ${lacksRecord(identity)} then case ${i}.ecosystem when 'ConanCenter' then ${sql.lit(unnamedRecipe)} else ${sql.lit(unnamed)} end else ${i}.reason end`
}

/** A missing version or release of such a package says more. */
function lacksSource(identity: string): RawBuilder<boolean> {
  const i = sql.ref(identity)
  return sql<boolean>`(${i}.is_named = false and ${i}.decidability = 'covered' and ${isBySource(identity)})`
}

function lacksRecord(identity: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(identity)}.is_named = false and not ${isBySource(identity)})`
}

/** Among identities covered only where a record names them, packages of deb, rpm and apk are those without a stated source. */
function isBySource(identity: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(identity)}.scheme in ('dpkg', 'rpm', 'apk')`
}

const unnamed =
  'No vulnerability record names this repository with its versions, and nobody publishes data on all repositories.'
const unnamedRecipe =
  'No vulnerability record names this recipe, and nobody publishes data on all recipes of Conan.'
const withoutSource =
  'Vulnerability records name source packages, and neither the SBOM nor a record says which one this package was built from.'

/**
 * Whether vulnerability data decide about a component identity (left join) with its source (left join): its decidability, unless the source says
 * otherwise. It is `data_not_loaded` until both have been compared: before the source's first load, and until the upload is matched. It is
 * `partly_loaded` while only a part of the source is there, and `no_source` while the source says that it has nothing of the ecosystem.
 */
export function stateOfIdentity(identity: string, source: string): RawBuilder<string> {
  const i = sql.ref(identity)
  return sql<string>`
  case when ${i}.id is null then 'data_not_loaded' when ${decidabilityOf(identity)} <> 'covered' then ${decidabilityOf(identity)}
    else ${loadOfSource(identity, source)} end`
}
