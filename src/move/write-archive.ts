import { createHash, type Hash } from 'node:crypto'
import type { FrameWriter } from '../backup/frames.ts'
import { refuseExisting, writeRows, writeWholeFile } from '../backup/whole-file.ts'
import type { KeyRing } from '../platform/sealing/key-ring.ts'
import { Semaphore } from '../platform/concurrency/semaphore.ts'
import {
  sealOf,
  type ArchiveHeader,
  type ArchiveSummary,
  type LostHead,
  type OriginalHead,
  type TableSummary,
} from './archive.ts'
import { MoveError } from './move-error.ts'

/** Writes the header, the originals and the tables of an archive, one after the other, and its end. */
export class ArchiveWriter {
  readonly #frames: FrameWriter
  readonly #ring: KeyRing
  readonly #tables: Record<string, TableSummary> = {}
  readonly #turns = new Semaphore(1)
  #originals = 0
  readonly #lost: LostHead[] = []

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

  /** One whose bytes are lost, in its place among the others. */
  async lost(head: LostHead): Promise<void> {
    await this.#turns.run(async () => {
      await this.#frames.json('O', head)
      await this.#frames.json('E', { rows: 0, sha256: createHash('sha256').digest('hex') })
      this.#lost.push(head)
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
    await writeRows(this.#frames, hashed(rows, hash))
    const summary = { rows: count(), sha256: hash.digest('hex') }
    this.#tables[name] = summary
    await this.#frames.json('E', summary)
    return summary.rows
  }

  async end(): Promise<Omit<ArchiveSummary, 'header'>> {
    const sha256 = this.#frames.digest()
    await this.#frames.json('F', { sha256, seal: sealOf(this.#ring, sha256) })
    return { originals: this.#originals, lost: this.#lost, tables: this.#tables }
  }
}

async function* hashed(rows: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    hash.update(chunk)
    yield chunk
  }
}

const unusable = (message: string, options?: ErrorOptions) => new MoveError('file_unusable', message, options)

/** Has `write` fill an archive. Throws MoveError `file_unusable`. */
export async function writeArchive(
  file: string,
  ring: KeyRing,
  write: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  await writeWholeFile({ file, unusable, write: (frames) => write(new ArchiveWriter(frames, ring)) })
}

/** Throws MoveError `file_unusable`. */
export async function refuseExistingArchive(file: string): Promise<void> {
  await refuseExisting(file, unusable)
}
