import { sql, type Selectable } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import type { Db, Tx } from '../database/connection.ts'
import type { Tables } from '../database/tables.ts'
import { lastArrival } from '../workspace/families/arrival.ts'
import { prepared } from '../platform/postgres/prepared.ts'
import type { StoredSbom } from './receipt.ts'

type FileKey = { workspaceId: string; familyId: string; sha256: Buffer }
type Family = { workspaceId: string; familyId: string }

type PlanColumns = Pick<
  Selectable<Tables['workspace']>,
  'slug' | 'plan' | 'trial_ends_at' | 'paid_until' | 'closed_at'
>

type DuplicateColumns = {
  id: string | null
  status: StoredSbom['status'] | null
  component_count: number | null
  version_name: string | null
}

/** The workspace's plan, the family's last arrival, and the SBOM of the family that is the same file. Served by sbom (family_id, sha256). */
export async function selectStanding(
  db: Db,
  { workspaceId, familyId, sha256 }: FileKey,
): Promise<{ workspace: PlanColumns; lastArrivalAt: Date | null; duplicate: StoredSbom | null }> {
  const result = await sql<PlanColumns & DuplicateColumns & { last_arrival_at: Date | null }>`
    select w.slug, w.plan, w.trial_ends_at, w.paid_until, w.closed_at,
      ${lastArrival({ workspaceId, familyId })} as last_arrival_at,
      s.id, s.status, s.component_count, v.name as version_name
    from workspace w
    left join sbom s on s.workspace_id = w.id and s.family_id = ${familyId} and s.sha256 = ${sha256}
    left join product_version v on v.family_id = s.family_id and v.id = s.version_id
    where w.id = ${workspaceId}
    ${prepared}`.execute(db)
  const row = result.rows[0]
  if (row === undefined) throw new ServiceError('unauthorized')
  return { workspace: row, lastArrivalAt: row.last_arrival_at, duplicate: duplicateOf(row) }
}

function duplicateOf(row: DuplicateColumns & { slug: string }): StoredSbom | null {
  if (row.id === null || row.status === null || row.component_count === null) return null
  return {
    id: row.id,
    workspaceSlug: row.slug,
    status: row.status,
    components: row.component_count,
    productVersion: row.version_name,
    isDuplicate: true,
  }
}

/** The number the family's next new component will get. */
export async function selectNextComponentNumber(db: Db, { workspaceId, familyId }: Family): Promise<number> {
  const family = await db
    .selectFrom('family')
    .select('next_component_number')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', familyId)
    .executeTakeFirst()
  if (family === undefined) throw new ServiceError('family_not_found')
  return family.next_component_number
}

export async function updateNextComponentNumber(
  tx: Tx,
  { workspaceId, familyId }: Family,
  next: number,
): Promise<void> {
  await tx
    .updateTable('family')
    .set({ next_component_number: next })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', familyId)
    .execute()
}

/** Takes the slot (family, version) from its active SBOM; answers which one that was. Served by sbom_active. */
export async function deactivateSbom(
  tx: Tx,
  { workspaceId, familyId, versionId }: Family & { versionId: string | null },
): Promise<string | null> {
  const row = await tx
    .updateTable('sbom')
    .set({ active: false })
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .where('version_id', versionId === null ? 'is' : '=', versionId)
    .where('active', '=', true)
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Says of a replaced SBOM by which one; only once that one exists. */
export async function updateReplacedBy(
  tx: Tx,
  workspaceId: string,
  ids: { replaced: string; by: string },
): Promise<void> {
  await tx
    .updateTable('sbom')
    .set({ replaced_by: ids.by })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', ids.replaced)
    .execute()
}

/**
 * The name of the family's current version: the one marked so, else the one whose active SBOM arrived last; null when there is none.
 * Retired versions do not count. Served by sbom_family.
 */
export async function selectCurrentVersion(
  db: Db,
  { workspaceId, familyId }: Family,
): Promise<string | null> {
  const result = await sql<{ name: string }>`
    select v.name from product_version v
    join family f on f.id = v.family_id
    left join sbom s on s.workspace_id = v.workspace_id and s.family_id = v.family_id and s.version_id = v.id and s.active
    where v.workspace_id = ${workspaceId} and v.family_id = ${familyId} and v.retired_at is null
      and (v.id = f.current_version_id or s.id is not null)
    order by (v.id = f.current_version_id) is true desc, s.received_at desc nulls last, s.id desc
    limit 1`.execute(db)
  return result.rows[0]?.name ?? null
}
