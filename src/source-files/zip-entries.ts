import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { EntryList } from './entry-list.ts'
import { inflateTogether, type CompressedEntry } from './inflate-together.ts'
import { unpackInto } from './nested-zip.ts'
import { placedEntry, type PlacedEntry } from './placed-entry.ts'
import { describeContent, RefusedData } from './refused-data.ts'

export type ZipEntry = { name: string; bytes: Buffer }

/** Larger than any record of the public data (about 3 MB), far below what would trouble a process. */
export const maxEntryBytes = 64 * 1024 ** 2
const maxTotalBytes = 64 * 1024 ** 3
const maxEntries = 3_000_000
const zipMagic = Buffer.from('PK\u0003\u0004', 'latin1')
const stored = 0
const deflated = 8

export type ZipReading = {
  /** Entries that end in `.json`. */
  count: number
  /** Reads the named share of entries, in the order of the file. */
  read: (wanted?: (index: number) => boolean) => AsyncGenerator<ZipEntry>
  close: () => Promise<void>
}

/**
 * Opens a zip file of JSON records, or one of nothing but such a zip file. Hostile: number of entries, size of each and of all together are
 * bounded, sizes and checksums are checked. Refuses (`RefusedData`) what is cut off or broken anywhere.
 */
export async function openZip(path: string): Promise<ZipReading> {
  return openAt(path, { mayHoldAnother: true })
}

async function openAt(path: string, { mayHoldAnother }: { mayHoldAnother: boolean }): Promise<ZipReading> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const stretches = new Stretches(file, size)
    const { entries, archives } = await listEntries(await openDirectory(stretches, size))
    const [archive] = archives
    if (entries.length === 0 && archives.length === 1 && archive !== undefined && mayHoldAnother)
      return await openInner({ file, stretches, archive })
    return {
      count: entries.length,
      read: (wanted) => readEntries(stretches, entries, wanted ?? (() => true)),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

type Outer = { file: FileHandle; stretches: Stretches; archive: PlacedEntry }

/** The zip file in a zip file is unpacked beside, for as long as it is read. */
async function openInner({ file, stretches, archive }: Outer): Promise<ZipReading> {
  const folder = await mkdtemp(join(tmpdir(), 'zip-in-zip-'))
  const forget = () => rm(folder, { recursive: true, force: true })
  try {
    const toFile = join(folder, 'inner.zip')
    const start = await dataStartOf(stretches, archive)
    await unpackInto(toFile, { file, start, entry: archive })
    await file.close()
    const inner = await openAt(toFile, { mayHoldAnother: false })
    const close = async () => {
      try {
        await inner.close()
      } finally {
        await forget()
      }
    }
    return { ...inner, close }
  } catch (error) {
    await forget()
    throw error
  }
}

/** Reads a file in long stretches: thousands of small entries lie one behind the other. */
class Stretches {
  static readonly #bytes = 4 * 1024 ** 2
  readonly #file: FileHandle
  readonly #fileBytes: number
  #start = 0
  #stretch = Buffer.alloc(0)

  constructor(file: FileHandle, fileBytes: number) {
    this.#file = file
    this.#fileBytes = fileBytes
  }

  /** The bytes at a place; fewer at the end of the file. Valid until the next call. */
  async read(start: number, length: number): Promise<Buffer> {
    if (start < this.#start || start + length > this.#start + this.#stretch.length) {
      // no longer than what is left, whatever a directory says: many files are small
      const left = Math.max(this.#fileBytes - start, 0)
      const buffer = Buffer.allocUnsafe(Math.min(Math.max(length, Stretches.#bytes), left))
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, start)
      this.#start = start
      this.#stretch = buffer.subarray(0, bytesRead)
    }
    return this.#stretch.subarray(start - this.#start, start - this.#start + length)
  }
}

class DirectoryReader extends RandomAccessReader {
  readonly #stretches: Stretches

  constructor(stretches: Stretches) {
    super()
    this.#stretches = stretches
  }

  override read(
    buffer: Buffer,
    offset: number,
    ...[length, position, done]: [number, number, (error: Error | null) => void]
  ): void {
    this.#stretches.read(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset)
        done(bytes.length === length ? null : new Error('the file ends early'))
      },
      (error: unknown) => done(error as Error),
    )
  }
}

async function openDirectory(stretches: Stretches, sizeBytes: number): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(new DirectoryReader(stretches), sizeBytes, {
      autoClose: false,
      lazyEntries: true,
    })
  } catch (cause) {
    const head = await stretches.read(0, zipMagic.length)
    throw broken(
      head.equals(zipMagic) ? 'one that is cut off' : describeContent(await stretches.read(0, 1_024)),
      cause,
    )
  }
}

