import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../contract/errors.ts'
import { UnreadableOriginal } from '../../originals/originals.ts'
import type { Parser } from '../../parser/client.ts'
import { untilAborted } from '../../platform/concurrency/until-aborted.ts'
import type { Process } from '../open-process.ts'

/** What has stored files read again, one after the other, after an upgrade. */
export type ReadingAgain = Pick<Process, 'db' | 'now' | 'log' | 'originals'> & {
  parser: Parser
  signal: AbortSignal
  /** Files that this process found unreadable for good, by the ids of what they were stored as: they are left alone. */
  unreadable: Set<string>
}

/** Which files are read again, and how the log calls it. */
export type StoredFiles<File> = {
  /** Some of those left behind the one with this id, in the order of their ids. */
  select: (after: string | null) => Promise<File[]>
  idOf: (file: File) => string
  read: (file: File) => Promise<'read' | 'stopped'>
  words: {
    /** Of files that were read. */
    done: string
    /** Of files that could not be. */
    failed: string
    /** Of a round that ended early. */
    later: string
    /** What the ids are called. */
    ids: string
  }
}

/** After an upgrade there is nothing left soon; a workspace may be resumed or moved in, and what could not be read is tried again. */
const betweenRoundsMs = 60 * 60_000
/** The parser children work for uploads most of the time: one file waits four times as long as the last one took. */
const restShare = 4
/** The object store is away, or uploads wait for the parser: the next file would most likely fail as well. */
const restAfterFailureMs = 30_000

type Rounds = {
  /** Returns how many files were read. */
  round: (process: ReadingAgain) => Promise<number>
  /** Said when a round ends early. */
  later: string
  /** Before the first round. */
  restMs?: number
}

/** Rounds until stopped; a file that is being read then is left to the parser. Processes that do the same at once do no harm. */
export function startRounds(
  process: Omit<ReadingAgain, 'signal' | 'unreadable'>,
  { round, later, restMs = 0 }: Rounds,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const unreadable = new Set<string>()
  const rounds = (async () => {
    if (restMs > 0) await rest(restMs, signal)
    while (!signal.aborted) {
      await round({ ...process, signal, unreadable }).catch((error: unknown) => {
        process.log.warn({ err: error }, later)
      })
      await rest(betweenRoundsMs, signal)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await rounds
    },
  }
}

/** One round. Returns how many files were read. */
export async function readStoredAgain<File>(
  process: ReadingAgain,
  files: StoredFiles<File>,
): Promise<number> {
  const { log, signal, unreadable } = process
  const { words, idOf } = files
  const failed: Failed[] = []
  let read = 0
  let after: string | null = null
  while (!signal.aborted) {
    const some = await files.select(after)
    for (const file of some) {
      if (unreadable.has(idOf(file))) continue
      const outcome = await readInTurn(process, files, file)
      if (outcome === 'read') read += 1
      else if (outcome !== 'stopped') failed.push(outcome)
    }
    const last = some.at(-1)
    if (last === undefined) break
    after = idOf(last)
  }
  if (read > 0) log.info({ read }, words.done)
  if (failed.length > 0) warnOf(failed, log, words)
  return read
}

type Failed = { id: string; error: unknown }

/** Files that the line of a round names; the rest are counted. */
const maxNamed = 10

function warnOf(
  failed: readonly Failed[],
  log: ReadingAgain['log'],
  words: StoredFiles<unknown>['words'],
): void {
  const ids = failed.slice(0, maxNamed).map(({ id }) => id)
  log.warn({ err: failed[0]?.error, failed: failed.length, [words.ids]: ids }, words.failed)
}

/** One that cannot be read stays as it is. */
async function readInTurn<File>(
  { signal, unreadable }: ReadingAgain,
  { idOf, read }: StoredFiles<File>,
  file: File,
): Promise<'read' | 'stopped' | Failed> {
  if (signal.aborted) return 'stopped'
  const id = idOf(file)
  const start = performance.now()
  const reading = read(file).catch((error: unknown) => ({ id, error }))
  const outcome = await untilAborted(reading, signal).catch((): 'stopped' => 'stopped')
  const failure = outcome === 'read' || outcome === 'stopped' ? null : outcome.error
  const isUnreadable = failure !== null && isForGood(failure)
  if (isUnreadable) unreadable.add(id)
  const isAway = failure !== null && !isUnreadable && !(failure instanceof UnreadableOriginal)
  await rest(isAway ? restAfterFailureMs : restShare * (performance.now() - start), signal)
  return outcome
}

/** Whether the same file would be refused again; the next release may read it. */
function isForGood(error: unknown): boolean {
  if (error instanceof UnreadableOriginal) return error.isGivenUp
  if (!(error instanceof ServiceError) || error.retryAfterSeconds !== undefined) return false
  return error.code !== 'internal' && error.code !== 'not_configured'
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
