import { sql } from 'kysely'
import type { Tx } from '../database/connection.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'

type Row = { workspaceId: string; id: string }

/** Where a room names originals; the room declares it. The table has the columns id, workspace_id and object_id. */
export type OriginalColumn = {
  table: string
  /** With the bytes, where they are in the database. */
  column: string
  /** What the rows are, for operators: `SBOMs`. */
  label: string
  /** The column with the SHA-256 of the file, where what is kept of it may be compressed; null: what is kept is the file. */
  sha256: string | null
  /** What the column holds and what was sent, where they differ; default: they do not. */
  opened?: (sealing: Sealing, row: Row, bytes: Buffer) => Buffer
  sealed?: (sealing: Sealing, row: Row, original: Buffer) => Buffer
}

/** What a row says of where its original is: one of the two is null. */
type Content = { bytes: Buffer | null; objectId: string | null }

/** Writes `to` where `from` still is: the object, or, where `from` is null, bytes. Returns whether it was. */
export async function replaceOriginal(
  tx: Tx,
  { table, column }: OriginalColumn,
  { workspaceId, id, from, to }: Row & { from: string | null; to: Content },
): Promise<boolean> {
  const isStill = from === null ? sql`${sql.ref(column)} is not null` : sql`object_id = ${from}`
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${to.bytes}, object_id = ${to.objectId}
    where workspace_id = ${workspaceId} and id = ${id} and ${isStill}`.execute(tx)
  return numAffectedRows === 1n
}
