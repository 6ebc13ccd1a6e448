import { sql } from 'kysely'
import type { Db } from '../../../database/connection.ts'
import { hasPassed } from '../../../platform/clock.ts'
import { hourMs } from '../../../contract/durations.ts'
import { RefusedData, Superseded } from '../../../source-files/refused-data.ts'
import { attempt } from '../../ledger/attempt.ts'
import { isLockFree, type Waiting } from '../../ledger/import-lock.ts'
import { selectUnaskedEcosystems, selectUsedEcosystems } from '../../ledger/in-store.ts'
import {
  recordAbsent,
  recordEnded,
  recordNewData,
  recordUnchanged,
  type Attempt,
  type Ended,
} from '../../ledger/outcomes.ts'
import { selectSource, type SourceRow } from '../../ledger/source-rows.ts'
import {
  isEcosystemName,
  reconcileName,
  reconcilePrefix,
  sourceName,
} from '../../../records/ecosystem-source.ts'
import { deleteEmptyGroups } from '../../store/empty-groups.ts'
import type { RefreshTurn, Tools } from '../source.ts'
import { importDelta } from './import-delta.ts'
import { importEcosystem, NoSuchEcosystem } from './import-ecosystem.ts'
import { webMirror, type Mirror } from './mirror.ts'

/** Deltas name no deletions and miss edits that leave `modified` unchanged: once a day the whole file is compared. */
const reconcileEveryMs = 24 * hourMs
/** A refused whole file is not fetched again at every refresh. */
const retryReconcileMs = hourMs

type Turn = {
  db: Db
  tools: Tools
  mirror: Mirror
  waiting: Waiting
  now: Date
  /** What the mirror says it contains; asked once, and only where it matters. */
  offered: () => Promise<readonly string[]>
}

/**
 * Refreshes the ecosystems that some component is of: one that was never loaded is loaded whole, the others by what changed since the
 * watermark, and once a day by their whole file. One ecosystem's failure does not keep the others from theirs. The row of the source itself names
 * the ecosystems that failed: it is for whoever runs the service, and is not shown to workspaces, which would learn what others use.
 */
export async function refreshOsv(refresh: RefreshTurn): Promise<Ended> {
  const { db, log, tools, outbound, address: url, folder, now, waiting } = refresh
  const mirror = webMirror({ outbound, url, folder, operatorsOwn: false })
  let offered: Promise<readonly string[]> | undefined
  const turn = { db, tools, mirror, waiting, now, offered: () => (offered ??= mirror.listEcosystems()) }
  const tried = { name: 'osv', address: url, now }
  const endings: Ended[] = []
  const failures: string[] = []
  const used = (await selectUsedEcosystems(db)).filter(isEcosystemName)
  for (const ecosystem of used) {
    const parts = await refreshEcosystem(turn, ecosystem)
    endings.push(...parts)
    const failed = parts.find((part) => part.outcome === 'error')
    if (failed === undefined) continue
    log.warn(
      { source: sourceName(ecosystem), reason: failed.message },
      'vulnerability data was not refreshed',
    )
    failures.push(`${ecosystem}: ${failed.message}`)
  }
  if (failures.length > 0) throw new RefusedData(failures.join('; '))
  if (used.length === 0) return recordUnchanged(db, tried, null)
  const isNew = endings.some(({ outcome }) => outcome === 'new_data')
  const record = isNew ? recordNewData : recordUnchanged
  return record(db, tried, { recordCount: used.length, isWhole: true })
}

/** Whoever sends the first SBOM wants findings now, not at the next scheduled refresh. Even a failed attempt leaves a row. */
export async function isOsvAwaited(db: Db): Promise<boolean> {
  return (await selectUnaskedEcosystems(db)).some(isEcosystemName)
}

async function refreshEcosystem(turn: Turn, ecosystem: string): Promise<Ended[]> {
  const { db, mirror, now } = turn
  const { address } = mirror
  const part = { name: sourceName(ecosystem), address, now }
  const reconcile = await selectSource(db, reconcileName(ecosystem))
  // data of another address, such as an import of an operator, is no basis for this one's changes
  const isLoaded =
    reconcile !== undefined && reconcile.lastSuccessAt !== null && reconcile.address === address
  if (!isLoaded) return [await attempt(db, part, () => loadFirst(turn, ecosystem, part))]
  const endings = [await attempt(db, part, () => loadDelta(turn, ecosystem, part))]
  if (isReconcileDue(reconcile, now) && (await isThere(db, part.name))) {
    const whole = { name: reconcileName(ecosystem), address, now }
    endings.push(await attempt(db, whole, () => loadAgain(turn, ecosystem, { tried: whole, reconcile })))
  }
  return endings
}

