import { sql } from 'kysely'

/**
 * The components `c` of an SBOM `s`: `cross join ${componentsOfSbom}`. They are read by the primary key in runs of successive numbers,
 * which are few. `offset` holds the server to it: a join it may turn round, and walk through the whole list of numbers for each
 * component, as long as it thinks that a family new to it has none.
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
