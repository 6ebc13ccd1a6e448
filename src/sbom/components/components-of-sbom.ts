import { sql, type RawBuilder } from 'kysely'

/** The numbers of an SBOM as runs `(first, last)` without gaps. The list is in order, so a run has one distance from its places. */
export function runsOfSbom(sbom: string): RawBuilder<unknown> {
  return sql`(
    select min(number) as first, max(number) as last
    from unnest(${sql.ref(`${sbom}.component_numbers`)}) with ordinality as n (number, place)
    group by number - place
  )`
}

/**
 * The components `c` of an SBOM `s`: `cross join ${componentsOfSbom('s')}`. They are read by the primary key in runs of successive numbers,
 * which are few. `offset` enforces that: the server may reverse a join and scan the whole list of numbers for each component,
 * as long as it expects a new family to have none.
 */
export function componentsOfSbom(sbom: string): RawBuilder<unknown> {
  const familyId = sql.ref(`${sbom}.family_id`)
  return sql`lateral (
    select x.*
    from ${runsOfSbom(sbom)} g
    cross join lateral (
      select * from component where family_id = ${familyId} and number >= g.first and number <= g.last offset 0
    ) x
  ) as c`
}
