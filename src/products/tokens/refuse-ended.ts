import { ServiceError } from '../../contract/errors.ts'

/** What ends a family's token; null: has not happened. */
export type TokenEnds = {
  revoked_at: Date | null
  expires_at: Date | null
  archived_at: Date | null
  deleted_at: Date | null
  moved_to: string | null
}

/** Codes: `unauthorized`, `family_not_found`. */
export function refuseEnded(row: TokenEnds, now: Date): void {
  const isExpired = row.expires_at !== null && row.expires_at <= now
  if (row.revoked_at !== null || isExpired || row.moved_to !== null) throw new ServiceError('unauthorized')
  if (row.deleted_at !== null) throw new ServiceError('family_not_found')
  if (row.archived_at !== null) throw new ServiceError('unauthorized')
}
