import { sql } from 'kysely'
import type { Db } from '../../../database/connection.ts'
import { hasPassed } from '../../../platform/clock.ts'
import { importDelta } from './import-delta.ts'
import { importEcosystem } from './import-ecosystem.ts'
import { webMirror, type Mirror } from './mirror.ts'
import { selectUnaskedEcosystems, selectUsedEcosystems } from '../../ledger/in-store.ts'
import { reasonOf, RefusedData } from '../../documents/refused-data.ts'
import { withImportLock } from '../../ledger/import-lock.ts'
import { recordAttempt, recordFailure, recordSuccess, selectSource } from '../../ledger/source-rows.ts'
import {
  isEcosystemName,
  reconcileName,
  reconcilePrefix,
  sourceName,
} from '../../records/ecosystem-source.ts'
import { deleteEmptyGroups } from '../../store/empty-groups.ts'
import type { RefreshTurn, Tools } from '../source.ts'

const hourMs = 3_600_000
/** Deltas name no deletions and miss edits that leave `modified` as it is: once a day the whole file is compared. */
const reconcileEveryMs = 24 * hourMs
/** A whole file that was refused is not fetched again at every turn. */
const retryReconcileMs = hourMs

type Turn = { db: Db; tools: Tools; mirror: Mirror; now: Date }

/**
 * Refreshes the ecosystems that some component is of: one that was never loaded is loaded whole, the others by what changed since the
 * watermark, and once a day by their whole file. One ecosystem's failure does not keep the others from theirs.
 */
export async function refreshOsv(refresh: RefreshTurn): Promise<void> {
  const { db, log, tools, outbound, address: url, folder, now } = refresh
  const mirror = webMirror({ outbound, url, folder, operatorsOwn: false })
  const failures: string[] = []
  let count = 0
  for (const ecosystem of (await selectUsedEcosystems(db)).filter(isEcosystemName)) {
    count += 1
    const message = await refreshEcosystem({ db, tools, mirror, now }, ecosystem)
    if (message === null) continue
    log.warn({ source: sourceName(ecosystem), reason: message }, 'vulnerability data was not refreshed')
    failures.push(`${ecosystem}: ${message}`)
  }
  if (failures.length > 0) throw new RefusedData(failures.join('; '))
  await recordSuccess(db, { name: 'osv', address: url, now, recordCount: count, isWhole: true })
}

/** Whoever sends the first SBOM looks for what it finds now, not at the next turn. An attempt leaves a row, also one that fails. */
export async function isOsvAwaited(db: Db): Promise<boolean> {
  return (await selectUnaskedEcosystems(db)).some(isEcosystemName)
}

/** Returns why it failed; null when it did not. */
async function refreshEcosystem(turn: Turn, ecosystem: string): Promise<string | null> {
  const { db, mirror, now } = turn
  const name = sourceName(ecosystem)
  const reconcile = await selectSource(db, reconcileName(ecosystem))
  // data of another address, such as an import of an operator, is no basis for this one's changes
  const isLoaded =
    reconcile !== undefined && reconcile.lastSuccessAt !== null && reconcile.address === mirror.address
  const failures: (string | null)[] = []
  const noting = async (rowName: string, work: () => Promise<unknown>) => {
    await recordAttempt(db, { name: rowName, address: mirror.address, now })
    const message = await failureOf(work)
    if (message !== null) await recordFailure(db, { name: rowName, address: mirror.address, now, message })
    failures.push(message)
  }
  if (!isLoaded) {
    await noting(name, () => loadWhole(turn, ecosystem, null))
  } else {
    await noting(name, () => loadDelta(turn, ecosystem))
    if (isReconcileDue(reconcile, now)) {
      await noting(reconcileName(ecosystem), () => loadWhole(turn, ecosystem, reconcile.contentHash))
    }
  }
  return failures.find((message) => message !== null) ?? null
}

async function failureOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    const message = reasonOf(error)
    if (message === null) throw error
    return message
  }
}

function isReconcileDue(row: { lastSuccessAt: Date | null; lastAttemptAt: Date | null }, now: Date): boolean {
  const isOld = hasPassed(row.lastSuccessAt, reconcileEveryMs, now)
  // a success is an attempt, too: another time is that of a failure
  const hasFailed = row.lastAttemptAt?.getTime() !== row.lastSuccessAt?.getTime()
  return isOld && (!hasFailed || hasPassed(row.lastAttemptAt, retryReconcileMs, now))
}

/** The whole file, unless the server says that it is the one read last time. */
async function loadWhole(
  { db, tools, mirror, now }: Turn,
  ecosystem: string,
  knownHash: string | null,
): Promise<void> {
  const hash = (await mirror.wholeFile(ecosystem))?.hash ?? null
  await withImportLock(db, { lock: 'records', isWaiting: null }, async (session) => {
    if (hash !== null && hash === knownHash) {
      const recordCount = (await selectSource(session, sourceName(ecosystem)))?.recordCount ?? 0
      const name = reconcileName(ecosystem)
      await recordSuccess(session, { name, address: mirror.address, now, recordCount })
    } else {
      await importEcosystem(
        { session, tools, mirror },
        {
          ecosystem,
          contentHash: hash,
          now,
          onProgress: () => undefined,
        },
      )
    }
    await deleteEmptyGroups(session)
  })
}

async function loadDelta({ db, tools, mirror, now }: Turn, ecosystem: string): Promise<void> {
  await withImportLock(db, { lock: 'records', isWaiting: null }, (session) =>
    importDelta({ session, tools, mirror }, { ecosystem, now }),
  )
}

/** Forgets that ecosystems were compared with their whole files. */
export async function readOsvAgain(db: Db): Promise<void> {
  await sql`
    update data_source set content_hash = null, last_success_at = null
    where starts_with(name, ${reconcilePrefix})`.execute(db)
}
