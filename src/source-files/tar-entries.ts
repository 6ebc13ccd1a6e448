import { open } from 'node:fs/promises'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { fileStream } from './file-stream.ts'
import { RefusedData } from './refused-data.ts'
import { maxEntryBytes } from './zip-entries.ts'

/** A JSON file of a tar archive. */
export type TarEntry = { name: string; bytes: Buffer }

const blockBytes = 512
const maxTotalBytes = 256 * 1024 ** 3
const maxEntries = 3_000_000
/** Of a header that only says something about the next file. */
const maxExtraBytes = 64 * 1024

/** Places of the fields of a header (POSIX.1-2017, pax, "ustar Interchange Format"). */
const at = { size: 124, sum: 148, type: 156, magic: 257, prefix: 345 }

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const gzipMagic = Buffer.from([0x1f, 0x8b])

/** Whether a file begins as a tar archive does, or as one that is packed with Zstandard. */
export function isTarHead(head: Buffer): boolean {
  return head.subarray(0, 4).equals(zstdMagic) || isTarBlock(head)
}

/** Whether inflated bytes begin as a tar archive does. */
export function isTarBlock(head: Buffer): boolean {
  return head.toString('latin1', at.magic, at.magic + 5) === 'ustar'
}

/**
 * The JSON files of a tar archive, plain or packed with Zstandard or gzip, one after the other: nothing is written to disk, and no more than one
 * file is held. Hostile: number and size of files are bounded, checksums of headers are checked, and a name that leads out of the archive is refused
 * (`RefusedData`), as is what is cut off or broken anywhere.
 */
export async function* tarEntries(path: string): AsyncGenerator<TarEntry> {
  const reader = new BlockReader(await openContent(path))
  try {
    yield* readFiles(reader)
  } catch (cause) {
    if (!isInflateError(cause)) throw cause
    throw new RefusedData('expected a complete archive, found one that is broken or cut off', { cause })
  } finally {
    reader.close()
  }
}

async function* readFiles(reader: BlockReader): AsyncGenerator<TarEntry> {
  let given: string | undefined
  for (let entries = 0; ; entries += 1) {
    const header = await reader.take(blockBytes)
    if (header === undefined) throw refusal('one that ends early')
    if (header.every((byte) => byte === 0)) return
    if (entries >= maxEntries) throw refusal(`more than ${maxEntries} files`)
    const { size, type, name } = readHeader(header)
    if (type === 'L' || type === 'x') {
      given = nameIn(await reader.content(size, maxExtraBytes), type) ?? given
      continue
    }
    const called = checkedName(given ?? name)
    given = undefined
    if (type === '0' && called.endsWith('.json'))
      yield { name: called, bytes: await reader.content(size, maxEntryBytes) }
    else await reader.skip(size)
  }
}

function checkedName(name: string): string {
  if (name.startsWith('/') || name.split(/[\\/]/).includes('..'))
    throw refusal(`the name ${JSON.stringify(name.slice(0, 100))}, which leads out of it`)
  return name
}

type Header = { name: string; size: number; type: string }

function readHeader(header: Buffer): Header {
  const text = (from: number, length: number) =>
    header
      .toString('utf8', from, from + length)
      .split('\0', 1)
      .join('')
  if (Number.parseInt(text(at.sum, 8).trim(), 8) !== sumOf(header))
    throw refusal('a header whose checksum is wrong')
  const size = Number.parseInt(text(at.size, 12).trim() || '0', 8)
  if (!Number.isSafeInteger(size) || size < 0) throw refusal('a file of no readable size')
  const prefix = isTarBlock(header) ? text(at.prefix, 155) : ''
  const type = text(at.type, 1)
  const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`
  return { name, size, type: type === '' ? '0' : type }
}

/** With spaces in place of the sum itself. */
function sumOf(header: Buffer): number {
  let sum = 8 * 0x20
  for (let place = 0; place < header.length; place += 1)
    if (place < at.sum || place >= at.sum + 8) sum += header[place] ?? 0
  return sum
}

/** The name of the next file: as GNU writes long ones, or in a record of pax (`27 path=2024/cve-2024-1.json`). */
function nameIn(bytes: Buffer, type: 'L' | 'x'): string | undefined {
  const text = bytes.toString('utf8')
  if (type === 'L') return text.split('\0', 1).join('')
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1]
}

/** Reads exact amounts from a stream, whatever the sizes of its pieces. */
class BlockReader {
  readonly #stream: Readable
  readonly #chunks: AsyncIterator<Buffer>
  #pieces: Buffer[] = []
  #held = 0
  #total = 0

  constructor(stream: Readable) {
    this.#stream = stream
    this.#chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  }

  /** Exactly so many bytes; undefined: the stream ends before. */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.#held < length) if (!(await this.#hold())) return undefined
    const all = this.#pieces.length === 1 ? (this.#pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#pieces)
    this.#keep(all.subarray(length))
    return all.subarray(0, length)
  }

  /** The bytes of a file, and what fills its last block. */
  async content(size: number, maxBytes: number): Promise<Buffer> {
    if (size > maxBytes) throw refusal(`a file of more than ${maxBytes} bytes`)
    const bytes = await this.take(Math.ceil(size / blockBytes) * blockBytes)
    if (bytes === undefined) throw refusal('one that ends in the middle of a file')
    return bytes.subarray(0, size)
  }

  /** As far as a file goes, without putting its pieces together. */
  async skip(size: number): Promise<void> {
    let left = Math.ceil(size / blockBytes) * blockBytes
    while (left > this.#held) {
      left -= this.#held
      this.#keep(Buffer.alloc(0))
      if (!(await this.#hold())) throw refusal('one that ends in the middle of a file')
    }
    await this.take(left)
  }

  #keep(rest: Buffer): void {
    this.#pieces = rest.length === 0 ? [] : [rest]
    this.#held = rest.length
  }

  /** The next piece of the stream; false: it ends. */
  async #hold(): Promise<boolean> {
    const next = await this.#chunks.next()
    if (next.done === true) return false
    this.#total += next.value.length
    if (this.#total > maxTotalBytes) throw refusal(`more than ${maxTotalBytes} bytes`)
    this.#pieces.push(next.value)
    this.#held += next.value.length
    return true
  }

  close(): void {
    this.#stream.destroy()
  }
}

async function openContent(path: string): Promise<Readable> {
  const head = await beginningOf(path)
  const { stream: file, pieceBytes } = await fileStream(path)
  const inflate = inflaterOf(head, pieceBytes)
  if (inflate === undefined) return file
  // the reader of the inflated side hears of the error too; here it only has to close the file
  pipeline(file, inflate, () => undefined)
  return inflate
}

function inflaterOf(head: Buffer, chunkSize: number): Transform | undefined {
  if (head.subarray(0, 4).equals(zstdMagic)) return createZstdDecompress({ chunkSize })
  return head.subarray(0, 2).equals(gzipMagic) ? createGunzip({ chunkSize }) : undefined
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** zlib's own errors have codes such as `Z_BUF_ERROR` (cut off) and `ZSTD_error_prefix_unknown`. */
function isInflateError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^Z(?:STD)?_/.test(error.code)
  )
}

function refusal(found: string): RefusedData {
  return new RefusedData(`expected a complete tar archive, found ${found}`)
}
