import { sql, type RawBuilder } from 'kysely'
import { uuidList } from '../platform/postgres/columns.ts'

/**
 * All keys of identities: the own one, number 0, and the further ones. A query with the columns `id, number, ecosystem, package_key, version,
 * release, stream, scheme, version_key, decidability, basis`; `ids` is an array of identities. Indexes component_identity_pkey,
 * identity_key_pkey.
 */
export function keysOf(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id, 0 as number, ecosystem, package_key, version, release, stream, scheme, version_key, decidability, basis
    from component_identity
    where id = any(${ids})
    union all
    select identity_id, number, ecosystem, package_key, version, release, stream, scheme, version_key, decidability, basis
    from identity_key
    where identity_id = any(${ids})`
}

/** The same of a list. */
export function keysOfIdentities(identityIds: readonly string[]): RawBuilder<unknown> {
  return keysOf(uuidList(identityIds))
}

/**
 * How the key of a match `m` of an identity `i` is known: of those with a CPE as their own key, only the repository beside it is by purl.
 */
export function basisOfMatch(match: string, identity: string): RawBuilder<unknown> {
  const [m, i] = [sql.ref(match), sql.ref(identity)]
  return sql`case
    when ${i}.basis = 'cpe' and ${i}.other_ecosystems is not null and exists (
      select from affected_range r where r.id = ${m}.range_id and not starts_with(r.package_key, 'cpe' || chr(31))
    ) then 'purl'
    else ${i}.basis
  end`
}

/** All keys of one identity, in a lateral join. */
export function keysOfOne(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id, 0 as number, ecosystem, package_key, version, release, stream, scheme, version_key, decidability, basis
    from component_identity
    where id = ${id}
    union all
    select identity_id, number, ecosystem, package_key, version, release, stream, scheme, version_key, decidability, basis
    from identity_key
    where identity_id = ${id}`
}
