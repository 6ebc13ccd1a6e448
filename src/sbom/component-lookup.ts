import { sql } from 'kysely'

/**
 * The component `c` of a number `n` of an SBOM `s`: `cross join unnest(s.component_numbers) as n (number) cross join ${componentByNumber}`.
 * One look into the primary key for each, which `limit` holds the server to: a join it may turn round, and walk through the numbers
 * once for each component, as long as it thinks that a family new to it has none.
 */
export const componentByNumber = sql`lateral (
    select * from component x where x.family_id = s.family_id and x.number = n.number limit 1
  ) as c`
