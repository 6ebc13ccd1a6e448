import { sql } from 'kysely'

/**
 * The component `c` of a number `n` of an SBOM `s`: `cross join unnest(s.component_numbers) as n (number) cross join ${componentByNumber}`.
 * One look into the primary key for each, which `limit` holds the server to: a join it may turn round, and walk through the numbers
 * once for each component, as long as it thinks that a family new to it has none.
 */
export const componentByNumber = sql`lateral (
    select * from component x where x.family_id = s.family_id and x.number = n.number limit 1
  ) as c`

/**
 * The components `c` of an SBOM `s`: `cross join ${componentsOfSbom}`. Read in runs of successive numbers, which are few, and as
 * robust as `componentByNumber`: `offset` keeps the server from making a join of it.
 */
export const componentsOfSbom = sql`lateral (
    select x.*
    from (
      select unnest(range_agg(int4range(number, number, '[]'))) as run from unnest(s.component_numbers) as n (number)
    ) g
    cross join lateral (
      select * from component
      where family_id = s.family_id and number >= lower(g.run) and number < upper(g.run) offset 0
    ) x
  ) as c`
