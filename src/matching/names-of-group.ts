import { sql, type RawBuilder } from 'kysely'

/** Whether an assertion `a` of a record is a name of the record's vulnerability (`namesOfGroups`). */
export const isName = sql<boolean>`(
  a.relation = 'self' or (a.relation = 'alias' and a.bridges)
  or (a.relation = 'upstream' and a.other_id like 'CVE-%' and not exists (
    select from alias_assertion o
    where o.vulnerability_id = a.vulnerability_id and o.relation in ('upstream', 'alias') and o.other_id like 'CVE-%'
      and o.other_id <> a.other_id
  ))
)`

/**
 * Under which ids statements and decisions speak of the vulnerability of a group: the ids of its records and their aliases, and the
 * CVE of a distribution's record that has a single one upstream. A record on several CVEs is none of them, so a word on one of
 * them does not settle it. `groups` is a select of group ids.
 *
 * The common table expression `group_name (group_id, id)`; indexes vulnerability_of_group and the primary key of alias_assertion.
 */
export function namesOfGroups(groups: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
  group_name as materialized (
    select distinct v.group_id, a.other_id as id
    from (${groups}) g (group_id)
    join vulnerability v on v.group_id = g.group_id and v.withdrawn_at is null
    join alias_assertion a on a.vulnerability_id = v.id and ${isName}
  )`
}
