import { createHash, type Hash } from 'node:crypto'
import { BackupError } from '../backup/backup-error.ts'
import { readFramedFile } from '../backup/framed-file.ts'
import { framesAfter, recordOf, type Frame } from '../backup/frames.ts'
import type { KeyRing } from '../platform/sealing/key-ring.ts'
import { isId } from '../platform/random.ts'
import {
  formatVersion,
  isSealed,
  type ArchiveHeader,
  type ArchiveSummary,
  type LostHead,
  type OriginalHead,
  type TableSummary,
} from './archive.ts'
import { unreadableReasons } from '../originals/originals.ts'
import { MoveError } from './move-error.ts'

/** What an archive holds, in the order in which it lies in the file. */
export type ArchivePart =
  | { kind: 'header'; header: ArchiveHeader }
  | { kind: 'original'; head: OriginalHead | LostHead }
  | { kind: 'table'; name: string; columns: string[] }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'end'; summary: TableSummary }

type Held = Extract<ArchivePart, { kind: 'original' | 'table' }>
type Opened = Frame & { digestBefore: () => string }

const notOurs = 'The file is not an archive of a workspace, or it is damaged. Nothing was written.'

/**
 * The parts of an archive. The last one is returned only after the whole file has proved to be what somebody with the transport key wrote:
 * before that, nothing it says may be believed. Throws MoveError `file_unusable`, `file_damaged`, `wrong_key`, `schema_differs`.
 */
export async function* readArchive(file: string, ring: KeyRing): AsyncGenerator<ArchivePart> {
  let expected: Frame['kind'][] = ['H']
  let before: readonly Frame['kind'][] = ['O']
  for await (const frame of framesOf(file)) {
    if (!expected.includes(frame.kind)) throw new MoveError('file_damaged', notOurs)
    if (frame.kind === 'F') refuseUnsealed(frame, ring)
    const part = frame.kind === 'F' ? null : toPart(frame, ring)
    if (part !== null) yield part
    // originals come before all tables
    if (frame.kind === 'T') before = []
    if (frame.kind === 'O') expected = lostOf(part).length > 0 ? ['E'] : ['D']
    else if (frame.kind === 'H' || frame.kind === 'E') expected = [...before, ...framesAfter[frame.kind]]
    else expected = framesAfter[frame.kind]
  }
  if (expected.length > 0)
    throw new MoveError(
      'file_damaged',
      'The archive is not complete: its end is missing. Nothing was written.',
    )
}

/** Reads an archive from end to end and says what is in it. Throws as `readArchive` does. */
export async function verifyArchive(file: string, ring: KeyRing): Promise<ArchiveSummary> {
  let header: ArchiveHeader | undefined
  let of: Held | undefined
  let originals = 0
  const lost: LostHead[] = []
  let hash: Hash = createHash('sha256')
  const tables: ArchiveSummary['tables'] = {}
  for await (const part of readArchive(file, ring)) {
    if (part.kind === 'header') header = part.header
    if (part.kind === 'table' || part.kind === 'original') {
      of = part
      hash = createHash('sha256')
    }
    lost.push(...lostOf(part))
    if (part.kind === 'data') hash.update(part.bytes)
    if (part.kind !== 'end') continue
    refuseOther(part.summary, of, hash.digest('hex'))
    if (of?.kind === 'table') tables[of.name] = part.summary
    else originals += part.summary.rows
  }
  if (header === undefined) throw new MoveError('file_damaged', notOurs)
  return { header, originals, lost, tables }
}

/** Its end says what came: of an original one, and none of one that is lost. */
function refuseOther({ rows, sha256 }: TableSummary, of: Held | undefined, digest: string): void {
  const isCounted = of?.kind !== 'original' || rows === 1 - lostOf(of).length
  if (sha256 === digest && isCounted) return
  const name = of?.kind === 'table' ? of.name : 'originals'
  throw new MoveError(
    'file_damaged',
    `What the archive holds of "${name}" is not what it names. Nothing was written.`,
  )
}

