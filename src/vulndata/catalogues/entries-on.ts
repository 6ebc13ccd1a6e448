import { sql, type RawBuilder } from 'kysely'

/**
 * The ids of the entries of the catalogues on a public id of a vulnerability, dropped entries included: `id`, an expression of the query
 * around it, to be joined as `cross join lateral`. An entry that has only an EUVD id counts for the CVE it is mapped to as well, so one
 * vulnerability with several ids reaches the same entry several times. Indexes exploited_cve, exploited_euvd, euvd_mapping_cve.
 */
export function entriesOn(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select e.id from exploited e where e.cve_id = ${id}
    union all
    select e.id from exploited e where e.euvd_id = ${id}
    union all
    select e.id
    from euvd_mapping p
    join exploited e on e.euvd_id = p.euvd_id and e.cve_id is null
    where p.cve_id = ${id}
  )`
}
