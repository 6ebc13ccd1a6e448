import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams'
import { asLongAsItTakes } from '../platform/postgres/limits.ts'
import { openSession } from '../platform/postgres/session.ts'
import type { StoreConnection } from '../platform/postgres/store-connection.ts'
import { migrate } from '../schema/migrate.ts'
import { readMigrations } from '../schema/migration-files.ts'
import { BackupError } from './backup-error.ts'
import { selectContents, selectSequences, type BackupHeader, type TableContents } from './contents.ts'
import { refuseUnfitDatabase } from './empty-database.ts'
import { withoutIndexes } from './indexes.ts'
import { readBackup, verifyBackup, type BackupSummary } from './read-backup.ts'
import type { BackupProgress } from './write-backup.ts'

type Restoring = {
  file: string
  migrationsFolder: string
  onProgress: BackupProgress
  /** The session, by its number at the server, that keeps the database for this restore. */
  heldBy?: number
  /** Sees what was restored in the schema of the backup, before it is migrated to that of this release. */
  inspect?: (session: Client, summary: BackupSummary) => Promise<void>
}

/**
 * Restores a backup into a database that holds nothing, whatever server it was taken from. The whole file is checked first;
 * then the schema is migrated to the state of the backup, every row is written in one transaction, and the schema is migrated
 * to the state of this release. Throws BackupError with every code, and MigrationError.
 */
export async function restoreBackup(
  connection: StoreConnection,
  { file, migrationsFolder, onProgress, heldBy, inspect }: Restoring,
): Promise<BackupSummary> {
  if (connection.pooler === 'transaction')
    throw new BackupError(
      'pooler_in_front',
      'A restore needs a session of its own: name the server itself in DATABASE_URL, and unset DATABASE_POOLER. Nothing was written.',
    )
  const summary = await verifyBackup(file, (done, total) => {
    onProgress({ label: 'checking the backup, bytes', done, total })
  })
  refuseForeignSchema(summary.header, migrationsFolder)
  const { client: session } = await openSession(connection, { applicationName: 'sbom-monitor restore' })
  try {
    await refuseUnfitDatabase(session, summary.header, heldBy)
    await migrate(connection, migrationsFolder, { upTo: summary.header.migrations.length })
    await writeRows(session, { file, summary, onProgress })
    await inspect?.(session, summary)
    await migrate(connection, migrationsFolder)
    onProgress({ label: 'counting the tables for the planner', done: 0, total: null })
    await session.query('ANALYZE')
  } finally {
    await session.end()
  }
  return summary
}

function refuseForeignSchema(header: BackupHeader, migrationsFolder: string): void {
  const ours = readMigrations(migrationsFolder)
  if (header.migrations.length > ours.length) {
    throw new BackupError(
      'schema_unknown',
      `The backup was made by a newer program: its schema has version ${header.migrations.length}, this program knows ` +
        `${ours.length}. Restore it with the release that made it, or a later one. Nothing was written.`,
    )
  }
  const foreign = header.migrations.find((step, index) => ours[index]?.sha256 !== step.sha256)
  if (foreign === undefined) return
  throw new BackupError(
    'schema_unknown',
    `The backup was made by a program with another migration "${foreign.name}". Nothing was written.`,
  )
}

type Loading = { file: string; summary: BackupSummary; onProgress: BackupProgress }

async function writeRows(session: Client, { file, summary, onProgress }: Loading): Promise<void> {
  await session.query('BEGIN')
  try {
    await session.query(asLongAsItTakes)
    await session.query(`SET LOCAL maintenance_work_mem = '256MB'`)
    await withoutIndexes(session, async () => loadTables(session, { file, summary, onProgress }))
    await session.query('COMMIT')
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** A table that rows are being written to. `written` settles when the server has taken or refused them; `refusal`: it has refused them. */
type OpenTable = {
  table: TableContents
  stream: CopyStreamQuery
  written: Promise<void>
  refusal?: { error: unknown }
}

async function loadTables(session: Client, { file, summary, onProgress }: Loading): Promise<void> {
  const known = new Map((await selectContents(session)).map((table) => [table.name, table.columns]))
  let done = 0
  let open: OpenTable | undefined
  try {
    for await (const part of readBackup(file)) {
      if (part.kind === 'table') open = openTable(session, part.table, known)
      if (open === undefined) continue
      if (part.kind === 'data') await writePart(open, part.bytes)
      if (part.kind !== 'end') continue
      await closeTable(session, open, part.rows)
      done += part.rows
      onProgress({ label: `restoring, rows (${open.table.name})`, done, total: summary.rows })
      open = undefined
    }
  } catch (error) {
    // A COPY that is neither ended nor aborted would block the rollback for ever.
    if (open?.refusal === undefined) open?.stream.destroy(error instanceof Error ? error : undefined)
    throw error
  }
}

/** Names go into a statement only where the schema has them. */
function openTable(session: Client, table: TableContents, known: ReadonlyMap<string, string[]>): OpenTable {
  const columns = known.get(table.name)
  if (columns === undefined || columns.join() !== table.columns.join()) {
    throw new BackupError(
      'schema_unknown',
      `The backup holds a table "${table.name}" that its schema does not have.`,
    )
  }
  const stream = session.query(
    copyFrom(`COPY ${table.name} (${columns.join(', ')}) FROM STDIN (FORMAT binary)`),
  )
  const written = finished(stream)
  const open: OpenTable = { table, stream, written }
  // It is awaited at the end of the table, and may fail long before.
  written.catch((error: unknown) => {
    open.refusal = { error }
    Object.assign(stream, { connection: nowhere })
  })
  return open
}

/** Where the stream of refused rows sends what it still holds: it lets go of its session, and would end the program when the socket has room again. */
const nowhere = { stream: { write: () => true, once: () => undefined }, sendCopyFail: () => undefined }

/** A stream whose rows were refused has no session any more: what is written to it then fails in words of its own. */
async function writePart({ stream, written, refusal }: OpenTable, bytes: Buffer): Promise<void> {
  if (refusal !== undefined) throw refusal.error
  if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), written])
}

async function closeTable(
  session: Client,
  { table, stream, written, refusal }: OpenTable,
  rows: number,
): Promise<void> {
  if (refusal !== undefined) throw refusal.error
  stream.end()
  await written
  if (stream.rowCount !== rows)
    throw new BackupError(
      'file_damaged',
      `Table ${table.name} came to ${stream.rowCount} rows; the backup names ${rows}.`,
    )
  for (const { column, sequence } of await selectSequences(session, table.name)) {
    const state = table.sequences.find((known) => known.column === column)
    if (state === undefined) continue
    await session.query('SELECT setval($1::regclass, $2::bigint, $3)', [
      sequence,
      state.lastValue,
      state.isCalled,
    ])
  }
}
