import { sql, type RawBuilder } from 'kysely'

/** Whether an assertion of a record is a name of the record's vulnerability (`namesOfGroups`). */
export function isName(assertion: string): RawBuilder<boolean> {
  const a = sql.ref(assertion)
  return sql<boolean>`(
  ${a}.relation = 'self' or (${a}.relation = 'alias' and ${a}.bridges)
  or (${a}.relation = 'upstream' and ${a}.other_id like 'CVE-%' and not exists (
    select from alias_assertion o
    where o.vulnerability_id = ${a}.vulnerability_id and o.relation in ('upstream', 'alias') and o.other_id like 'CVE-%'
      and o.other_id <> ${a}.other_id
  ))
)`
}

/**
 * The ids under which statements and decisions may mean the vulnerability of a group: the ids of its records and their aliases, and the
 * CVE of a distribution's record that has a single one upstream. A record on several CVEs equals none of them, so a statement
 * on one does not settle it. `groups` is a select of group ids.
 *
 * The common table expression `group_name (group_id, id)`; indexes vulnerability_of_group and the primary key of alias_assertion.
 * `offset` makes the server look up each group by them: right after an import it expects hardly any records, and would scan all of
 * them once for each group.
 */
export function namesOfGroups(groups: RawBuilder<unknown>, name = 'group_name'): RawBuilder<unknown> {
  return sql`
  ${sql.ref(name)} as materialized (
    select distinct g.group_id, n.id
    from (${groups}) g (group_id)
    cross join lateral (
      select id from vulnerability where group_id = g.group_id and withdrawn_at is null offset 0
    ) v
    cross join lateral (
      select a.other_id as id from alias_assertion a where a.vulnerability_id = v.id and ${isName('a')} offset 0
    ) n
  )`
}

/**
 * An id of a column in the order "C", to look it up in `alias_assertion` or `euvd_mapping`: their indexes are in the order of the database, and the server
 * would read the whole table for a comparison in another.
 */
export function lookedUp(id: string): RawBuilder<string> {
  return sql<string>`${sql.ref(id)} collate "default"`
}

/** Whether a row of `euvd_mapping` says what an EUVD id is: one of several CVEs equals none of them. */
export function isSoleMapping(mapping: string): RawBuilder<boolean> {
  const m = sql.ref(mapping)
  return sql<boolean>`not exists (select from euvd_mapping o where o.euvd_id = ${m}.euvd_id and o.cve_id <> ${m}.cve_id)`
}

/** `group_name` with the EUVD ids of its CVEs, whether or not a record has them. Indexes euvd_mapping_cve, euvd_mapping_pkey. */
export function statedNamesOfGroups(groups: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
  ${namesOfGroups(groups, 'own_name')},
  group_name as materialized (
    select group_id, id from own_name
    union
    select n.group_id, m.euvd_id collate "C" from own_name n join euvd_mapping m on m.cve_id = n.id and ${isSoleMapping('m')}
  )`
}

/**
 * The names of `statedNamesOfGroups` with those of the CVEs of notices on several as well, each as a `part` of its group: a statement on one concerns a
 * part of the notice, statements on all of them the notice. null: a name of the group itself.
 */
export function namesAndParts(groups: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
  ${namesOfGroups(groups, 'own_name')},
  own_or_part as materialized (
    select group_id, id, null::text as part from own_name
    union all
    select g.id, p.cve, p.cve
    from (${groups}) asked (group_id)
    join vulnerability_group g on g.id = asked.group_id and g.cves like '% %'
    cross join lateral unnest(string_to_array(g.cves, ' ')) as p (cve)
  ),
  group_name as materialized (
    select group_id, id, part from own_or_part
    union
    select n.group_id, m.euvd_id collate "C", n.part from own_or_part n join euvd_mapping m on m.cve_id = n.id and ${isSoleMapping('m')}
  )`
}
