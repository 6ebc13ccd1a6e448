import { sql } from 'kysely'

/** The source whose data decide about a component identity `i`: `osv:npm`; `nvd` for products named by CPE. */
export const sourceOfIdentity = sql<string>`case i.ecosystem when 'cpe' then 'nvd' else 'osv:' || i.ecosystem end`

/**
 * Whether vulnerability data decide about a component identity `i` (left join) with its source `d` (left join): its decidability,
 * else `data_not_loaded` while nobody has looked: before the source's first load, and until the upload is matched.
 */
export const stateOfIdentity = sql<string>`
  case when i.id is null or (i.decidability = 'covered' and d.last_success_at is null) then 'data_not_loaded'
    else i.decidability end`
