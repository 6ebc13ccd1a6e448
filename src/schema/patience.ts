import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Client } from 'pg'
import { selectBlockers } from './lock-holders.ts'
import { MigrationError } from './migration-files.ts'

/**
 * A step that waits for a table behind a running transaction holds up everyone who asks for that table later. So it waits this long only, lets them
 * pass, and tries again.
 */
const tableLockMs = 1_000
const pauseMs = 3_000
/** A transaction may be a backup or an export. */
const giveUpMs = 10 * 60_000

/** Processes of the release before go on meanwhile, and may lock the same tables in another order. */
const maxDeadlocks = 20

/** What the steps run with. */
export type Hands = {
  /** Changes the schema. */
  session: Client
  /** Has the lock of all steps, and can be asked who keeps `session` waiting. */
  holder: Client
  onWait: (step: string, heldBy: readonly string[]) => void
  stopping: AbortSignal
}

/** Limits end with the transaction. */
export async function begin(session: Client): Promise<void> {
  await session.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
     SET LOCAL lock_timeout = ${tableLockMs}`,
  )
}

/** Does a step in a transaction, and again while other transactions are in its way. */
export async function patiently<T>(
  { session, holder, onWait, stopping }: Hands,
  step: string,
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + giveUpMs
  for (let [deadlocks, waits] = [0, 0]; ;) {
    await begin(session)
    const over = new AbortController()
    const blockers = watchBlockers(holder, { waiting: await selectBackend(session), signal: over.signal })
    try {
      const done = await work()
      await session.query('COMMIT')
      return done
    } catch (cause) {
      over.abort()
      if (cause instanceof DatabaseError && cause.code === '40P01') deadlocks += 1
      else if (!isLocked(cause)) throw cause
      const heldBy = await blockers
      if (deadlocks === maxDeadlocks || performance.now() > until) throw stepFailed(step, cause, heldBy)
      await session.query('ROLLBACK')
      if (!isLocked(cause)) continue
      waits += 1
      if (waits === 1) onWait(step, heldBy)
      await sleep(pauseMs, undefined, { signal: stopping })
    } finally {
      over.abort()
      await blockers
    }
  }
}

const isLocked = (cause: unknown) => cause instanceof DatabaseError && cause.code === '55P03'

const lookEveryMs = tableLockMs / 3

/** Who was last seen to keep a session waiting, until the signal. */
async function watchBlockers(
  holder: Client,
  { waiting, signal }: { waiting: number; signal: AbortSignal },
): Promise<string[]> {
  let seen: string[] = []
  const passes = () =>
    sleep(lookEveryMs, undefined, { signal }).then(
      () => true,
      () => false,
    )
  while (await passes()) {
    try {
      const found = await selectBlockers(holder, waiting)
      if (found.length > 0) seen = found
    } catch {
      // the session that has the lock of all steps was lost: the step itself finds out whether another process went on
      break
    }
  }
  return seen
}

/** Of a transaction: a pooler lends another session to the next one. */
async function selectBackend(session: Client): Promise<number> {
  const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}

/** A table, type or function of that name is there already: a step is applied as a whole or not at all, so it is not one of ours. */
const takenCodes = new Set(['42P07', '42710', '42723'])

export function stepFailed(step: string, cause: unknown, heldBy: readonly string[] = []): MigrationError {
  if (cause instanceof MigrationError) return cause
  const reason = cause instanceof Error ? cause.message : 'unknown error'
  const who = heldBy.length === 0 ? '' : ` It waited for ${heldBy.join('; ')}.`
  const isTaken = cause instanceof DatabaseError && takenCodes.has(cause.code ?? '')
  const advice = isTaken ? '. Another program made it: name a database that holds nothing else.' : ''
  return new MigrationError('step_failed', `Migration ${step} failed: ${reason}${advice}${who}`, { cause })
}
