import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../database/connection.ts'
import { UnreadableOriginal } from '../originals/originals.ts'
import { OwnedBytes } from '../parser/owned-bytes.ts'
import type { Parser } from '../parser/client.ts'
import { untilAborted } from '../platform/concurrency/until-aborted.ts'
import type { FamilyKey } from '../workspace/monitoring/family-key.ts'
import { selectIdentifiedEarlier } from '../sbom/components/identify-again.ts'
import { selectOriginal } from '../sbom/select-sbom.ts'
import type { Process } from './open-process.ts'

type Identifying = Pick<Process, 'db' | 'now' | 'log' | 'originals'> & {
  parser: Parser
  signal: AbortSignal
  /** SBOMs that this process found unreadable for good: their files are left alone. */
  unreadable: Set<string>
}

/** After an upgrade there is nothing left soon; a workspace may be resumed or moved in, and what could not be read is tried again. */
const betweenRoundsMs = 60 * 60_000
/** The parser children work for uploads most of the time: one file waits four times as long as the last one took. */
const restShare = 4
/** The object store is away, or uploads wait for the parser: the next file would most likely fail as well. */
const restAfterFailureMs = 30_000

/**
 * Has the parser children identify again, one after the other, the components of SBOMs that an earlier release stored. Processes that do the
 * same at once do no harm. Stops at once when told to: a file that is being read then is left to the parser.
 */
export function startIdentifying(process: Omit<Identifying, 'signal' | 'unreadable'>): {
  stop: () => Promise<void>
} {
  const stopping = new AbortController()
  const { signal } = stopping
  const unreadable = new Set<string>()
  const rounds = (async () => {
    while (!signal.aborted) {
      await identifyEarlier({ ...process, signal, unreadable }).catch((error: unknown) => {
        process.log.warn({ err: error }, 'SBOMs of an earlier release are identified again later')
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

/** One round. Returns how many SBOMs were read. */
export async function identifyEarlier(process: Identifying): Promise<number> {
  const { db, now, log, signal, unreadable } = process
  const failed: Failed[] = []
  let read = 0
  let after: string | null = null
  while (!signal.aborted) {
    const sboms = await selectIdentifiedEarlier(db, { after, now: now() })
    for (const sbom of sboms) {
      if (unreadable.has(sbom.sbomId)) continue
      const outcome = await readInTurn(process, sbom)
      if (outcome === 'read') read += 1
      else if (outcome !== 'stopped') failed.push(outcome)
    }
    const last = sboms.at(-1)
    if (last === undefined) break
    after = last.sbomId
  }
  if (read > 0) log.info({ read }, 'SBOMs of an earlier release were identified again')
  if (failed.length > 0) warnOf(failed, log)
  return read
}

type Failed = { sbomId: string; error: unknown }

/** SBOMs that the line of a round names; the rest are counted. */
const maxNamed = 10

function warnOf(failed: readonly Failed[], log: Identifying['log']): void {
  const sbomIds = failed.slice(0, maxNamed).map(({ sbomId }) => sbomId)
  log.warn(
    { err: failed[0]?.error, failed: failed.length, sbomIds },
    'SBOMs of an earlier release could not be identified again',
  )
}

/** One that cannot be read stays as it is. */
async function readInTurn(
  process: Identifying,
  sbom: FamilyKey & { sbomId: string },
): Promise<'read' | 'stopped' | Failed> {
  const { signal, unreadable } = process
  const { sbomId } = sbom
  if (signal.aborted) return 'stopped'
  const start = performance.now()
  const reading = readAgain(process, sbom).catch((error: unknown) => ({ sbomId, error }))
  const outcome = await untilAborted(reading, signal).catch((): 'stopped' => 'stopped')
  const failure = outcome === 'read' || outcome === 'stopped' ? null : outcome.error
  const isUnreadable = failure !== null && isForGood(failure)
  if (isUnreadable) unreadable.add(sbomId)
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

async function readAgain(
  { db, originals, parser, signal }: Pick<Identifying, 'originals' | 'parser' | 'signal'> & { db: Db },
  sbom: FamilyKey & { sbomId: string },
): Promise<'read' | 'stopped'> {
  const { workspaceId, sbomId } = sbom
  const { raw, encoding } = await selectOriginal({ db, originals }, workspaceId, sbomId)
  // the parser may be closing
  if (signal.aborted) return 'stopped'
  await parser.run({
    kind: 'identify_again',
    workspaceId,
    upload: { ...sbom, encoding },
    body: new OwnedBytes(Uint8Array.from(raw).buffer),
  })
  return 'read'
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
