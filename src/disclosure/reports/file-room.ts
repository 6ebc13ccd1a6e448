import { sql } from 'kysely'
import { reportLimits, type FileRoom } from '../../contract/disclosure/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'

type Used = { all: number; spam: number; max: number }

/** What is taken, and how much the operator allows. Index inbox_report_listed, then inbox_attachment_report. */
async function usedBytes(db: Db, workspaceId: string): Promise<Used> {
  const { rows } = await sql<Used>`
    select coalesce(sum(a.size_bytes), 0)::bigint as all,
      coalesce(sum(a.size_bytes) filter (where r.state = 'spam'), 0)::bigint as spam,
      coalesce((select most_file_bytes from workspace where id = ${workspaceId}), ${reportLimits.workspaceBytes})::bigint as max
    from inbox_report r join inbox_attachment a on a.report_id = r.id
    where r.workspace_id = ${workspaceId}`.execute(db)
  return rows[0] ?? { all: 0, spam: 0, max: reportLimits.workspaceBytes }
}

/** How much of the room for files is taken. */
export async function fileRoomOf(db: Db, workspaceId: string): Promise<FileRoom> {
  const { all, max } = await usedBytes(db, workspaceId)
  return { usedBytes: all, maxBytes: max }
}

/**
 * Refuses files over the limit of a workspace, in the transaction that stores them. Reports taken for spam have only a part of the space,
 * so that they leave some to the others. Codes: `too_large`.
 */
export async function refuseFilesWithoutRoom(
  tx: Tx,
  { workspaceId, sizeBytes, isSpam }: { workspaceId: string; sizeBytes: number; isSpam: boolean },
): Promise<void> {
  if (sizeBytes === 0) return
  // reports that arrive at the same moment are counted one after the other
  await sql`select pg_advisory_xact_lock(hashtextextended(${workspaceId}, 7404))`.execute(tx)
  const used = await usedBytes(tx, workspaceId)
  const isFull =
    used.all + sizeBytes > used.max || (isSpam && used.spam + sizeBytes > used.max * reportLimits.spamShare)
  if (isFull) throw new ServiceError('too_large', { message: 'There is no room for files.' })
}
