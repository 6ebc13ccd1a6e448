import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../database/connection.ts'
import { OwnedBytes } from '../parser/owned-bytes.ts'
import type { Parser } from '../parser/client.ts'
import type { FamilyKey } from '../workspace/monitoring/family-key.ts'
import { selectIdentifiedEarlier } from '../sbom/components/identify-again.ts'
import { selectOriginal } from '../sbom/select-sbom.ts'
import type { Process } from './open-process.ts'

type Identifying = Pick<Process, 'db' | 'now' | 'log' | 'originals'> & { parser: Parser; signal: AbortSignal }

/** After an upgrade there is nothing left soon; a workspace may be resumed or moved in, and what could not be read is tried again. */
const betweenRoundsMs = 60 * 60_000
/** The parser children work for uploads most of the time: one file waits four times as long as the last one took. */
const restShare = 4
/** A large file takes longer than a process has to stop. What it had done by then is not kept, and it is read again later. */
const fileWithinMs = 2_000

/**
 * Has the parser children identify again, one after the other, the components of SBOMs that an earlier release stored. Processes that do the
 * same at once do no harm. Stops when told to.
 */
export function startIdentifying(process: Omit<Identifying, 'signal'>): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const rounds = (async () => {
    while (!signal.aborted) {
      await identifyEarlier({ ...process, signal }).catch((error: unknown) => {
        process.log.warn({ err: error }, 'SBOMs of an earlier release are identified again later')
      })
      await rest(betweenRoundsMs, signal)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await Promise.race([rounds, sleep(fileWithinMs, undefined, { ref: false })])
    },
  }
}

/** One round. Returns how many SBOMs were read. */
export async function identifyEarlier(process: Identifying): Promise<number> {
  const { db, now, log } = process
  let read = 0
  let sboms = await selectIdentifiedEarlier(db, { after: null, now: now() })
  for (let last = sboms.at(-1); last !== undefined; last = sboms.at(-1)) {
    for (const sbom of sboms) if (await readInTurn(process, sbom)) read += 1
    if (process.signal.aborted) break
    sboms = await selectIdentifiedEarlier(db, { after: last.sbomId, now: now() })
  }
  if (read > 0) log.info({ read }, 'SBOMs of an earlier release were identified again')
  return read
}

/** Whether it was read. One that cannot be read stays as it is. */
async function readInTurn(process: Identifying, sbom: FamilyKey & { sbomId: string }): Promise<boolean> {
  const { signal, log } = process
  if (signal.aborted) return false
  const start = performance.now()
  const isRead = await readAgain(process, sbom).catch((error: unknown) => {
    if (!signal.aborted)
      log.warn({ err: error, sbomId: sbom.sbomId }, 'an SBOM could not be identified again')
    return false
  })
  await rest(restShare * (performance.now() - start), signal)
  return isRead
}

async function readAgain(
  { db, originals, parser }: Pick<Identifying, 'originals' | 'parser'> & { db: Db },
  sbom: FamilyKey & { sbomId: string },
): Promise<boolean> {
  const { workspaceId, sbomId } = sbom
  const { raw, encoding } = await selectOriginal({ db, originals }, workspaceId, sbomId)
  await parser.run({
    kind: 'identify_again',
    workspaceId,
    upload: { ...sbom, encoding },
    body: new OwnedBytes(Uint8Array.from(raw).buffer),
  })
  return true
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
