import type { Logger } from 'pino'
import type { Db, Tx } from '../../database/connection.ts'
import { keyGeneration } from '../../versions/ordering.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { retrySerialization } from '../../platform/postgres/pool.ts'
import { readSourcesAgain } from '../../vulndata/source-states.ts'
import { recountCoverageAfter } from '../inventory/take-inventory.ts'
import { matchIdentities } from '../../matching/match-identities.ts'
import {
  countOld,
  assessAgain,
  markRenewed,
  selectOldAfter,
  type OldIdentity,
} from '../../matching/old-identities.ts'
import { nameIdentities } from './name-identities.ts'
import { enqueueStaleFamilies } from './stale-families.ts'

/** Enqueues the renewal of version keys when the database has some that an earlier version of the program computed. Reads all identities once. */
export async function enqueueKeyRenewal(tx: Tx, now: Date): Promise<void> {
  const old = await tx
    .selectFrom('component_identity')
    .select('id')
    .where('key_generation', '<', keyGeneration)
    .limit(1)
    .executeTakeFirst()
  if (old === undefined) return
  await enqueue(tx, { kind: 'renew_version_keys', key: 'all', payload: {}, runAt: now })
}

/**
 * After an update that orders versions differently (job `renew_version_keys`): recomputes the version keys of stored identities and whether they can
 * be compared, matches them, and enqueues a refresh of the families in which that changes a finding. The bounds of
 * ranges are computed when their records are read, so first all sources are marked to be read again. Identities count as renewed
 * only when they are matched: an interrupted run resumes where it was.
 */
export async function renewVersionKeys(
  db: Db,
  { now, log }: { now: Date; log: Pick<Logger, 'info'> },
): Promise<void> {
  const total = await countOld(db)
  if (total === 0) return
  await readSourcesAgain(db)
  let done = 0
  let last: string | null = null
  for (;;) {
    const identities: OldIdentity[] = await selectOldAfter(db, last)
    if (identities.length === 0) return
    await renew(db, identities, now)
    last = identities.at(-1)?.id ?? last
    done += identities.length
    log.info({ done, total: Math.max(done, total) }, 'version keys renewed')
  }
}

async function renew(db: Db, identities: readonly OldIdentity[], now: Date): Promise<void> {
  const ids = identities.map((identity) => identity.id)
  await recountCoverageAfter(db, (tx) => assessAgain(tx, identities), now)
  await nameIdentities(db, ids, now)
  await matchIdentities(db, ids, { now })
  await enqueueStaleFamilies(db, ids, now)
  await retrySerialization(() => markRenewed(db, ids))
}
