import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { chainEvents } from '../audit/chain-events.ts'
import type { Actor } from '../audit/record-acts.ts'
import type { Db } from '../database/connection.ts'
import type { JobKind } from '../jobs.ts'
import { freezeWorkspace, recordPacked } from '../workspace/moving.ts'
import type { ArchiveSummary } from './archive.ts'
import { exportRows, type Exporting } from './export-workspace.ts'
import { MoveError } from './move-error.ts'
import { refuseExistingArchive } from './write-archive.ts'

type Packing = Omit<Exporting, 'now'> & { clock: () => Date; actor: Actor; patienceMs?: number }

/** Mail to people outside goes out from here, also afterwards; it changes nothing of the workspace. */
const onlySent: readonly JobKind[] = ['send_letter', 'reset_password', 'mail_reporter']
const defaultPatienceMs = 60_000
const pauseMs = 250

/**
 * Freezes a workspace, waits for the jobs that were enqueued before, and writes it to an archive. It stays frozen. Throws MoveError; codes of the
 * freeze: `not_found`, `conflict`.
 */
export async function packWorkspace(
  { db, connection }: { db: Db; connection: ClientConfig },
  { clock, actor, patienceMs = defaultPatienceMs, ...exporting }: Packing,
): Promise<ArchiveSummary> {
  const { workspaceId, onProgress, file } = exporting
  await refuseExistingArchive(file)
  await freezeWorkspace(db, { workspaceId, actor, now: clock() })
  try {
    await awaitJobs(db, { workspaceId, patienceMs, onProgress })
    await chainEvents(db)
    const summary = await exportRows(connection, { ...exporting, now: clock() })
    // what comes later is not in it
    await recordPacked(db, { workspaceId, actor, now: clock(), events: summary.header.trail.events })
    return summary
  } catch (error) {
    throw leftFrozen(error)
  }
}

/** Nobody at the company can send or decide anything until the operator goes on. */
function leftFrozen(error: unknown): unknown {
  if (!(error instanceof MoveError)) return error
  const words = `${error.message} The workspace stays frozen: export again, or give the move up with "workspace unfreeze".`
  return new MoveError(error.code, words, { cause: error })
}

/** Each of them may still send a message or write a row, which would be lost after the export. */
async function awaitJobs(
  db: Db,
  {
    workspaceId,
    patienceMs,
    onProgress,
  }: Pick<Exporting, 'workspaceId' | 'onProgress'> & { patienceMs: number },
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const waiting = await db
      .selectFrom('job')
      .select(['kind', (of) => of.fn.countAll<number>().as('jobs')])
      .where('workspace_id', '=', workspaceId)
      .where('state', 'in', ['waiting', 'running'])
      .where('kind', 'not in', onlySent)
      .groupBy('kind')
      .orderBy('kind')
      .execute()
    if (waiting.length === 0) return
    const total = waiting.reduce((sum, { jobs }) => sum + jobs, 0)
    if (performance.now() > giveUpAt)
      throw new MoveError(
        'not_ready',
        `${total} jobs of the workspace still wait (${waiting.map(({ kind }) => kind).join(', ')}): they are done while the service runs, or by "drain". ` +
          'Nothing was written.',
      )
    onProgress({ label: 'waiting for jobs of the workspace', done: 0, total })
    await sleep(pauseMs)
  }
}
