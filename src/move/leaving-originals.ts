import type { Client } from 'pg'
import { ServiceError } from '../contract/errors.ts'
import { inParallel } from '../platform/concurrency/in-parallel.ts'
import type { KnownObject } from '../originals/object-rows.ts'
import type { OriginalColumn } from '../originals/original-column.ts'
import { keyOfObject, sha256Of, UnreadableOriginal, type Originals } from '../originals/originals.ts'
import { seal } from '../platform/sealing/envelope.ts'
import type { KeyRing } from '../platform/sealing/key-ring.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import { placeOnTheWay } from './archive.ts'
import { MoveError } from './move-error.ts'
import { openOr } from './sealed.ts'
import type { ArchiveWriter } from './write-archive.ts'

export type LeavingOriginals = {
  workspaceId: string
  /** What this installation seals with. */
  sealing: Sealing
  originals: Originals
  /** Every table that names originals. */
  originalColumns: readonly OriginalColumn[]
  /** What the archive is sealed with on its way. */
  transport: KeyRing
  onProgress: (progress: { label: string; done: number; total: number | null }) => void
}

/** So many are read from the object store at once, and are in memory. */
const originalsAtOnce = 4
const rowsAtOnce = 500
const notWritten = 'Nothing was written.'

/** What the row says of it: its bytes, or the object that holds them. */
type Leaving = { id: string; sha256: Buffer } & (
  | { bytes: Buffer; object: null }
  | { bytes: null; object: KnownObject }
)

/**
 * Writes every original of a workspace, wherever it lies, as it was sent: read and compared with what was put, and sealed with the transport key; of one
 * that was given up, that it is lost. Throws MoveError `original_lost`, which names each that cannot be read, `wrong_key`.
 */
export async function writeOriginals(
  session: Client,
  writer: ArchiveWriter,
  exporting: LeavingOriginals,
): Promise<void> {
  const { workspaceId, transport, originals, originalColumns, onProgress } = exporting
  const unreadable: string[] = []
  for (const column of originalColumns) {
    let done = 0
    await inParallel(leavingOf(session, column, exporting), originalsAtOnce, async (leaving) => {
      const { id, sha256 } = leaving
      const head = { table: column.table, id, sha256: sha256.toString('hex') }
      const { object } = leaving
      const read = object === null ? leaving.bytes : await readObject(originals, object)
      if (!(read instanceof UnreadableOriginal))
        await writer.original(head, seal(transport, placeOnTheWay(workspaceId, head), read))
      else if (object?.isLost === true) await writer.lost({ ...head, lost: read.reason })
      else {
        const key = object === null ? '' : keyOfObject(originals.prefix, object)
        unreadable.push(`${read.message} It belongs to ${column.label} (${id}); its key is ${key}.`)
      }
      done += 1
      onProgress({ label: `writing, originals (${column.label})`, done, total: null })
    })
  }
  if (unreadable.length === 0) return
  throw new MoveError(
    'original_lost',
    `${unreadable.join('\n')}\n${notWritten} Restore them and export again. What is lost for good is given up by its SHA-256 ` +
      'with "objects give-up": the export then goes on without it and says so.',
  )
}

/** A select list in which an original and its object are nothing: originals travel by themselves. */
export function withoutOriginals(
  originalColumns: readonly OriginalColumn[],
  { name, columns }: { name: string; columns: readonly string[] },
): string {
  const column = originalColumns.find(({ table }) => table === name)?.column
  return columns
    .map((each) => {
      if (column === undefined) return each
      if (each === 'object_id') return 'NULL::uuid AS object_id'
      return each === column ? `NULL::bytea AS ${each}` : each
    })
    .join(', ')
}

type Row = { id: string; inDatabase: boolean } & Omit<KnownObject, 'id' | 'workspaceId'> & {
    objectId: string | null
  }

async function* leavingOf(
  session: Client,
  column: OriginalColumn,
  { workspaceId, sealing }: LeavingOriginals,
): AsyncGenerator<Leaving> {
  const { table } = column
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await session.query<Row>(
      `SELECT t.id, t.${column.column} IS NOT NULL AS "inDatabase", o.id AS "objectId", o.sha256, o.sealed_sha256 AS "sealedSha256",
         o.sealed_bytes AS "sealedBytes", o.key_id AS "keyId", o.state = 'lost' AS "isLost"
       FROM ${table} t LEFT JOIN original_object o ON o.workspace_id = t.workspace_id AND o.id = t.object_id
       WHERE t.workspace_id = $1 AND t.id > $2 AND (t.${column.column} IS NOT NULL OR t.object_id IS NOT NULL)
       ORDER BY t.id LIMIT ${rowsAtOnce}`,
      [workspaceId, after],
    )
    for (const { id, inDatabase, objectId, ...object } of rows) {
      if (inDatabase)
        yield { id, object: null, ...(await selectBytes(session, column, { workspaceId, id, sealing })) }
      else if (objectId !== null)
        yield { id, bytes: null, sha256: object.sha256, object: { ...object, id: objectId, workspaceId } }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return
    after = last.id
  }
}

/** One at a time: a row may hold as much as a file is long. */
async function selectBytes(
  session: Client,
  { table, column, sha256, opened }: OriginalColumn,
  { workspaceId, id, sealing }: { workspaceId: string; id: string } & Pick<LeavingOriginals, 'sealing'>,
): Promise<{ bytes: Buffer; sha256: Buffer }> {
  const { rows } = await session.query<{ bytes: Buffer; sha256: Buffer | null }>(
    `SELECT ${column} AS bytes, ${sha256 ?? 'NULL::bytea'} AS sha256 FROM ${table} WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`a row of ${table} is gone from a snapshot`)
  const bytes = openOr(() => opened?.(sealing, { workspaceId, id }, row.bytes) ?? row.bytes, table)
  return { bytes, sha256: row.sha256 ?? sha256Of(bytes) }
}

async function readObject(originals: Originals, object: KnownObject): Promise<Buffer | UnreadableOriginal> {
  try {
    return await originals.readObject(object)
  } catch (error) {
    if (error instanceof UnreadableOriginal) return error
    if (!(error instanceof ServiceError && error.code === 'not_configured')) throw error
    throw new MoveError('original_lost', `${error.message} ${notWritten}`, { cause: error })
  }
}
