import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { isEuKevEntry } from './eukev.ts'
import { isEpssHeader } from './epss/read-scores.ts'
import { isEuvdRecord } from './euvd/compile-score.ts'
import { isEuvdDumpEntry } from './euvd-dump.ts'
import { isMappingHeader } from './euvd-mapping.ts'
import { isKev } from './kev.ts'
import { isOverride } from './nvd/read-cve.ts'
import { parseDocument, readBounded, splitLines } from './osv/documents.ts'
import { fieldOf, listField } from './osv/fields.ts'
import { describeContent, RefusedData } from './refused-data.ts'
import { isCveRecord } from './vulnrichment/read-cve-record.ts'

/** What a file of vulnerability data is, told from its content. */
export type FileKind =
  'zip' | 'records' | 'record' | 'kev' | 'eukev' | 'euvd' | 'euvdMapping' | 'euvdRecords' | 'nvd' | 'epss'

const headBytes = 64 * 1024
const zipMagic = Buffer.from('PK\u0003\u0004', 'latin1')
const emptyZipMagic = Buffer.from('PK\u0005\u0006', 'latin1')
const gzipMagic = Buffer.from([0x1f, 0x8b])

/**
 * Recognises a file by its content: a zip file, OSV records, overrides of NVD entries or CVE records as lines or one alone, CISA KEV,
 * EU KEV, the EUVD dump, records of EUVD, the mapping of its ids, an NVD feed and EPSS scores (both also gzip). Refuses (`RefusedData`) everything else with what was found.
 */
export async function recogniseFile(path: string): Promise<FileKind> {
  const head = await readHead(path)
  if (isPrefix(zipMagic, head) || isPrefix(emptyZipMagic, head)) return 'zip'
  if (isPrefix(gzipMagic, head)) return recogniseCompressed(await inflatedHead(head))
  const text = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  const [line = ''] = text.split('\n', 1)
  if (isNvdFeed(text)) return 'nvd'
  if (text.startsWith('{') || text.startsWith('[')) return recogniseJson(path)
  if (isEpssHeader(line)) return 'epss'
  if (isMappingHeader(line)) return 'euvdMapping'
  throw refuseText(line, head)
}

/** The first line alone tells a file of records in lines, which may be too large to be read whole. */
async function recogniseJson(path: string): Promise<FileKind> {
  for await (const bytes of splitLines(path)) {
    const line = bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trim()
    if (line === '') continue
    if (isRecord(parsedLine(line))) return 'records'
    break
  }
  const { value } = parseDocument({ name: 'the file', bytes: await readBounded(path) })
  if (isKev(value)) return 'kev'
  if (fieldOf(value, 'format') === 'NVD_CVE') return 'nvd'
  if (isEuvdRecord(listField(value, 'items')[0])) return 'euvdRecords'
  if (Array.isArray(value)) return recogniseList(value)
  if (isRecord(value)) return 'record'
  throw new RefusedData('expected vulnerability data, found JSON of an unknown kind')
}

function recogniseList(list: readonly unknown[]): FileKind {
  const [first] = list
  if (list.length === 0) throw new RefusedData('expected entries, found an empty list')
  if (isEuKevEntry(first)) return 'eukev'
  if (isEuvdDumpEntry(first)) return 'euvd'
  if (isEuvdRecord(first)) return 'euvdRecords'
  throw new RefusedData(
    'expected the EU KEV file, the EUVD dump or EUVD records, found a list of an unknown kind',
  )
}

function isRecord(value: unknown): boolean {
  return (
    isOverride(value) ||
    isCveRecord(value) ||
    isEuvdRecord(value) ||
    (typeof fieldOf(value, 'id') === 'string' && typeof fieldOf(value, 'modified') === 'string')
  )
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    // an ordinary document goes on in the next line
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

function recogniseCompressed(head: Buffer): FileKind {
  const text = head.toString('utf8')
  const [line = ''] = text.split('\n', 1)
  if (isEpssHeader(line)) return 'epss'
  if (isNvdFeed(text)) return 'nvd'
  throw new RefusedData('expected vulnerability data, found a gzip file of another kind')
}

/** The envelope before the entries tells, so that files of gigabytes are recognised by their beginning. */
function isNvdFeed(text: string): boolean {
  return /^\{[^[\]{}]{0,2000}"format"\s{0,9}:\s{0,9}"NVD_CVE"/.test(text)
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
    // a beginning is cut off by nature; what is no gzip data at all is told by the caller
    if (!(error instanceof Error && 'code' in error)) throw error
  }
  return Buffer.alloc(0)
}
