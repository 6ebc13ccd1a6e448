import { createWriteStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, constants } from 'node:zlib'
import type { Client, ClientConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { openSession } from '../platform/postgres/session.ts'
import { BackupError } from './backup-error.ts'
import { estimateRows, selectContents, selectSequenceStates, type BackupHeader } from './contents.ts'
import { FrameWriter } from './frames.ts'
import { verifyBackup, type BackupSummary } from './read-backup.ts'

export type BackupProgress = (progress: { label: string; done: number; total: number | null }) => void
type Writing = { file: string; now: Date; onProgress: BackupProgress }

/** Data is gathered into frames of at least this size. */
const frameBytes = 64 * 1024

/**
 * Writes everything the database holds, as it is at one moment, to a file that only its owner can read, while the service
 * goes on. The file is read back and checked before it gets its name. Throws BackupError `file_unusable`, `file_damaged`.
 */
export async function writeBackup(connection: ClientConfig, writing: Writing): Promise<BackupSummary> {
  const { file, onProgress } = writing
  await refuseExisting(file)
  const partial = `${file}.partial`
  try {
    await writePartial(connection, { ...writing, file: partial })
    const summary = await verifyBackup(partial, (done, total) => {
      onProgress({ label: 'checking, bytes', done, total })
    })
    await rename(partial, file)
    await flushFolder(dirname(file))
    return summary
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function refuseExisting(file: string): Promise<void> {
  try {
    await access(file)
  } catch {
    return
  }
  throw new BackupError('file_unusable', `${file} exists already. Name a new file; nothing was written.`)
}

async function writePartial(connection: ClientConfig, { file, now, onProgress }: Writing): Promise<void> {
  const { client: session } = await openSession(connection, { applicationName: 'sbom-monitor backup' })
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(gzip, out).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : 'unknown error'
    throw new BackupError('file_unusable', `${file} cannot be written (${reason}).`, { cause })
  })
  try {
    const copied = copyTables(session, new FrameWriter(gzip), { now, onProgress })
    // A disk that is full ends the file while tables are still being read.
    await Promise.race([copied, written.then(() => copied)])
    gzip.end()
    await written
  } catch (error) {
    gzip.destroy()
    await written.catch(() => undefined)
    throw error
  } finally {
    await session.end()
  }
}

async function copyTables(
  session: Client,
  writer: FrameWriter,
  { now, onProgress }: Omit<Writing, 'file'>,
): Promise<void> {
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await session.query('SET LOCAL statement_timeout = 0')
  await session.query('SET LOCAL idle_in_transaction_session_timeout = 0')
  await writer.json('H', await selectHeader(session, now))
  const total = await estimateRows(session)
  let done = 0
  for (const table of await selectContents(session)) {
    await writer.json('T', { ...table, sequences: await selectSequenceStates(session, table.name) })
    const stream = session.query(
      copyTo(`COPY ${table.name} (${table.columns.join(', ')}) TO STDOUT (FORMAT binary)`),
    )
    await writeData(writer, stream)
    await writer.json('E', { rows: stream.rowCount })
    done += stream.rowCount
    onProgress({ label: `writing, rows (${table.name})`, done, total: Math.max(total, done) })
  }
  await writer.json('F', { sha256: writer.digest() })
  await session.query('COMMIT')
}

/** Rows come one by one; frames of a few bytes each would be all heads. */
async function writeData(writer: FrameWriter, rows: AsyncIterable<Buffer>): Promise<void> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of rows) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < frameBytes) continue
    await writer.data(Buffer.concat(chunks))
    chunks = []
    bytes = 0
  }
  await writer.data(Buffer.concat(chunks))
}

async function selectHeader(session: Client, now: Date): Promise<BackupHeader> {
  const found = await session.query<{ found: boolean }>(
    `SELECT to_regclass('schema_migration') IS NOT NULL AS found`,
  )
  if (found.rows[0]?.found !== true)
    throw new BackupError(
      'database_empty',
      'The database contains nothing of this service. Nothing was written.',
    )
  const { rows: migrations } = await session.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_migration ORDER BY version',
  )
  const { rows } = await session.query<{ major: number }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS major`,
  )
  return {
    format: 'sbom-monitor-backup',
    formatVersion: 1,
    createdAt: now.toISOString(),
    postgresMajor: rows[0]?.major ?? 0,
    migrations,
  }
}

/** The new name of a file is safe once its folder is on the disk. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
