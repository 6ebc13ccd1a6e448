import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams'
import type { KeyRing } from '../platform/sealing/key-ring.ts'
import { MoveError } from './move-error.ts'
import { readArchive, type ArchivePart } from './read-archive.ts'

export type StagedTable = { name: string; columns: readonly string[] }

/** Called for each table once its rows are in `arriving_<name>`; the archive is read no further meanwhile. False: nothing further is wanted. */
type OnTable = (table: StagedTable) => Promise<boolean>

type Arriving = {
  file: string
  transport: KeyRing
  /** The tables that are expected, in their order. */
  expected: readonly StagedTable[]
  /** Those that are read; the others are passed over. */
  isWanted: (name: string) => boolean
  onTable: OnTable
}

/**
 * Reads the rows of an archive into tables of this transaction, one after the other: what they say is judged there. The archive has exactly the tables
 * and columns that this release moves. Throws MoveError.
 */
export async function arrive(session: Client, arriving: Arriving): Promise<void> {
  const expected = [...arriving.expected]
  let open: OpenTable | undefined
  try {
    for await (const part of readArchive(arriving.file, arriving.transport)) {
      if (part.kind === 'table') open = await openNext(session, part, { ...arriving, expected })
      if (open === undefined) continue
      if (part.kind === 'data') await writePart(open, part.bytes)
      if (part.kind !== 'end') continue
      const { table } = open
      await close(open, part.summary.rows)
      open = undefined
      if (!(await arriving.onTable(table))) return
    }
    refuseMissing(expected)
  } catch (error) {
    // a COPY that is neither ended nor given up would keep the rollback waiting for ever
    open?.stream.destroy(error instanceof Error ? error : undefined)
    throw error
  }
}

function refuseMissing([missing]: readonly StagedTable[]): void {
  if (missing !== undefined) throw foreign(missing.name)
}

type OpenTable = { table: StagedTable; stream: CopyStreamQuery; written: Promise<void> }

async function openNext(
  session: Client,
  part: Extract<ArchivePart, { kind: 'table' }>,
  { expected, isWanted }: Pick<Arriving, 'isWanted'> & { expected: StagedTable[] },
): Promise<OpenTable | undefined> {
  const table = expected.shift()
  if (table?.name !== part.name || table.columns.join() !== part.columns.join()) throw foreign(part.name)
  if (!isWanted(table.name)) return undefined
  const list = table.columns.join(', ')
  // not trusted: whoever made the archive decides what is in it
  const source = table.name === 'vulnerability_group' ? groupsAsSent : `SELECT ${list} FROM ${table.name}`
  await session.query(`CREATE TEMP TABLE arriving_${table.name} ON COMMIT DROP AS ${source} WITH NO DATA`)
  const stream = session.query(copyFrom(`COPY arriving_${table.name} (${list}) FROM STDIN (FORMAT binary)`))
  const written = finished(stream)
  // It is awaited at the end of the table, and may fail long before.
  written.catch(() => undefined)
  return { table, stream, written }
}

const groupsAsSent = `SELECT id, title_id, severity, ARRAY[title_id] AS names FROM vulnerability_group`

async function writePart({ stream, written }: OpenTable, bytes: Buffer): Promise<void> {
  if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), written])
}

async function close({ table, stream, written }: OpenTable, rows: number): Promise<void> {
  stream.end()
  await written
  if (stream.rowCount === rows) return
  throw new MoveError(
    'file_damaged',
    `Table ${table.name} came to ${stream.rowCount} rows; the archive names ${rows}. Nothing was written.`,
  )
}

function foreign(name: string): MoveError {
  return new MoveError(
    'file_damaged',
    `The archive does not hold the tables of this release in their order ("${name}"). Nothing was written.`,
  )
}
