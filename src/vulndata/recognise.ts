import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { parseDocument, readBounded, splitLines, type DocumentFile } from '../source-files/documents.ts'
import { isTarBlock, isTarHead } from '../source-files/tar-entries.ts'
import { describeContent, RefusedData } from '../source-files/refused-data.ts'
import { sources } from './sources/all.ts'
import type { FileKind } from './sources/source.ts'

/** What a file of vulnerability data is: one that a source reads as a whole, or documents that may be records of any. */
export type Recognised = { source: string; file: FileKind } | DocumentFile

const headBytes = 64 * 1024
const zipMagic = Buffer.from('PK\u0003\u0004', 'latin1')
const emptyZipMagic = Buffer.from('PK\u0005\u0006', 'latin1')
const gzipMagic = Buffer.from([0x1f, 0x8b])

/**
 * Recognises a file by its content: a zip file or tar archive, records as lines or one alone, or what a source says is its own, also as gzip. Refuses
 * (`RefusedData`) everything else with what was found.
 */
export async function recogniseFile(path: string): Promise<Recognised> {
  const head = await readHead(path)
  const archive = archiveKind(head)
  if (archive !== undefined) return { kind: archive, path }
  const isCompressed = isPrefix(gzipMagic, head)
  const inflated = isCompressed ? await inflatedHead(head) : head
  if (isCompressed && isTarBlock(inflated)) return { kind: 'tar', path }
  const text = isCompressed ? inflated.toString('utf8') : textOf(head)
  const [line = ''] = text.split('\n', 1)
  const own = ownFile((file) => file.begins?.({ text, line, isCompressed }) === true)
  if (own !== undefined) return own
  if (isCompressed) throw new RefusedData('expected vulnerability data, found a gzip file of another kind')
  if (text.startsWith('{') || text.startsWith('[')) return recogniseJson(path)
  throw refuseText(line, head)
}

function archiveKind(head: Buffer): 'zip' | 'tar' | undefined {
  if (isPrefix(zipMagic, head) || isPrefix(emptyZipMagic, head)) return 'zip'
  return isTarHead(head) ? 'tar' : undefined
}

function ownFile(isOwn: (file: FileKind) => boolean): { source: string; file: FileKind } | undefined {
  for (const { id, file } of sources) if (file !== undefined && isOwn(file)) return { source: id, file }
  return undefined
}

function textOf(head: Buffer): string {
  return head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
}

/** The first line alone identifies a file of records in lines, which may be too large to read whole. */
async function recogniseJson(path: string): Promise<Recognised> {
  for await (const bytes of splitLines(path)) {
    const line = bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trim()
    if (line === '') continue
    if (isRecord(parsedLine(line), path)) return { kind: 'lines', path }
    break
  }
  const { value } = parseDocument({ name: 'the file', bytes: await readBounded(path) })
  if (Array.isArray(value) && value.length === 0)
    throw new RefusedData('expected entries, found an empty list')
  const own = ownFile((file) => file.holds?.(value) === true)
  if (own !== undefined) return own
  if (isRecord(value, path)) return { kind: 'record', path }
  const found = Array.isArray(value) ? 'a list' : 'JSON'
  throw new RefusedData(`expected vulnerability data, found ${found} of an unknown kind`)
}

function isRecord(value: unknown, path: string): boolean {
  return sources.some(({ records }) => records?.is(value, path) === true)
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    // an ordinary document continues on the next line
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function refuseText(line: string, head: Buffer): RefusedData {
  if (/^\d{4}-\d{2}-\d{2}T[^,]{5,40},\S+$/.test(line.trim().slice(0, 300))) {
    return new RefusedData(
      'expected vulnerability data, found an index of modified records: give the folder or address it lies in',
    )
  }
  return new RefusedData(`expected vulnerability data, found ${describeContent(head)}`)
}

function isPrefix(magic: Buffer, head: Buffer): boolean {
  return head.subarray(0, magic.length).equals(magic)
}

/** The first 64 KB of a file. */
export async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(headBytes)
    const { bytesRead } = await file.read(buffer, 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** As much as the beginning of a gzip file gives. */
async function inflatedHead(head: Buffer): Promise<Buffer> {
  const gunzip = createGunzip()
  gunzip.end(head)
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) return chunk.subarray(0, 4_096)
  } catch (error) {
    // the beginning of a file is always cut off; the caller reports what is not gzip data at all
    if (!(error instanceof Error && 'code' in error)) throw error
  }
  return Buffer.alloc(0)
}