async function isThere(db: Db, name: string): Promise<boolean> {
  return (await selectSource(db, name))?.absentSince === null
}

function isReconcileDue(row: { lastSuccessAt: Date | null; lastAttemptAt: Date | null }, now: Date): boolean {
  const isOld = hasPassed(row.lastSuccessAt, reconcileEveryMs, now)
  // a success is an attempt too: if the times differ, the last attempt failed
  const hasFailed = row.lastAttemptAt?.getTime() !== row.lastSuccessAt?.getTime()
  return isOld && (!hasFailed || hasPassed(row.lastAttemptAt, retryReconcileMs, now))
}

/** The whole file. That the mirror has no such ecosystem is no failure: it may have it one day. */
async function loadFirst(turn: Turn, ecosystem: string, tried: Attempt): Promise<Ended> {
  const hash = (await turn.mirror.wholeFile(ecosystem))?.hash ?? null
  try {
    return await loadWhole(turn, ecosystem, { tried, hash })
  } catch (error) {
    await throwUnlessAbsent(turn, ecosystem, error)
    return recordAbsent(turn.db, tried)
  }
}

/** A mirror that offers nothing is not a mirror. */
async function throwUnlessAbsent(turn: Turn, ecosystem: string, error: unknown): Promise<void> {
  if (!(error instanceof NoSuchEcosystem)) throw error
  const offered = await turn.offered()
  if (offered.length === 0 || offered.includes(ecosystem)) throw error
}

type Again = { tried: Attempt; reconcile: SourceRow }

/** The whole file, unless the server says that it is the one read last time. */
async function loadAgain(turn: Turn, ecosystem: string, { tried, reconcile }: Again): Promise<Ended> {
  const { db, mirror } = turn
  const hash = (await mirror.wholeFile(ecosystem))?.hash ?? null
  if (hash === null || hash !== reconcile.contentHash) return loadWhole(turn, ecosystem, { tried, hash })
  const recordCount = (await selectSource(db, sourceName(ecosystem)))?.recordCount ?? 0
  return recordUnchanged(db, tried, { recordCount })
}

async function loadWhole(
  turn: Turn,
  ecosystem: string,
  { tried, hash }: { tried: Attempt; hash: string | null },
): Promise<Ended> {
  const { db, now } = turn
  const fetchedAfter = (await selectSource(db, sourceName(ecosystem)))?.lastSuccessAt ?? null
  const importing = { ecosystem, contentHash: hash, fetchedAfter, now, onProgress: () => undefined }
  const ended = await unlessSuperseded(
    turn,
    tried,
    async () => (await importEcosystem(turn, importing)).endings,
  )
  await db.transaction().execute(async (tx) => {
    // during another import they are left to the next refresh
    if (await isLockFree(tx, 'records')) await deleteEmptyGroups(tx)
  })
  return ended
}

/** An ecosystem that has left the mirror starts with its whole file if it comes back. */
async function loadDelta(turn: Turn, ecosystem: string, tried: Attempt): Promise<Ended> {
  try {
    return await unlessSuperseded(turn, tried, () => importDelta(turn, { ecosystem, now: turn.now }))
  } catch (error) {
    await throwUnlessAbsent(turn, ecosystem, error)
    await forgetWhole(turn.db, reconcileName(ecosystem))
    return recordEnded(turn.db, tried)
  }
}

/** The other import's result is what the source has now. */
async function unlessSuperseded(
  { db }: Turn,
  tried: Attempt,
  work: () => Promise<ReadonlyMap<string, Ended>>,
): Promise<Ended> {
  try {
    const ended = (await work()).get(tried.name)
    if (ended === undefined) throw new Error(`an import of ${tried.name} noted nothing of it`)
    return ended
  } catch (error) {
    if (error instanceof Superseded) return recordUnchanged(db, tried, null)
    throw error
  }
}

/** Forgets that ecosystems were compared with their whole files. */
export async function readOsvAgain(db: Db): Promise<void> {
  await forgetWhole(db, reconcilePrefix)
}

/** Of the ecosystems whose rows begin so. */
async function forgetWhole(db: Db, names: string): Promise<void> {
  await sql`
    update data_source set content_hash = null, last_success_at = null where starts_with(name, ${names})`.execute(
    db,
  )
}
