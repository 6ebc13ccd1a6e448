import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { FrameWriter } from '../backup/frames.ts'
import type { KeyRing } from '../platform/sealing/key-ring.ts'
import { Semaphore } from '../platform/concurrency/semaphore.ts'
import {
  sealOf,
  type ArchiveHeader,
  type ArchiveSummary,
  type OriginalHead,
  type TableSummary,
} from './archive.ts'
import { MoveError } from './move-error.ts'

/** Rows come one by one; they are gathered into frames of at least this size. */
const frameBytes = 64 * 1024

/** Writes the header, the originals and the tables of an archive, one after the other, and its end. */
export class ArchiveWriter {
  readonly #frames: FrameWriter
  readonly #ring: KeyRing
  readonly #tables: Record<string, TableSummary> = {}
  readonly #turns = new Semaphore(1)
  #originals = 0

  constructor(frames: FrameWriter, ring: KeyRing) {
    this.#frames = frames
    this.#ring = ring
  }

  async header(header: ArchiveHeader): Promise<void> {
    await this.#frames.json('H', header)
  }

  /** Before all tables. Several may be on their way: each is written as a whole. */
  async original(head: OriginalHead, sealed: Buffer): Promise<void> {
    await this.#turns.run(async () => {
      await this.#frames.json('O', head)
      await this.#frames.data(sealed)
      await this.#frames.json('E', { rows: 1, sha256: createHash('sha256').update(sealed).digest('hex') })
      this.#originals += 1
    })
  }

  /** `rows` is what a binary COPY sends; `count` is asked when all of it has come. */
  async table(
    { name, columns }: { name: string; columns: readonly string[] },
    rows: AsyncIterable<Buffer>,
    count: () => number,
  ): Promise<number> {
    await this.#frames.json('T', { name, columns })
    const hash = createHash('sha256')
    let chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of rows) {
      hash.update(chunk)
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes < frameBytes) continue
      await this.#frames.data(Buffer.concat(chunks))
      chunks = []
      bytes = 0
    }
    await this.#frames.data(Buffer.concat(chunks))
    const summary = { rows: count(), sha256: hash.digest('hex') }
    this.#tables[name] = summary
    await this.#frames.json('E', summary)
    return summary.rows
  }

  async end(): Promise<Omit<ArchiveSummary, 'header'>> {
    const sha256 = this.#frames.digest()
    await this.#frames.json('F', { sha256, seal: sealOf(this.#ring, sha256) })
    return { originals: this.#originals, tables: this.#tables }
  }
}

/**
 * Has `write` fill a file that only its owner can read. Until it is complete it has another name; a run that is killed leaves only that one, which
 * the next run replaces. Throws MoveError `file_unusable`.
 */
export async function writeFileWhole(
  file: string,
  ring: KeyRing,
  write: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  await refuseExisting(file)
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  try {
    await fill(partial, (frames) => write(new ArchiveWriter(frames, ring)))
    await rename(partial, file)
    await flushFolder(dirname(file))
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function fill(file: string, write: (frames: FrameWriter) => Promise<void>): Promise<void> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(gzip, out).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : 'unknown error'
    throw new MoveError('file_unusable', `${file} cannot be written (${reason}).`, { cause })
  })
  try {
    const filled = write(new FrameWriter(gzip))
    // A disk that is full ends the file while tables are still being read.
    await Promise.race([filled, written.then(() => filled)])
    gzip.end()
    await written
  } catch (error) {
    gzip.destroy()
    await written.catch(() => undefined)
    throw error
  }
}

/** Throws MoveError `file_unusable`. */
export async function refuseExisting(file: string): Promise<void> {
  try {
    await access(file)
  } catch {
    return
  }
  throw new MoveError('file_unusable', `${file} exists already. Name a new file; nothing was written.`)
}

/** The new name of a file is safe once its folder is on the disk. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
