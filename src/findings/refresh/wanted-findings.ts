import { sql, type RawBuilder } from 'kysely'
import { basisOfMatch, keysOfOne } from '../../matching/identity-keys.ts'
import { streamsMeet, streamsOfPair } from '../../matching/streams.ts'
import { homeDatabases } from '../../records/home-databases.ts'

/** The common table expression `home (ecosystem, prefix)`. */
export const home = sql`
  home (ecosystem, prefix) as (
    values ${sql.join(homeDatabases.map(({ ecosystem, prefix }) => sql`(${sql.lit(ecosystem)}, ${sql.lit(prefix)})`))}
  )`

/** Whether a record comes from the database that is at home in the ecosystem; with `home`. */
export function isHome(ecosystem: RawBuilder<unknown>, recordId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from home where home.ecosystem = ${ecosystem} and starts_with(${recordId}, home.prefix)
  )`
}

/**
 * Whether an assertion names its record directly: the record itself, a direct alias, or a direct upstream (an erratum's CVEs). A record on
 * several CVEs is no alias of any of them.
 */
export function namesDirectly(assertion: string): RawBuilder<boolean> {
  const a = sql.ref(assertion)
  return sql<boolean>`(${a}.relation = 'self' or (${a}.relation = 'alias' and ${a}.bridges) or ${a}.relation = 'upstream')`
}

/**
 * The records that entries of catalogues of exploited vulnerabilities list directly, with the catalogue: a live entry names them so; an
 * entry that has only an EUVD id counts for the CVE it is mapped to. Index alias_assertion_other.
 *
 * A list of common table expressions, ending in `listed (vulnerability_id, source)`.
 */
export const recordsListedBy = (entries: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  listed_id as (
    select source, cve_id as id from ${entries} e where removed_at is null and cve_id is not null
    union
    select source, euvd_id from ${entries} e where removed_at is null and euvd_id is not null
    union
    select e.source, m.cve_id
    from ${entries} e
    join euvd_mapping m on m.euvd_id = e.euvd_id
    where e.removed_at is null and e.cve_id is null
  ),
  listed as materialized (
    select distinct a.vulnerability_id, l.source
    from listed_id l
    join alias_assertion a on a.other_id = l.id
    where ${namesDirectly('a')}
  )`

/** The same of every entry. */
export const listedRecords = recordsListedBy(sql`exploited`)

/** The catalogues in either, in order; null counts as none. */
export function joinCatalogues(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(select distinct source from unnest(${one} || ${other}) as source order by source)`
}

/** For a finding `j` without a home record among its matches: whether the home database covers the package. */
const isLeftOutAtHome = sql<boolean>`exists (
    select
    from (${keysOfOne(sql.ref('j.identity_id'))}) s
    join vulnerability h on h.group_id = j.group_id and h.withdrawn_at is null
    join affected_range r on r.vulnerability_id = h.id
      and r.package_key = s.package_key and r.release = s.release and ${streamsMeet(streamsOfPair)}
    where ${isHome(sql`s.ecosystem`, sql`h.record_id`)}
  )`

/** The same of a record `v` and the further keys of an identity `i`. */
const isAtHomeOfOthers = sql<boolean>`(
  i.other_ecosystems is not null and exists (
    select from home where home.ecosystem = any(i.other_ecosystems) and starts_with(v.record_id, home.prefix)
  )
)`

type InSbom = { grade: RawBuilder<unknown>; cpesGuessed: RawBuilder<unknown> }

/**
 * Which catalogues list a wanted finding of this grade in an SBOM: an exact one opens incidents, so they count for it only where they name a record that
 * matches exactly there, and not another one of the group that may apply. `wanted` has the columns `exploited_by`, `exploited_exactly` and
 * `exploited_by_purl`.
 */
export function exploitedAs(wanted: string, { grade, cpesGuessed }: InSbom): RawBuilder<unknown> {
  return sql`case when ${grade} = 'exact' then ${exploitedExactly(wanted, cpesGuessed)} else ${sql.ref(wanted)}.exploited_by end`
}

/** The same of an exact one. What the CPEs are is asked only where it makes a difference. */
export function exploitedExactly(wanted: string, cpesGuessed: RawBuilder<unknown>): RawBuilder<unknown> {
  const w = sql.ref(wanted)
  return sql`case
    when ${w}.exploited_by_purl <> ${w}.exploited_exactly and ${cpesGuessed} then ${w}.exploited_by_purl
    else ${w}.exploited_exactly
  end`
}

/**
 * From `part (identity_id)` and `listed`: the findings these identities have, one per identity and group of records, as the
 * common table expression `wanted (identity_id, basis, group_id, grade, exploited_by, exploited_exactly, exploited_by_purl)`. The grade is
 * independent of an SBOM; `gradeInSbom` and `suppressedFindings` adapt it to one, and `exploitedAs` chooses by it. `exploited_by_purl`: through the
 * records that match exactly whatever the CPE is worth.
 *
 * Where the records of a group disagree about the version, the component is affected if any of them says so; the match is
 * only possible when the ecosystem's home database covers the package and leaves the version out (*disputed*).
 */
export const wantedFindings = sql`
  ${home},
  judged as (
    select i.id as identity_id, v.group_id,
      coalesce(
        min(${basisOfMatch('m', 'i')}) filter (where m.grade = 'exact' and ${basisOfMatch('m', 'i')} <> 'cpe'),
        i.basis
      ) as basis,
      bool_or(m.grade = 'exact') as is_exact,
      bool_or(${isHome(sql`i.ecosystem`, sql`v.record_id`)} or ${isAtHomeOfOthers}) as home_affected,
      array_agg(distinct l.source order by l.source)
        filter (where l.source is not null and v.class <> 'informational') as exploited_by,
      array_agg(distinct l.source order by l.source)
        filter (where l.source is not null and v.class <> 'informational' and m.grade = 'exact') as exploited_exactly,
      array_agg(distinct l.source order by l.source)
        filter (where l.source is not null and v.class <> 'informational' and m.grade = 'exact' and ${basisOfMatch('m', 'i')} <> 'cpe') as exploited_by_purl
    from part p
    join component_identity i on i.id = p.identity_id
    join identity_match m on m.identity_id = i.id
    join vulnerability v on v.id = m.vulnerability_id and v.withdrawn_at is null
    left join listed l on l.vulnerability_id = v.id
    group by i.id, v.group_id
  ),
  wanted as materialized (
    select j.identity_id, j.basis, j.group_id, coalesce(j.exploited_by, '{}') as exploited_by,
      coalesce(j.exploited_exactly, '{}') as exploited_exactly, coalesce(j.exploited_by_purl, '{}') as exploited_by_purl,
      case
        when not j.is_exact then 'possible'
        when not j.home_affected and ${isLeftOutAtHome} then 'possible'
        else 'exact'
      end as grade
    from judged j
  )`
