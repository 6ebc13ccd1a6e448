import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { scanJson } from '../formats/json/scan.ts'
import { locateSyntaxError } from '../formats/json/syntax-error.ts'
import { describeContent, RefusedData } from './refused-data.ts'
import { fileStream } from './file-stream.ts'
import { tarEntries } from './tar-entries.ts'
import { maxEntryBytes, openZip } from './zip-entries.ts'

/** The bytes of one JSON document and where they came from. `file`: of a line, what it is one of. */
export type SourceDocument = { name: string; bytes: Buffer; file?: string }

/** A readable set of records: a zip file or tar archive, a folder, lines of a file. Close it after reading. */
export type DocumentSource = {
  /** null: not known before the end. */
  count: number | null
  read: () => AsyncGenerator<SourceDocument>
  /** Some documents spread over the set, to tell what it holds. */
  sample: () => AsyncGenerator<SourceDocument>
  close: () => Promise<void>
}

/** Where a set of records lies. `lines`: each line is one; `record`: the file is one. */
export type DocumentFile = { kind: 'zip' | 'tar' | 'folder' | 'lines' | 'record'; path: string }

/** Opens a set of records. Refuses (`RefusedData`) a zip file that is cut off or broken. */
export function openDocuments({ kind, path }: DocumentFile): Promise<DocumentSource> {
  switch (kind) {
    case 'zip':
      return zipDocuments(path)
    case 'tar':
      return Promise.resolve(tarDocuments(path))
    case 'folder':
      return folderDocuments(path)
    case 'lines':
      return Promise.resolve(lineDocuments(path))
    case 'record':
      return Promise.resolve(singleDocument(path))
  }
}

const sampleSize = 64
const maxFolderFiles = 3_000_000
const maxFolderDepth = 10

/** The records of a zip file. */
async function zipDocuments(path: string): Promise<DocumentSource> {
  const zip = await openZip(path)
  const step = Math.max(1, Math.floor(zip.count / sampleSize))
  return {
    count: zip.count,
    read: () => zip.read(),
    sample: () => zip.read((index) => index % step === 0),
    close: zip.close,
  }
}

/** The records of a tar archive, in their order: it has no list of them. */
function tarDocuments(path: string): DocumentSource {
  return {
    count: null,
    read: () => tarEntries(path),
    sample: () => firstOf(tarEntries(path)),
    close: () => Promise.resolve(),
  }
}

async function* firstOf(documents: AsyncGenerator<SourceDocument>): AsyncGenerator<SourceDocument> {
  let number = 0
  for await (const document of documents) {
    yield document
    if ((number += 1) >= sampleSize) return
  }
}

/** The `.json` files of a folder and of its sub-folders, in the order of their names. */
async function folderDocuments(folder: string): Promise<DocumentSource> {
  const paths = await listJsonFiles(folder, 0)
  const step = Math.max(1, Math.floor(paths.length / sampleSize))
  return {
    count: paths.length,
    read: () => readFiles(paths),
    sample: () => readFiles(paths.filter((_, index) => index % step === 0)),
    close: () => Promise.resolve(),
  }
}

async function listJsonFiles(folder: string, depth: number): Promise<string[]> {
  if (depth > maxFolderDepth) throw new RefusedData(`${folder} lies more than ${maxFolderDepth} folders deep`)
  const entries = await readdir(folder, { withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) paths.push(...(await listJsonFiles(path, depth + 1)))
    else if (entry.isFile() && entry.name.endsWith('.json')) paths.push(path)
    if (paths.length > maxFolderFiles)
      throw new RefusedData(`${folder} holds more than ${maxFolderFiles} files`)
  }
  return paths
}

async function* readFiles(paths: readonly string[]): AsyncGenerator<SourceDocument> {
  for (const path of paths) yield { name: path, bytes: await readBounded(path) }
}

/** A file of at most 64 MB, whole. */
export async function readBounded(path: string): Promise<Buffer> {
  const { size } = await stat(path)
  if (size > maxEntryBytes) throw new RefusedData(`${path} is larger than ${maxEntryBytes} bytes`)
  return readFile(path)
}

/** The lines of an NDJSON file, each a record. */
function lineDocuments(path: string): DocumentSource {
  return {
    count: null,
    read: () => readLines(path),
    sample: () => readLines(path, sampleSize),
    close: () => Promise.resolve(),
  }
}

/** A file that is one record. */
function singleDocument(path: string): DocumentSource {
  const read = () => readFiles([path])
  return { count: 1, read, sample: read, close: () => Promise.resolve() }
}

async function* readLines(path: string, max = Infinity): AsyncGenerator<SourceDocument> {
  let number = 0
  for await (const bytes of splitLines(path)) {
    number += 1
    if (number > max) return
    if (bytes.some((byte) => byte > 0x20)) yield { name: `line ${number}`, bytes, file: path }
  }
}

/** The lines of a file of any size, each of at most 64 MB, without their ends. */
export async function* splitLines(path: string): AsyncGenerator<Buffer> {
  let pending: Buffer[] = []
  let pendingBytes = 0
  const { stream } = await fileStream(path)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      yield withoutReturn(Buffer.concat([...pending, chunk.subarray(start, end)]))
      pending = []
      pendingBytes = 0
      start = end + 1
    }
    pending.push(chunk.subarray(start))
    pendingBytes += chunk.length - start
    if (pendingBytes > maxEntryBytes) throw new RefusedData(`a line is longer than ${maxEntryBytes} bytes`)
  }
  if (pendingBytes > 0) yield withoutReturn(Buffer.concat(pending))
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 0x0d ? line.subarray(0, -1) : line
}

/** From this size on a document is judged by its tokens before anything is built of it. */
const scannedFromBytes = 1024 ** 2

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text and the parsed value of a document. Refuses (`RefusedData`) what is not JSON in UTF-8, or too complex. */
export function parseDocument({ name, bytes }: SourceDocument): { text: string; value: unknown } {
  if (bytes.length >= scannedFromBytes) refuseComplex(name, bytes)
  const text = decode(name, bytes)
  try {
    return { text, value: JSON.parse(text) }
  } catch (cause) {
    refuseComplex(name, bytes)
    const looksLikeJson = /^\s*[[{]/.test(text)
    const found = looksLikeJson ? `a mistake at ${locateSyntaxError(text)}` : describeContent(bytes)
    throw new RefusedData(`${name}: expected JSON, found ${found}`, { cause })
  }
}

function refuseComplex(name: string, bytes: Buffer): void {
  const scan = scanJson(bytes, [])
  if (scan.kind === 'over_budget')
    throw new RefusedData(`${name}: more ${scan.budget} than any real document has`)
}

/** The decoder drops a byte-order mark. */
function decode(name: string, bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new RefusedData(`${name}: expected text in UTF-8, found other bytes`, { cause })
  }
}
