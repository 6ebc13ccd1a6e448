import { DatabaseError } from 'pg'
import { verifyTrail, type Verified } from '../../audit/verify-trail.ts'
import { BackupError } from '../../backup/backup-error.ts'
import { compareRestored } from '../../backup/compare-restored.ts'
import { sizeOf } from '../../backup/framed-file.ts'
import type { BackupSummary } from '../../backup/read-backup.ts'
import { restoreBackup } from '../../backup/restore-backup.ts'
import type { Db } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { recordVerification } from '../../backup/finished-backup.ts'
import { serviceRole } from '../../platform/postgres/embedded/prepare-store.ts'
import { createPool, createQueries } from '../../platform/postgres/pool.ts'
import {
  createScratchDatabase,
  type ScratchDatabase,
  type ScratchServer,
} from './scratch/scratch-database.ts'
import { isStoreAway } from '../../platform/postgres/store-away.ts'
import { errorCode } from '../../platform/postgres/store-error.ts'
import { MigrationError } from '../../schema/migration-files.ts'
import { countAllUnusable, unusableInWords } from '../../views/operation/unusable.ts'
import { onlyArgument } from '../command.ts'
import type { Lifetime } from '../lifetime.ts'
import { migrationsFolder, type Process } from '../open-process.ts'
import { progressLine } from '../progress.ts'
import { lookForOriginals, type FoundOriginals } from './verify-originals.ts'

type VerifiedBackup = {
  file: string
  bytes: number
  isWhole: boolean
  /** A line for each. */
  problems: string[]
} & Partial<Restored>

type Restored = {
  createdAt: string
  tables: number
  rows: number
  auditTrail: { chains: number; events: number; waiting: number }
  originals: FoundOriginals
}

/**
 * Restores a backup into a scratch database beside the service's own, in the way of `restore`, and compares what is there with what the file says. What
 * differs, and a file that cannot be restored, end the command with status 1; where nothing could be tried, it fails as others do.
 */
export async function verifyBackupFile(
  process: Process,
  args: string[],
  lifetime: Lifetime,
): Promise<VerifiedBackup> {
  const file = onlyArgument(args, 'a backup file')
  const bytes = await sizeOf(file, BackupError)
  const scratch = await lifetime.open(
    () => createScratchDatabase(placeBeside(process)),
    (opened) => dropOrSay(opened, process),
  )
  const problems: string[] = []
  const restored = await restoreInto(scratch, { process, file, problems }).catch((error: unknown) => {
    problems.push(asProblem(error))
    return null
  })
  const isWhole = restored !== null && problems.length === 0
  if (isWhole) await record(process, new Date(restored.createdAt))
  else globalThis.process.exitCode = 1
  for (const problem of problems) say(problem)
  return { file, bytes, isWhole, problems, ...restored }
}

function say(line: string): void {
  globalThis.process.stderr.write(`${line}\n`)
}

/** A restore needs sessions of its own, past a pooler that lends them for a transaction. */
function placeBeside({ adminConnection, connection, listening }: Process): ScratchServer {
  if (adminConnection !== null) return { admin: adminConnection, connection, owner: serviceRole }
  if (listening !== null) return { admin: listening, connection: listening, owner: null }
  throw new BackupError(
    'pooler_in_front',
    'The check restores the backup, which needs sessions of its own: name the server itself in DATABASE_LISTEN_URL, or in DATABASE_URL without ' +
      'DATABASE_POOLER.',
  )
}

/** The next run drops what this one could not. */
async function dropOrSay({ name, drop }: ScratchDatabase, { log }: Process): Promise<void> {
  try {
    await drop()
  } catch (error) {
    log.warn({ err: error, database: name }, 'the scratch database could not be dropped')
  }
}

type Verifying = { process: Process; file: string; problems: string[] }

async function restoreInto(
  { connection, heldBy }: ScratchDatabase,
  { process, file, problems }: Verifying,
): Promise<Restored> {
  const onProgress = progressLine()
  const summary = await restoreBackup(connection, {
    file,
    migrationsFolder: migrationsFolder(process.config),
    onProgress,
    heldBy,
    inspect: async (session, read) => {
      problems.push(...(await compareRestored({ session, summary: read, onProgress })))
    },
  })
  const { log } = process
  const pool = createPool(connection, { max: 2, applicationName: 'sbom-monitor backup verify', log })
  const db: Db = createQueries<Tables>(pool)
  try {
    return await inspectRows(db, { process, summary, problems })
  } finally {
    await db.destroy()
  }
}

type Inspecting = { process: Process; summary: BackupSummary; problems: string[] }

/** What only the whole service can read in the rows, in its present schema. */
async function inspectRows(
  db: Db,
  { process, summary: { header, tables, rows }, problems }: Inspecting,
): Promise<Restored> {
  const trail = await verifyTrail(db, [])
  problems.push(...trail.problems.map(trailProblem))
  for (const line of unusableInWords(await countAllUnusable({ db, sealing: process.sealing }))) say(line)
  const originals = await lookForOriginals(db, { process, problems, say })
  return {
    createdAt: header.createdAt,
    tables: tables.size,
    rows,
    auditTrail: {
      chains: trail.chains.length,
      events: trail.chains.reduce((sum, { events }) => sum + events, 0),
      waiting: trail.waiting.events,
    },
    originals,
  }
}

function trailProblem({ problem, workspace, position, event }: Verified['problems'][number]): string {
  const whose = workspace === null ? 'of the installation' : `of the workspace "${workspace}"`
  const where = position === null ? `event ${event ?? '?'}` : `position ${position}`
  return `The audit trail ${whose} is not whole: ${problem.replaceAll('_', ' ')}, ${where}.`
}

/** What is wrong with the backup itself. Anything else is thrown: nothing is known of it then. */
function asProblem(error: unknown): string {
  if (error instanceof BackupError && error.code === 'file_damaged') return error.message
  if (error instanceof MigrationError && error.code === 'step_failed' && !isStoreAway(error))
    return error.message
  // data that are not what their type, key or reference asks for
  if (error instanceof DatabaseError && /^2[23]/.test(error.code ?? ''))
    return `The rows cannot be restored: ${error.message} (${error.code ?? ''}).`
  throw error
}

/** In the service's own database, for the metric. One that the service has not used yet, or not since it was updated, remembers nothing. */
async function record({ db, now }: Process, backupAt: Date): Promise<void> {
  try {
    await recordVerification(db, { verifiedAt: now(), backupAt })
  } catch (error) {
    if (!['42P01', '42501'].includes(errorCode(error) ?? '')) throw error
    say("The check was not recorded: this database is not the service's, or its role may not write there.")
  }
}
