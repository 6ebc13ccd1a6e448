import { sql } from 'kysely'
import type { Page } from '../../contract/page.ts'
import type { RemovedSbom, RemovedSbomDetail } from '../../contract/sbom/retention.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

const cursorShape = { list: 'removed-sboms', kinds: ['time', 'uuid'] } as const

/** What is left of the SBOMs that a family has removed, the last first. Index removed_sbom_family. Codes: `invalid_request` (cursor). */
export async function listRemovedSboms(
  db: Db,
  { workspaceId, familyId, cursor }: FamilyKey & { cursor: string | undefined },
): Promise<Page<RemovedSbom>> {
  let query = removedSboms(db, { workspaceId, familyId })
    .orderBy('r.removed_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(askedRows)
  if (cursor !== undefined) {
    const [removedAt, id] = decodeCursor(cursorShape, cursor)
    query = query.where(sql<boolean>`(r.removed_at, r.id) < (${removedAt}::timestamptz, ${id}::uuid)`)
  }
  const { count } = await db
    .selectFrom('removed_sbom')
    .select(db.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .executeTakeFirstOrThrow()
  const { shown, nextCursor } = cutPage(await query.execute(), {
    shape: cursorShape,
    position: (row) => [row.removed_at.toISOString(), row.id],
  })
  return { rows: shown.map(toRemovedSbom), nextCursor, total: count }
}

/** Of a family, with the name of their version. */
export function removedSboms(db: Db, { workspaceId, familyId }: FamilyKey) {
  return db
    .selectFrom('removed_sbom as r')
    .leftJoin('product_version as v', 'v.id', 'r.version_id')
    .selectAll('r')
    .select('v.name as version')
    .where('r.workspace_id', '=', workspaceId)
    .where('r.family_id', '=', familyId)
}

/** What is left of one SBOM. Codes: `not_found`. */
export async function selectRemovedSbom(
  db: Db,
  { workspaceId, sbomId }: { workspaceId: string; sbomId: string },
): Promise<RemovedSbomDetail> {
  const row = await db
    .selectFrom('removed_sbom as r')
    .innerJoin('family as f', 'f.id', 'r.family_id')
    .leftJoin('product_version as v', 'v.id', 'r.version_id')
    .selectAll('r')
    .select(['v.name as version', 'f.name as family_name'])
    .where('r.workspace_id', '=', workspaceId)
    .where('r.id', '=', sbomId)
    .where('f.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  return { ...toRemovedSbom(row), family: { id: row.family_id, name: row.family_name } }
}

type Row = Awaited<ReturnType<ReturnType<typeof removedSboms>['execute']>>[number]

export function toRemovedSbom(row: Row): RemovedSbom {
  return {
    id: row.id,
    version: row.version,
    sha256: row.sha256.toString('hex'),
    format: row.format,
    specVersion: row.spec_version,
    sizeBytes: row.size_bytes,
    components: row.component_count,
    findings: row.finding_count,
    receivedAt: row.received_at.toISOString(),
    replacedAt: row.replaced_at.toISOString(),
    removedAt: row.removed_at.toISOString(),
    keep: row.keep,
    amount: row.amount,
    isCraLifted: row.cra_lifted,
  }
}
