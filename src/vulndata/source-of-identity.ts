import { sql, type RawBuilder } from 'kysely'

/** The source whose data decide about a component identity: `osv:npm`; `nvd` for products named by CPE. */
export function sourceOfIdentity(identity: string): RawBuilder<string> {
  const i = sql.ref(identity)
  return sql<string>`case ${i}.ecosystem when 'cpe' then 'nvd' else 'osv:' || ${i}.ecosystem end`
}

/** What the source (left join) of an identity that can be decided makes of it. */
export function loadOfSource(source: string): RawBuilder<string> {
  const d = sql.ref(source)
  return sql<string>`
  case when ${d}.is_whole then 'covered' when ${d}.last_success_at is not null then 'partly_loaded'
    when ${d}.absent_since is not null then 'no_source' else 'data_not_loaded' end`
}

/**
 * Whether vulnerability data decide about a component identity (left join) with its source (left join): its decidability,
 * else `data_not_loaded` until they were looked at: before the source's first load, and until the upload is matched; `partly_loaded`
 * while only a part of the source is there; and `no_source` while the source says that it has nothing of the ecosystem.
 */
export function stateOfIdentity(identity: string, source: string): RawBuilder<string> {
  const i = sql.ref(identity)
  return sql<string>`
  case when ${i}.id is null then 'data_not_loaded' when ${i}.decidability <> 'covered' then ${i}.decidability
    else ${loadOfSource(source)} end`
}
