import { BackupError } from './backup-error.ts'
import type { BackupHeader, SequenceState, TableContents } from './contents.ts'
import { readFramedFile } from './framed-file.ts'
import { framesAfter, recordOf, type Frame } from './frames.ts'

/** What a backup holds, in the order in which it lies in the file. */
export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: TableContents }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'end'; rows: number }

export type BackupSummary = {
  header: BackupHeader
  /** How many rows each has. */
  tables: Map<string, number>
  /** How far the sequences of each have come. */
  sequences: Map<string, SequenceState[]>
  rows: number
}

/** How far through the file a reader is, in bytes. */
type OnBytes = (done: number, total: number) => void

const wrongOrder = 'The records of the backup are not in the order in which they were written.'

/**
 * The parts of a backup file. The last one is returned only after the whole file has proved to be what was written: before
 * that, nothing it says may be believed. Throws BackupError `file_unusable`, `file_damaged`.
 */
export async function* readBackup(
  file: string,
  onBytes: OnBytes = () => undefined,
): AsyncGenerator<BackupPart> {
  let expected: Frame['kind'][] = ['H']
  const frames = readFramedFile({ file, title: 'a backup', Failure: BackupError, onBytes })
  for await (const frame of frames) {
    if (!expected.includes(frame.kind)) throw new BackupError('file_damaged', wrongOrder)
    if (frame.kind === 'F') {
      if (parse(frame)['sha256'] !== frame.digestBefore())
        throw new BackupError(
          'file_damaged',
          'The backup was changed: its SHA-256 is not the one that it states.',
        )
    } else yield toPart(frame)
    expected = framesAfter[frame.kind]
  }
  if (expected.length > 0)
    throw new BackupError('file_damaged', 'The backup is not complete: its last record is missing.')
}

/** Reads a backup from end to end and says what is in it. Throws BackupError `file_unusable`, `file_damaged`. */
export async function verifyBackup(file: string, onBytes?: OnBytes): Promise<BackupSummary> {
  let header: BackupHeader | undefined
  let table = ''
  const tables = new Map<string, number>()
  const sequences = new Map<string, SequenceState[]>()
  for await (const part of readBackup(file, onBytes)) {
    if (part.kind === 'header') header = part.header
    if (part.kind === 'table') {
      table = part.table.name
      sequences.set(table, part.table.sequences)
    }
    if (part.kind === 'end') tables.set(table, part.rows)
  }
  if (header === undefined) throw new BackupError('file_damaged', wrongOrder)
  return { header, tables, sequences, rows: [...tables.values()].reduce((sum, rows) => sum + rows, 0) }
}

function toPart(frame: Frame): BackupPart {
  switch (frame.kind) {
    case 'H':
      return { kind: 'header', header: toHeader(parse(frame)) }
    case 'T':
      return { kind: 'table', table: toTable(parse(frame)) }
    case 'D':
      return { kind: 'data', bytes: frame.payload }
    case 'E':
      return { kind: 'end', rows: Number(parse(frame)['rows']) }
    case 'F':
    case 'O':
      throw new BackupError('file_damaged', wrongOrder)
  }
}

function toHeader(header: Record<string, unknown>): BackupHeader {
  const { format, formatVersion, createdAt, postgresMajor, migrations } = header
  if (format === 'sbom-monitor-workspace')
    throw new BackupError('file_damaged', 'The file holds one workspace: use "workspace import".')
  if (format !== 'sbom-monitor-backup' || !Array.isArray(migrations))
    throw new BackupError('file_damaged', 'The file is not a backup of this service.')
  if (formatVersion !== 1)
    throw new BackupError(
      'schema_unknown',
      `The backup has format ${String(formatVersion)}; this program reads format 1. Restore it with a newer one.`,
    )
  return {
    format,
    formatVersion,
    createdAt: String(createdAt),
    postgresMajor: Number(postgresMajor),
    migrations: migrations as BackupHeader['migrations'],
  }
}

/** What the table names is compared with the schema before it is used. */
function toTable({ name, columns, sequences }: Record<string, unknown>): TableContents {
  if (typeof name !== 'string' || !Array.isArray(columns) || !Array.isArray(sequences))
    throw new BackupError('file_damaged', 'A table of the backup has no name or no columns.')
  return { name, columns: columns.map(String), sequences: sequences as TableContents['sequences'] }
}

function parse(frame: Frame): Record<string, unknown> {
  const record = recordOf(frame)
  if (record === null) throw new BackupError('file_damaged', 'A record of the backup cannot be read.')
  return record
}
