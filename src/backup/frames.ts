import { createHash, type Hash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { once } from 'node:events'
import { BackupError } from './backup-error.ts'

/**
 * A backup file is a gzip stream of frames: one letter, the length of the payload as four bytes (big-endian), the payload.
 *
 *     H  header, JSON           what the file is and which schema it holds
 *     T  table, JSON            the name, columns and sequences of the table that follows
 *     D  data                   PostgreSQL's COPY in its binary format
 *     E  end of table, JSON     how many rows it had
 *     F  end of file, JSON      the SHA-256 of every byte before this frame
 *     O  original, JSON         in the archive of a workspace: which file the data that follow are
 */
export type FrameKind = 'H' | 'T' | 'D' | 'E' | 'F' | 'O'
export type Frame = { kind: FrameKind; payload: Buffer }

const headBytes = 5
/** Longer data is split into several frames; a reader refuses what claims to be longer. */
export const maxPayloadBytes = 1024 * 1024
const kinds: ReadonlySet<string> = new Set<FrameKind>(['H', 'T', 'D', 'E', 'F', 'O'])

/** Writes frames to a stream at the speed it takes them. */
export class FrameWriter {
  readonly #sink: Writable
  readonly #hash: Hash = createHash('sha256')

  constructor(sink: Writable) {
    this.#sink = sink
  }

  async json(kind: Exclude<FrameKind, 'D'>, value: unknown): Promise<void> {
    await this.#frame(kind, Buffer.from(JSON.stringify(value)))
  }

  /** Any length; split where it is too long for one frame. */
  async data(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; from += maxPayloadBytes) {
      await this.#frame('D', bytes.subarray(from, from + maxPayloadBytes))
    }
  }

  /** The SHA-256 of everything written so far, in hex. */
  digest(): string {
    return this.#hash.copy().digest('hex')
  }

  async #frame(kind: FrameKind, payload: Buffer): Promise<void> {
    const head = Buffer.alloc(headBytes)
    head.write(kind, 0, 'latin1')
    head.writeUInt32BE(payload.length, 1)
    this.#hash.update(head).update(payload)
    this.#sink.write(head)
    if (this.#sink.write(payload)) return
    // it takes nothing more and tells nobody: whoever waited for it would keep a session of the database
    if (this.#sink.destroyed) throw new Error('the file is given up')
    await once(this.#sink, 'drain')
  }
}

/**
 * The frames of an inflated backup, each with the digest of everything before it. Throws BackupError `file_damaged` for
 * bytes that are no frames and for an end in the middle of one.
 */
export async function* readFrames(source: Readable): AsyncGenerator<Frame & { digestBefore: () => string }> {
  const hash = createHash('sha256')
  // joined only once a frame is whole, so that its bytes are not copied again with every chunk
  let chunks: Buffer[] = []
  let arrived = 0
  let wanted = headBytes
  for await (const chunk of source as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    arrived += chunk.length
    if (arrived < wanted) continue
    let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    let head = readHead(rest)
    for (; head !== undefined && head.size <= rest.length; head = readHead(rest)) {
      const { kind, size } = head
      yield { kind, payload: rest.subarray(headBytes, size), digestBefore: () => hash.copy().digest('hex') }
      hash.update(rest.subarray(0, size))
      rest = rest.subarray(size)
    }
    wanted = head?.size ?? headBytes
    chunks = rest.length === 0 ? [] : [rest]
    arrived = rest.length
  }
  if (arrived > 0) throw new BackupError('file_damaged', 'The backup ends in the middle of a record.')
}

/** undefined: it is not whole yet. */
function readHead(bytes: Buffer): { kind: FrameKind; size: number } | undefined {
  if (bytes.length < headBytes) return undefined
  const kind = bytes.toString('latin1', 0, 1)
  const length = bytes.readUInt32BE(1)
  if (!isKind(kind) || length > maxPayloadBytes)
    throw new BackupError('file_damaged', 'The file is not a backup of this service, or it is damaged.')
  return { kind, size: headBytes + length }
}

function isKind(text: string): text is FrameKind {
  return kinds.has(text)
}

/** The JSON object of a frame; null where it holds none. */
export function recordOf({ payload }: Frame): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'))
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** What may follow a frame of a backup: a header, tables each with their data and their end, and the end of the file. */
export const framesAfter: Record<Frame['kind'], Frame['kind'][]> = {
  H: ['T', 'F'],
  T: ['D', 'E'],
  D: ['D', 'E'],
  E: ['T', 'F'],
  F: [],
  O: [],
}
