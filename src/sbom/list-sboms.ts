import { sql } from 'kysely'
import type { Page } from '../contract/page.ts'
import type { SbomRow } from '../contract/sbom/rows.ts'
import type { Db } from '../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../platform/cursor.ts'
import { sbomRows, toSbomRow } from './sbom-row.ts'
import type { FamilyKey } from '../workspace/monitoring/family-key.ts'

const cursorShape = { list: 'sboms', kinds: ['time', 'uuid'] } as const

/** The family's SBOM history, newest first. Served by the index sbom_family. Codes: `invalid_request` (cursor). */
export async function listSboms(
  db: Db,
  { workspaceId, familyId, cursor }: FamilyKey & { cursor: string | undefined },
): Promise<Page<SbomRow>> {
  let query = sbomRows(db, workspaceId)
    .where('s.family_id', '=', familyId)
    .orderBy('s.received_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(askedRows)
  if (cursor !== undefined) {
    const [receivedAt, id] = decodeCursor(cursorShape, cursor)
    query = query.where(sql<boolean>`(s.received_at, s.id::text) < (${receivedAt}::timestamptz, ${id}::text)`)
  }
  const rows = await query.execute()
  const { count } = await db
    .selectFrom('sbom')
    .select(db.fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .executeTakeFirstOrThrow()
  const { shown, nextCursor } = cutPage(rows, {
    shape: cursorShape,
    position: (row) => [row.received_at.toISOString(), row.id],
  })
  return {
    rows: shown.map(toSbomRow),
    nextCursor,
    total: Number(count),
  }
}

/** The newest accepted SBOM of each version, with the version it stands for (null: the slot without version). */
export async function listActiveSboms(
  db: Db,
  { workspaceId, familyId }: FamilyKey,
): Promise<{ versionId: string | null; sbom: SbomRow }[]> {
  const rows = await sbomRows(db, workspaceId)
    .where('s.family_id', '=', familyId)
    .where('s.active', '=', true)
    .orderBy('s.received_at', 'desc')
    .execute()
  return rows.map((row) => ({ versionId: row.version_id, sbom: toSbomRow(row) }))
}
