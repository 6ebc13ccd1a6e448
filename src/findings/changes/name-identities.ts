import type { Db } from '../../database/connection.ts'
import { nameAgain } from '../../matching/named-identities.ts'
import { recountCoverageAfter } from '../inventory/take-inventory.ts'

/** Updates whether records name the identities; all others stay as they are. */
export async function nameIdentities(db: Db, identityIds: readonly string[], now: Date): Promise<void> {
  if (identityIds.length > 0) await recountCoverageAfter(db, (tx) => nameAgain(tx, identityIds), now)
}
