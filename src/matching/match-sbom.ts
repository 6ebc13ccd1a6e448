import { sql } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { retrySerialization } from '../platform/postgres/pool.ts'
import { markFailed, markMatched } from '../sbom/set-status.ts'
import { writeIdentities } from '../sbom/write-identities.ts'
import { readLinks } from '../vex/bind-links.ts'
import { indexComponents, takeInventory } from './index-components.ts'
import { matchIdentities } from './match-identities.ts'
import { orderKeyRenewal } from './renew-keys.ts'
import { refreshFindingsOfVersion } from './refresh-findings.ts'
import { selectSlot, type SbomKey } from './version-slot.ts'

const failure =
  'Matching against the vulnerability data did not finish after several attempts. Run it again; if it fails once more, the cause is in the log of the service.'

/**
 * Matches a stored SBOM (job `match_sbom`): first the identities nobody has brought before, in transactions of their own, and what
 * the search over all products looks through; then the findings of its version together with the SBOM's status. An SBOM that
 * another one has replaced meanwhile is matched as well, one that is gone is passed over. Running it twice changes nothing.
 */
export async function matchSbom(
  db: Db,
  { workspaceId, sbomId, now }: SbomKey & { now: Date },
): Promise<void> {
  const sbom = await selectSlot(db, { workspaceId, sbomId })
  if (sbom === undefined) return
  await db.transaction().execute(async (tx) => {
    const { haveOldKeys } = await writeIdentities(tx, { workspaceId, familyId: sbom.familyId, now })
    if (haveOldKeys) await orderKeyRenewal(tx, now)
  })
  const unmatched = await takeInventory(db, workspaceId, sbomId)
  const [newComponents] = await Promise.all([
    indexComponents(db, { workspaceId, familyId: sbom.familyId }),
    matchIdentities(db, unmatched, { now }),
  ])
  const linksRead = await readLinks(db, { workspaceId, familyId: sbom.familyId })
  await retrySerialization(() =>
    db.transaction().execute(async (tx) => {
      if (linksRead > 0) await orderRefresh(tx, { workspaceId, familyId: sbom.familyId }, now)
      await refreshFindingsOfVersion(tx, sbom, now)
      await markMatched(tx, workspaceId, sbomId, now)
    }),
  )
  if (newComponents >= manyComponents) await countAnew(db)
}

/** So many new components change what the store should think of its tables: their family most of all, if it was new. */
const manyComponents = 2_000

/**
 * The store counts by itself when a tenth of a table has changed; until then it would plan every look at a large family it has not
 * counted for a family of no rows.
 */
async function countAnew(db: Db): Promise<void> {
  await sql`analyze (skip_locked) component, component_identity, identity_match, finding`.execute(db)
}

/** Documents that point into the new SBOM may hold for other versions as well. */
async function orderRefresh(
  tx: Tx,
  payload: { workspaceId: string; familyId: string },
  now: Date,
): Promise<void> {
  const { workspaceId, familyId: key } = payload
  await enqueue(tx, { kind: 'refresh_findings', key, workspaceId, payload, runAt: now })
}

/**
 * After the last attempt: the SBOM's page says that matching failed and offers to run it again. The cause may be words of
 * the store, so it stays in the log.
 */
export async function giveUpSbom(db: Db, { workspaceId, sbomId }: SbomKey): Promise<void> {
  await markFailed(db, { workspaceId, sbomId }, failure)
}
