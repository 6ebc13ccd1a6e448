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
import { selectSlots, type SbomKey } from './version-slot.ts'

const failure =
  'Matching against the vulnerability data did not finish after several attempts. Run it again; if it fails once more, the cause is in the log of the service.'

/** SBOMs of one family. */
type SbomRun = { workspaceId: string; sbomIds: readonly string[]; now: Date }

/**
 * Matches stored SBOMs of one family (jobs `match_sbom` that wait together): first the identities that no earlier upload had, in
 * transactions of their own, and what the search over all products looks through; then the findings of each version together with the
 * status of its SBOMs. An SBOM that another one has replaced meanwhile is matched as well, one that is gone is passed over. Running it
 * twice changes nothing.
 */
export async function matchSboms(db: Db, { workspaceId, sbomIds, now }: SbomRun): Promise<void> {
  const sboms = await selectSlots(db, { workspaceId, sbomIds })
  const familyId = sboms[0]?.familyId
  if (familyId === undefined) return
  const family = { workspaceId, familyId }
  await db.transaction().execute(async (tx) => {
    const { haveOldKeys } = await writeIdentities(tx, { ...family, now })
    if (haveOldKeys) await orderKeyRenewal(tx, now)
  })
  const unmatched = await takeInventory(
    db,
    workspaceId,
    sboms.map(({ sbomId }) => sbomId),
  )
  const [newComponents] = await Promise.all([
    indexComponents(db, family),
    matchIdentities(db, unmatched, { now }),
  ])
  const linksRead = await readLinks(db, family)
  for (const [versionId, ofVersion] of Map.groupBy(sboms, (sbom) => sbom.versionId)) {
    await retrySerialization(() =>
      db.transaction().execute(async (tx) => {
        if (linksRead > 0) await orderRefresh(tx, family, now)
        await refreshFindingsOfVersion(tx, { ...family, versionId }, now)
        const ids = ofVersion.map(({ sbomId }) => sbomId)
        await markMatched(tx, workspaceId, ids, now)
      }),
    )
  }
  if (newComponents >= manyComponents) await countAnew(db)
}

/** As `matchSboms`, for one. */
export async function matchSbom(
  db: Db,
  { workspaceId, sbomId, now }: SbomKey & { now: Date },
): Promise<void> {
  await matchSboms(db, { workspaceId, sbomIds: [sbomId], now })
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
