import { sql, type Insertable } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import type { Db, Tx } from '../database/connection.ts'
import type { Tables } from '../database/tables.ts'
import { insertOfJob, type NewJob } from '../queue/enqueue.ts'
import { insertOfAct } from '../audit/record-acts.ts'
import { lastArrival } from '../products/families/arrival.ts'
import { prepared } from '../platform/postgres/prepared.ts'
import type { StoredSbom } from './receipt.ts'
import type { FamilyKey } from '../workspace/monitoring/family-key.ts'
import { planAndDates, type PlanAndDates } from '../workspace/state.ts'

type FileKey = FamilyKey & { sha256: Buffer }
type PlanColumns = PlanAndDates & { slug: string }

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
    select w.slug, ${planAndDates('w')},
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

type SbomInsert = {
  /** All but whether it is active, which it is. */
  row: Omit<Insertable<Tables['sbom']>, 'active'>
  /** Whose `before` says which SBOM was active. */
  act: Parameters<typeof insertOfAct>[1]
  job: NewJob<'match_sbom'>
}

/**
 * Stores an SBOM as the active one of its slot (family, version) in place of the previous one, with the audit event and the job that
 * matches it, in one statement. The slot must be free before the new row enters sbom_active, which also finds the old one: hence the
 * condition on `replaced`.
 */
export async function insertActiveSbom(tx: Tx, { row, act, job }: SbomInsert): Promise<void> {
  const isActive = sql<boolean>`(select count(*) >= 0 from replaced)`
  const before = sql<string | null>`(select jsonb_build_object('activeSbomId', id) from replaced)`
  await tx
    .with('replaced', (db) =>
      db
        .updateTable('sbom')
        .set({ active: false, replaced_by: row.id, replaced_at: row.received_at })
        .where('workspace_id', '=', row.workspace_id)
        .where('family_id', '=', row.family_id)
        .where('version_id', row.version_id === null ? 'is' : '=', row.version_id ?? null)
        .where(sql<boolean>`active`)
        .returning('id'),
    )
    .with('recorded', (db) => insertOfAct(db, act, before))
    .with('enqueued', (db) => insertOfJob(db, job))
    .insertInto('sbom')
    .values({ ...row, active: isActive })
    .modifyEnd(prepared)
    .execute()
}

/**
 * The name of the family's current version: the one marked so, else the one whose active SBOM arrived last; null when there is none.
 * Retired versions do not count. Served by sbom_family.
 */
export async function selectCurrentVersion(
  db: Db,
  { workspaceId, familyId }: FamilyKey,
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
