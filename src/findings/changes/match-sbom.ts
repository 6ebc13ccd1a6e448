import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { markFailed, markMatched } from '../../sbom/set-status.ts'
import { writeIdentities } from '../../sbom/components/write-identities.ts'
import type { Originals } from '../../originals/originals.ts'
import { readLinks } from '../../vex/binding/bind-links.ts'
import { indexComponents } from '../inventory/index-components.ts'
import { countCoverage, takeInventory } from '../inventory/take-inventory.ts'
import { matchIdentities } from '../../matching/match-identities.ts'
import { nameIdentities } from './name-identities.ts'
import { enqueueKeyRenewal } from './renew-keys.ts'
import { refreshFindingsOfVersion } from '../refresh/refresh-findings.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { enqueueRefresh } from '../../workspace/monitoring/enqueue-refresh.ts'
import { selectSlots, type SbomKey } from '../version-slot.ts'

const failure =
  'Matching against the vulnerability data did not finish after several attempts. Run it again; if it fails once more, the cause is in the log of the service.'

/** SBOMs of one family. */
type SbomRun = {
  workspaceId: string
  sbomIds: readonly string[]
  now: Date
  originals?: Originals | undefined
}

/**
 * Matches stored SBOMs of one family (jobs `match_sbom` that wait together): first the identities that no earlier upload had, in
 * transactions of their own, then the findings of each version. The index of the search over all products, and the count of decidable
 * components, are built beside that; when everything is done, the SBOMs count as matched. An SBOM that was replaced meanwhile is matched as
 * well; a deleted one is skipped. Running it twice changes nothing.
 */
export async function matchSboms(db: Db, { workspaceId, sbomIds, now, originals }: SbomRun): Promise<void> {
  const sboms = await selectSlots(db, { workspaceId, sbomIds })
  const familyId = sboms[0]?.familyId
  if (familyId === undefined) return
  const family = { workspaceId, familyId }
  await db.transaction().execute(async (tx) => {
    const { haveOldKeys } = await writeIdentities(tx, { ...family, now })
    if (haveOldKeys) await enqueueKeyRenewal(tx, now)
  })
  const { unmatched, unnamed, uncounted } = await takeInventory(db, { workspaceId, sboms })
  await nameIdentities(db, unnamed, now)
  const beside = indexAndCount(db, family, uncounted)
  await endTogether(beside, async () => {
    await matchIdentities(db, unmatched, { now })
    const versionIds = new Set(sboms.map(({ versionId }) => versionId))
    await findInVersions(db, family, { versionIds, now, originals })
  })
  await markMatched(
    db,
    workspaceId,
    sboms.map((sbom) => sbom.sbomId),
    now,
  )
  if ((await beside) >= manyComponents) await updateStatistics(db)
}

/** Returns how many components are new in the family. */
async function indexAndCount(db: Db, family: FamilyKey, uncounted: readonly string[]): Promise<number> {
  const fresh = await indexComponents(db, family)
  await countCoverage(db, { workspaceId: family.workspaceId, sbomIds: uncounted })
  return fresh
}

/** Fails if either fails, but only once both have ended. */
async function endTogether(beside: Promise<unknown>, work: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled([beside, work()])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

type Finding = { versionIds: ReadonlySet<string | null>; now: Date; originals: Originals | undefined }

async function findInVersions(
  db: Db,
  family: FamilyKey,
  { versionIds, now, originals }: Finding,
): Promise<void> {
  const linksRead = await readLinks(db, family, { originals })
  for (const versionId of versionIds) {
    await transact(db, async (tx) => {
      // documents that point into the new SBOM may hold for other versions as well
      if (linksRead > 0) await enqueueRefresh(tx, family, now)
      await refreshFindingsOfVersion(tx, { ...family, versionId }, now)
    })
  }
}

/** As `matchSboms`, for one. */
export async function matchSbom(
  db: Db,
  { workspaceId, sbomId, now, originals }: SbomKey & { now: Date; originals?: Originals },
): Promise<void> {
  await matchSboms(db, { workspaceId, sbomIds: [sbomId], now, originals })
}

/** This many new components make the database's statistics outdated, above all for a new family. */
const manyComponents = 2_000

/**
 * The database updates its statistics by itself when a tenth of a table has changed; until then it would plan every query on a large family without
 * statistics as if it had no rows.
 */
async function updateStatistics(db: Db): Promise<void> {
  await sql`analyze (skip_locked) component, component_identity, identity_match, finding`.execute(db)
}

/**
 * After the last attempt: the SBOM's page says that matching failed and offers to run it again. The cause may be a
 * message of the database, so it stays in the log.
 */
export async function giveUpSbom(
  db: Db,
  { workspaceId, sbomId, now }: SbomKey & { now: Date },
): Promise<void> {
  await markFailed(db, { workspaceId, sbomId, now }, failure)
}
