import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { keyGeneration } from '../../versions/ordering.ts'
import { takenApart, unitSeparator } from '../../platform/postgres/columns.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/**
 * Writes the identities that uploads of a family have left for its matching, so that they can be matched; those that an earlier
 * upload had stay as they are. Once written they are removed from the batch; a second run changes nothing. Returns whether some were
 * identified by an earlier release, whose version keys may differ.
 *
 * Those that are covered only where a record names them count as unnamed until matching has looked (`nameAgain`). Identities are inserted
 * in the order of their ids, so that two families never deadlock.
 */
export async function writeIdentities(
  db: Db,
  { workspaceId, familyId, now }: FamilyKey & { now: Date },
): Promise<{ haveOldKeys: boolean }> {
  const { rows } = await sql<{ haveOldKeys: boolean }>`
    with taken as (
      delete from identity_batch
      where workspace_id = ${workspaceId} and family_id = ${familyId}
      returning *
    ),
    written as (
      insert into component_identity (id, ecosystem, package_key, subject, version, release, stream, scheme, version_key,
      decidability, reason, basis, key_generation, created_at, is_named, other_ecosystems)
    select given.id, given.ecosystem, given.package_key, given.subject, given.version, given.release, given.stream, given.scheme,
      given.version_key, given.decidability, given.reason, given.basis, t.key_generation, ${now}::timestamptz,
      case when given.package_key is not null and given.subject <> '' then false end,
      string_to_array(given.other_ecosystems, ${unitSeparator})
    from taken t
    cross join unnest(
      ${column('id', 'uuid')}, ${column('ecosystem')}, ${column('package_key')}, ${column('subject')}, ${column('version')},
      ${column('release')}, ${column('stream')}, ${column('scheme')}, ${column('version_key', 'bytea')},
      ${column('decidability')}, ${column('reason')}, ${column('basis')}, ${column('other_ecosystems')}
    ) as given (id, ecosystem, package_key, subject, version, release, stream, scheme, version_key, decidability, reason, basis,
      other_ecosystems)
    order by given.id
    on conflict (id) do nothing
    ),
    further as (
      insert into identity_key (identity_id, number, origin, ecosystem, package_key, version, release, stream, scheme,
        version_key, decidability, basis, is_named)
      select (k.key ->> 0)::uuid, (k.key ->> 1)::smallint, k.key ->> 2, k.key ->> 3, k.key ->> 4, k.key ->> 5, k.key ->> 6,
        k.key ->> 7, k.key ->> 8, decode(k.key ->> 9, 'hex'), k.key ->> 10, k.key ->> 11, (k.key ->> 12)::boolean
      from taken t
      cross join jsonb_array_elements(t.further_keys) as k (key)
      order by 1, 2
      on conflict do nothing
    )
    select coalesce(bool_or(key_generation < ${keyGeneration}), false) as "haveOldKeys" from taken
    ${prepared}`.execute(db)
  return rows[0] ?? { haveOldKeys: false }
}

function column(name: string, type: 'text' | 'uuid' | 'bytea' = 'text'): RawBuilder<unknown> {
  return takenApart(sql.ref(`t.${name}`), type)
}
