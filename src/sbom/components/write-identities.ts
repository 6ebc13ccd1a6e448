import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { keyGeneration } from '../../formats/versions/ordering.ts'
import { takenApart } from '../../platform/postgres/columns.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/**
 * Writes the identities that uploads of a family have left for its matching, so that they can be matched; those that an earlier
 * upload had stay as they are. Once written they are no longer kept for it; running it again changes nothing. Returns whether
 * some were identified by an earlier release, whose version keys may be others.
 *
 * What only a record's word covers is unnamed until its matching has looked (`nameAgain`). Identities are inserted in the order of their
 * ids, so that two families never wait for each other in a ring.
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
      decidability, reason, basis, key_generation, created_at, is_named)
    select given.*, t.key_generation, ${now}::timestamptz,
      case when given.package_key is not null and given.subject <> '' then false end
    from taken t
    cross join unnest(
      ${column('id', 'uuid')}, ${column('ecosystem')}, ${column('package_key')}, ${column('subject')}, ${column('version')},
      ${column('release')}, ${column('stream')}, ${column('scheme')}, ${column('version_key', 'bytea')},
      ${column('decidability')}, ${column('reason')}, ${column('basis')}
    ) as given (id, ecosystem, package_key, subject, version, release, stream, scheme, version_key, decidability, reason, basis)
    order by given.id
    on conflict (id) do nothing
    )
    select coalesce(bool_or(key_generation < ${keyGeneration}), false) as "haveOldKeys" from taken
    ${prepared}`.execute(db)
  return rows[0] ?? { haveOldKeys: false }
}

function column(name: string, type: 'text' | 'uuid' | 'bytea' = 'text'): RawBuilder<unknown> {
  return takenApart(sql.ref(`t.${name}`), type)
}
