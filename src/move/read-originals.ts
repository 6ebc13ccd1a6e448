import { limits } from '../contract/limits.ts'
import type { OriginalColumn } from '../originals/original-column.ts'
import { sha256Of, type Originals } from '../originals/originals.ts'
import { open, SealError } from '../platform/sealing/envelope.ts'
import type { KeyRing } from '../platform/sealing/key-ring.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import { placeOnTheWay, type OriginalHead } from './archive.ts'
import { MoveError } from './move-error.ts'
import { readArchive } from './read-archive.ts'

export type ArrivingOriginals = {
  file: string
  transport: KeyRing
  sealing: Sealing
  originals: Originals
  /** Every table that names originals. */
  originalColumns: readonly OriginalColumn[]
}

type Arrived = { column: OriginalColumn; head: OriginalHead; bytes: Buffer }

/** Of the longest file, however badly it could be compressed, and its envelope. */
const maxBytes = limits.bodyDecompressedBytes + 64 * 1024

/** The originals of an archive, one in memory at a time. Ends where the tables begin. Throws MoveError `file_damaged`. */
export async function* readOriginals(
  workspaceId: string,
  { file, transport, originalColumns }: ArrivingOriginals,
): AsyncGenerator<Arrived> {
  let head: OriginalHead | undefined
  let chunks: Buffer[] = []
  let size = 0
  for await (const part of readArchive(file, transport)) {
    if (part.kind === 'table') return
    if (part.kind === 'original') {
      head = 'lost' in part.head ? undefined : part.head
      chunks = []
      size = 0
    }
    if (part.kind === 'data') {
      size += part.bytes.length
      if (size > maxBytes) throw damagedOriginal('is longer than any file')
      chunks.push(part.bytes)
    }
    if (part.kind !== 'end' || head === undefined) continue
    const column = columnOf(head, originalColumns)
    yield { column, head, bytes: opened({ workspaceId, transport, column }, head, Buffer.concat(chunks)) }
  }
}

/** Where the row is that an original is of. Throws MoveError `file_damaged`. */
export function columnOf(
  { table }: OriginalHead,
  originalColumns: readonly OriginalColumn[],
): OriginalColumn {
  const column = originalColumns.find((each) => each.table === table)
  if (column === undefined) throw damagedOriginal('belongs to a table that names none')
  return column
}

function opened(
  { workspaceId, transport, column }: { workspaceId: string; transport: KeyRing; column: OriginalColumn },
  head: OriginalHead,
  sealed: Buffer,
): Buffer {
  try {
    const bytes = open(transport, placeOnTheWay(workspaceId, head), sealed)
    // of the others what is kept is compressed; their rows are asked
    if (column.sha256 === null && sha256Of(bytes).toString('hex') !== head.sha256)
      throw damagedOriginal('is not what its SHA-256 says')
    return bytes
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw damagedOriginal('cannot be opened')
  }
}

export function damagedOriginal(what: string): MoveError {
  return new MoveError('file_damaged', `An original in the archive ${what}. Nothing was written.`)
}
