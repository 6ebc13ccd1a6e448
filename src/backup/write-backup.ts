import type { Client, ClientConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { asLongAsItTakes } from '../platform/postgres/limits.ts'
import { openSession } from '../platform/postgres/session.ts'
import { BackupError } from './backup-error.ts'
import { estimateRows, selectContents, selectSequenceStates, type BackupHeader } from './contents.ts'
import type { FrameWriter } from './frames.ts'
import { verifyBackup, type BackupSummary } from './read-backup.ts'
import { writeRows, writeWholeFile } from './whole-file.ts'

export type BackupProgress = (progress: { label: string; done: number; total: number | null }) => void
type Writing = { file: string; now: Date; onProgress: BackupProgress }

/**
 * Writes everything the database holds, as it is at one moment, to a file that only its owner can read, while the service
 * goes on. The file is read back and checked before it gets its name. Throws BackupError `file_unusable`, `file_damaged`, `database_empty`.
 */
export async function writeBackup(connection: ClientConfig, writing: Writing): Promise<BackupSummary> {
  const { file, onProgress } = writing
  let summary: BackupSummary | undefined
  await writeWholeFile({
    file,
    unusable: (message, options) => new BackupError('file_unusable', message, options),
    write: async (frames) => {
      const { client: session } = await openSession(connection, { applicationName: 'sbom-monitor backup' })
      try {
        await copyTables(session, frames, writing)
      } finally {
        await session.end()
      }
    },
    check: async (partial) => {
      summary = await verifyBackup(partial, (done, total) => {
        onProgress({ label: 'checking, bytes', done, total })
      })
    },
  })
  if (summary === undefined) throw new Error('the backup has no summary')
  return summary
}

async function copyTables(
  session: Client,
  writer: FrameWriter,
  { now, onProgress }: Omit<Writing, 'file'>,
): Promise<void> {
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await session.query(asLongAsItTakes)
  await writer.json('H', await selectHeader(session, now))
  const total = await estimateRows(session)
  let done = 0
  for (const table of await selectContents(session)) {
    await writer.json('T', { ...table, sequences: await selectSequenceStates(session, table.name) })
    const stream = session.query(
      copyTo(`COPY ${table.name} (${table.columns.join(', ')}) TO STDOUT (FORMAT binary)`),
    )
    await writeRows(writer, stream)
    await writer.json('E', { rows: stream.rowCount })
    done += stream.rowCount
    onProgress({ label: `writing, rows (${table.name})`, done, total: Math.max(total, done) })
  }
  await writer.json('F', { sha256: writer.digest() })
  await session.query('COMMIT')
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