/** The records, and zip files beside them. */
async function listEntries(zip: ZipFile): Promise<{ entries: EntryList; archives: PlacedEntry[] }> {
  if (zip.entryCount > maxEntries) throw new RefusedData(`the zip file names more than ${maxEntries} files`)
  const entries = new EntryList()
  const archives: PlacedEntry[] = []
  let totalBytes = 0
  try {
    for await (const entry of zip.eachEntry()) {
      if (isHidden(entry.fileName)) continue
      if (entry.fileName.endsWith('.zip')) archives.push(placedEntry(entry))
      if (!entry.fileName.endsWith('.json')) continue
      const placed = placedEntry(entry)
      totalBytes += placed.uncompressedSize
      checkSize(placed, totalBytes)
      entries.add(placed)
    }
  } catch (error) {
    throw error instanceof RefusedData ? error : broken('a damaged directory', error)
  }
  return { entries, archives }
}

/** As in a folder on the disk: what is kept beside the data begins with a dot. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') && part !== '.')
}

function checkSize(entry: PlacedEntry, totalBytes: number): void {
  if (entry.uncompressedSize > maxEntryBytes || entry.compressedSize > maxEntryBytes) {
    throw new RefusedData(`the zip file holds ${entry.fileName} of more than ${maxEntryBytes} bytes`)
  }
  if (totalBytes > maxTotalBytes)
    throw new RefusedData(`the zip file inflates to more than ${maxTotalBytes} bytes`)
}

/** Of content, and of entries: what one call of the library inflates. */
const runBytes = 512 * 1024
const runEntries = 256

async function* readEntries(
  stretches: Stretches,
  entries: EntryList,
  wanted: (index: number) => boolean,
): AsyncGenerator<ZipEntry> {
  let run: CompressedEntry[] = []
  let bytes = 0
  let index = -1
  for (const entry of entries) {
    index += 1
    if (!wanted(index)) continue
    run.push({ entry, compressed: Buffer.from(await readCompressed(stretches, entry)) })
    bytes += entry.uncompressedSize
    if (bytes < runBytes && run.length < runEntries) continue
    yield* inflateRun(run)
    run = []
    bytes = 0
  }
  yield* inflateRun(run)
}

/** Small entries are inflated together; one by one where that fails, to tell which is broken. */
function* inflateRun(run: readonly CompressedEntry[]): Generator<ZipEntry> {
  const contents = run.length > 1 && run.every(isPlainlyDeflated) ? inflateTogether(run) : undefined
  for (const [index, { entry, compressed }] of run.entries()) {
    yield { name: entry.fileName, bytes: contents?.[index] ?? inflate(entry, compressed) }
  }
}

function isPlainlyDeflated({ entry }: CompressedEntry): boolean {
  return entry.compressionMethod === deflated && !entry.isEncrypted
}

/** Local file header (APPNOTE 6.3.10 §4.3.7): 30 bytes, the name and extra fields, whose lengths are its own, then the data. */
const headerBytes = 30
const headerSignature = 0x04034b50

async function readCompressed(stretches: Stretches, entry: PlacedEntry): Promise<Buffer> {
  const dataStart = await dataStartOf(stretches, entry)
  const compressed = await stretches.read(dataStart, entry.compressedSize)
  if (compressed.length < entry.compressedSize) throw broken(`${entry.fileName}, which is cut off`)
  return compressed
}

async function dataStartOf(stretches: Stretches, entry: PlacedEntry): Promise<number> {
  const headerStart = entry.relativeOffsetOfLocalHeader
  const header = await stretches.read(headerStart, headerBytes)
  if (header.length < headerBytes || header.readUInt32LE(0) !== headerSignature) {
    throw broken(`${entry.fileName}, which does not lie where the directory says`)
  }
  return headerStart + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
}

function inflate(entry: PlacedEntry, compressed: Buffer): Buffer {
  if (entry.isEncrypted || (entry.compressionMethod !== stored && entry.compressionMethod !== deflated)) {
    throw broken(`${entry.fileName}, which is encrypted or compressed in an unknown way`)
  }
  const bytes = entry.compressionMethod === stored ? Buffer.from(compressed) : inflated(entry, compressed)
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) {
    throw broken(`${entry.fileName}, whose size or checksum is wrong`)
  }
  return bytes
}

/** Of zlib's own. */
const minChunkBytes = 64

function inflated(entry: PlacedEntry, compressed: Buffer): Buffer {
  try {
    const { uncompressedSize: size } = entry
    // one buffer of the right size instead of a large one that is copied from
    return inflateRawSync(compressed, {
      maxOutputLength: Math.max(size, 1),
      chunkSize: Math.max(size + 1, minChunkBytes),
    })
  } catch (cause) {
    throw broken(`${entry.fileName}, which does not inflate`, cause)
  }
}

function broken(found: string, cause?: unknown): RefusedData {
  return new RefusedData(
    `expected a complete zip file, found ${found}`,
    cause === undefined ? undefined : { cause },
  )
}
