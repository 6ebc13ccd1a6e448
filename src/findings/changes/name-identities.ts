import type { Db } from '../../database/connection.ts'
import { nameAgain } from '../../matching/named-identities.ts'
import { retrySerialization } from '../../platform/postgres/pool.ts'
import { recountCoverage } from '../inventory/take-inventory.ts'

/** Follows the records in whether they name the identities, and counts the coverage of the SBOMs again in which that changes it. */
export async function nameIdentities(db: Db, identityIds: readonly string[]): Promise<void> {
  if (identityIds.length === 0) return
  // in one transaction: a run that was cut off in between would not see that they changed
  await retrySerialization(() =>
    db.transaction().execute(async (tx) => recountCoverage(tx, await nameAgain(tx, identityIds))),
  )
}
