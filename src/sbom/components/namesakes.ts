import { sql, type RawBuilder } from 'kysely'

/** What an SBOM says of a component `n`, whatever it was identified as. */
export const saidOf: RawBuilder<unknown> = sql`n.family_id, n.name, n.group_name, n.version, n.purl, n.cpe`

/**
 * The common table expression `namesake`: components that are called as those of another one, `wanted`, which has `saidOf` each. Names are an array here
 * because the planner expects few rows of `wanted`, and would read all components of a family once for each. Index component_pkey.
 */
export const namesakes: RawBuilder<unknown> = sql`
  namesake as materialized (
    select c.family_id, c.number, c.identity_id, c.name, c.group_name, c.version, c.purl, c.cpe
    from unnest(array(select distinct name from wanted)) w (name)
    join component c on c.name = w.name
    where c.family_id = any(array(select distinct family_id from wanted))
  )`

/** Whether an SBOM says the same of both, a wanted one `n` and its namesake `c`. */
export const isSaidAlike: RawBuilder<boolean> = sql`c.family_id = n.family_id and c.name = n.name
  and (c.group_name, c.version, c.purl, c.cpe) is not distinct from (n.group_name, n.version, n.purl, n.cpe)`
