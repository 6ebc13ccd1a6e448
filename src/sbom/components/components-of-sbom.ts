import { sql } from 'kysely'

/** The numbers of an SBOM `s` as runs `(first, last)` without gaps. The list is in order, so a run has one distance from its places. */
export const runsOfSbom = sql`(
    select min(number) as first, max(number) as last
    from unnest(s.component_numbers) with ordinality as n (number, place)
    group by number - place
  )`

/**
 * The components `c` of an SBOM `s`: `cross join ${componentsOfSbom}`. They are read by the primary key in runs of successive numbers,
 * which are few. `offset` holds the server to it: a join it may turn round, and walk through the whole list of numbers for each
 * component, as long as it thinks that a family new to it has none.
 */
export const componentsOfSbom = sql`lateral (
    select x.*
    from ${runsOfSbom} g
    cross join lateral (
      select * from component where family_id = s.family_id and number >= g.first and number <= g.last offset 0
    ) x
  ) as c`