function lostOf(part: ArchivePart | null): LostHead[] {
  return part?.kind === 'original' && 'lost' in part.head ? [part.head] : []
}

async function* framesOf(file: string): AsyncGenerator<Opened> {
  try {
    yield* readFramedFile({ file, title: 'an archive', Failure: MoveError })
  } catch (error) {
    if (error instanceof BackupError) throw new MoveError('file_damaged', notOurs, { cause: error })
    throw error
  }
}

function refuseUnsealed(frame: Opened, ring: KeyRing): void {
  const { sha256, seal } = parse(frame)
  if (sha256 === frame.digestBefore() && isSealed(ring, frame.digestBefore(), seal)) return
  throw new MoveError(
    'file_damaged',
    'The archive was changed since it was written: its digest is not the one that was sealed. Nothing was written.',
  )
}

function toPart(frame: Frame, ring: KeyRing): ArchivePart {
  switch (frame.kind) {
    case 'H':
      return { kind: 'header', header: toHeader(parse(frame), ring) }
    case 'O':
      return { kind: 'original', head: toOriginal(parse(frame)) }
    case 'T':
      return { kind: 'table', ...toTable(parse(frame)) }
    case 'D':
      return { kind: 'data', bytes: frame.payload }
    case 'E':
      return { kind: 'end', summary: toSummary(parse(frame)) }
    case 'F':
      throw new MoveError('file_damaged', notOurs)
  }
}

function toHeader(found: Record<string, unknown>, ring: KeyRing): ArchiveHeader {
  if (found['format'] === 'sbom-monitor-backup')
    throw new MoveError(
      'file_damaged',
      'The file is a backup of a whole database: use "restore". Nothing was written.',
    )
  if (found['format'] !== 'sbom-monitor-workspace') throw new MoveError('file_damaged', notOurs)
  if (found['formatVersion'] !== formatVersion)
    throw new MoveError(
      'schema_differs',
      `The archive has format ${JSON.stringify(found['formatVersion'])}; this program reads format ${formatVersion}. Take it in with the release that wrote it.`,
    )
  if (found['key'] !== ring.writing.id)
    throw new MoveError(
      'wrong_key',
      'The archive was written with another transport key. Name the file that the export was given. Nothing was written.',
    )
  if (!isHeader(found)) throw new MoveError('file_damaged', notOurs)
  return found
}

function isHeader(found: Record<string, unknown>): found is ArchiveHeader {
  const { migrations, workspace, trail } = found as Record<string, Record<string, unknown> | null | undefined>
  const { id, slug, companyName } = workspace ?? {}
  return (
    Array.isArray(migrations) &&
    [id, slug, companyName, trail?.['hash']].every((text) => typeof text === 'string') &&
    isId(id as string) &&
    Number.isSafeInteger(trail?.['events'])
  )
}

function toOriginal({ table, id, sha256, lost }: Record<string, unknown>): OriginalHead | LostHead {
  const isSha256 = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)
  if (typeof table !== 'string' || typeof id !== 'string' || !isId(id) || !isSha256)
    throw new MoveError('file_damaged', notOurs)
  if (lost === undefined) return { table, id, sha256 }
  const reason = unreadableReasons.find((each) => each === lost)
  if (reason === undefined) throw new MoveError('file_damaged', notOurs)
  return { table, id, sha256, lost: reason }
}

/** What the table names is compared with the schema before it is used. */
function toTable({ name, columns }: Record<string, unknown>): { name: string; columns: string[] } {
  if (typeof name !== 'string' || !Array.isArray(columns)) throw new MoveError('file_damaged', notOurs)
  return { name, columns: columns.map(String) }
}

function toSummary({ rows, sha256 }: Record<string, unknown>): TableSummary {
  if (!Number.isSafeInteger(rows) || typeof sha256 !== 'string') throw new MoveError('file_damaged', notOurs)
  return { rows: Number(rows), sha256 }
}

function parse(frame: Frame): Record<string, unknown> {
  const record = recordOf(frame)
  if (record === null) throw new MoveError('file_damaged', notOurs)
  return record
}
