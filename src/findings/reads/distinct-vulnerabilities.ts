import { sql, type RawBuilder } from 'kysely'

/**
 * What counts as one vulnerability for a group `g` of records: the group's title, and for notices of distributions the CVEs that they are about,
 * so a notice adds only those that nothing else names. In a lateral join, with the column `key`.
 */
export function countedOf(group: string): RawBuilder<unknown> {
  const g = sql.ref(group)
  return sql`unnest(coalesce(string_to_array(${g}.cves, ' '), array[${g}.title_id])) as counted_of (key)`
}

/** How many distinct vulnerabilities the groups are; `groups` is a select of group ids. */
export function distinctVulnerabilities(groups: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(
    select count(distinct key)
    from (${groups}) as asked (group_id)
    join vulnerability_group g on g.id = asked.group_id
    cross join lateral ${countedOf('g')}
  )`
}
