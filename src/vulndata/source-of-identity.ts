import { sql } from 'kysely'

/** The source whose data decide about a component identity `i`: `osv:npm`; `nvd` for products named by CPE. */
export const sourceOfIdentity = sql<string>`case i.ecosystem when 'cpe' then 'nvd' else 'osv:' || i.ecosystem end`

/** What the source `d` (left join) of an identity that can be decided makes of it. */
export const loadOfSource = sql<string>`
  case when d.is_whole then 'covered' when d.last_success_at is not null then 'partly_loaded'
    when d.absent_since is not null then 'no_source' else 'data_not_loaded' end`

/**
 * Whether vulnerability data decide about a component identity `i` (left join) with its source `d` (left join): its decidability,
 * else `data_not_loaded` until they were looked at: before the source's first load, and until the upload is matched; `partly_loaded`
 * while only a part of the source is there; and `no_source` while the source says that it has nothing of the ecosystem.
 */
export const stateOfIdentity = sql<string>`
  case when i.id is null then 'data_not_loaded' when i.decidability <> 'covered' then i.decidability
    else ${loadOfSource} end`
