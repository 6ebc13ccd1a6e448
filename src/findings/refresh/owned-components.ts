import { sql, type RawBuilder } from 'kysely'
import { ecosystems } from '../../identities/ecosystems.ts'
import { keysOfOne } from '../../matching/identity-keys.ts'
import { streamsMeet, streamsOfPackages } from '../../matching/streams.ts'
import { isHome } from './wanted-findings.ts'

/** Whether an ecosystem is that of a distribution. */
export function isOfSystem(ecosystem: RawBuilder<unknown>): RawBuilder<boolean> {
  const names = ecosystems.filter(({ system }) => system !== null).map(({ name }) => sql.lit(name))
  return sql<boolean>`${ecosystem} in (${sql.join(names)})`
}

/**
 * Of SBOMs `s`: which components were found by files that a package of the distribution installed, with the identities of both. A
 * query with the columns `sbom_id, number, identity_id, owner_id`.
 */
export function ownershipsWhere(condition: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    select s.id as sbom_id, p.owned as number, c.identity_id, o.identity_id as owner_id
    from sbom s
    cross join unnest(s.owner_numbers, s.owned_numbers) as p (owner, owned)
    join component o on o.family_id = s.family_id and o.number = p.owner
    join component c on c.family_id = s.family_id and c.number = p.owned
    where ${condition}`
}

/** Whether a record `h` of the owner's distribution covers its package `o` in its release and stream. */
const isCoveredAtHome = sql<boolean>`exists (
  select
  from (${keysOfOne(sql.ref('o.id'))}) s
  join affected_range r on r.vulnerability_id = h.id
    and r.package_key = s.package_key and r.release = s.release and ${streamsMeet(streamsOfPackages)}
)`

/** Whether the distribution of the package `o` knows the CVE `named.id` on it and counts this version as not affected. */
const isUnaffectedAtHome = sql<boolean>`(
  select coalesce(bool_or(${isCoveredAtHome}), false)
    and not bool_or(exists (select from identity_match t where t.identity_id = o.id and t.vulnerability_id = h.id))
  from alias_assertion b
  join vulnerability h on h.id = b.vulnerability_id and h.withdrawn_at is null and ${isHome(sql`o.ecosystem`, sql`h.record_id`)}
  where b.other_id = named.id and b.relation in ('self', 'alias', 'upstream')
)`

/** The CVEs that the records behind a wanted finding `w` name. */
const namedCves = sql`(
  select distinct a.other_id as id
  from identity_match m
  join vulnerability v on v.id = m.vulnerability_id and v.group_id = w.group_id and v.withdrawn_at is null
  join alias_assertion a on a.vulnerability_id = v.id and a.relation in ('self', 'alias', 'upstream')
  where m.identity_id = w.identity_id and starts_with(a.other_id, 'CVE-')
)`

/**
 * From `ownership` (`ownershipsWhere`), `wanted` and `home`: the wanted findings that do not apply in an SBOM. A package of the distribution
 * installed the component, and the distribution counts the version of that package as not affected or fixed: its patches do not change the
 * version of what is inside. It must cover every CVE that the records name, and each component of the identity must have such an owner. Common
 * table expressions ending in `suppressed (sbom_id, family_id, version_id, identity_id, group_id)`.
 */
export const suppressedFindings = sql`
  answered as materialized (
    select distinct p.sbom_id, p.number, w.identity_id, w.group_id
    from ownership p
    join wanted w on w.identity_id = p.identity_id
    join component_identity o on o.id = p.owner_id and o.decidability = 'covered' and o.matched_at is not null
      and ${isOfSystem(sql`o.ecosystem`)}
    where (select coalesce(bool_and(${isUnaffectedAtHome}), false) from ${namedCves} named)
  ),
  suppressed as materialized (
    select s.id as sbom_id, s.family_id, s.version_id, a.identity_id, a.group_id
    from answered a
    join sbom s on s.id = a.sbom_id
    group by s.id, a.identity_id, a.group_id
    having count(*) = (
      select count(*)
      from component c
      where c.family_id = s.family_id and c.identity_id = a.identity_id and c.number = any(s.component_numbers)
    )
  )`
