import { sql, type RawBuilder } from 'kysely'
import type { Epss } from '../../contract/vulnerabilities/shapes.ts'

/**
 * The EPSS score of a group of records: the highest among the CVEs that its records are, name as alias, or (an erratum) fix. A lateral
 * sub-query with one row, or none. Index alias_assertion primary key.
 */
export function epssOfGroup(groupId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select e.score, e.percentile
    from vulnerability v
    join alias_assertion a on a.vulnerability_id = v.id
      and (a.relation in ('self', 'upstream') or (a.relation = 'alias' and a.bridges))
    join epss e on e.cve_id = a.other_id
    where v.group_id = ${groupId} and v.withdrawn_at is null
    order by e.score desc, e.cve_id
    limit 1
  )`
}

export function toEpss(score: number | null, percentile: number | null): Epss | null {
  return score === null || percentile === null ? null : { score, percentile }
}
