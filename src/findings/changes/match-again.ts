import type { Db } from '../../database/connection.ts'
import { matchIdentities } from '../../matching/match-identities.ts'
import { nameIdentities } from './name-identities.ts'

/** Compares identities with the records as they are now. Opens its own transactions; what it is called for twice changes nothing. */
export async function matchAgain(db: Db, identityIds: readonly string[], now: Date): Promise<void> {
  await nameIdentities(db, identityIds, now)
  await matchIdentities(db, identityIds, { now })
}
