import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import type { Clock } from '../../platform/clock.ts'
import type { FamilyToken } from './authenticate.ts'

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

/**
 * Checks the token of a request that has waited since it was admitted, and stores nothing. The request is not counted again. Codes:
 * `unauthorized`, `family_not_found`.
 */
export async function refuseEndedMeanwhile(
  db: Db,
  { workspaceId, familyId, tokenId }: Pick<FamilyToken, 'workspaceId' | 'familyId' | 'tokenId'>,
  clock: Clock,
): Promise<void> {
  const row = await db
    .selectFrom('token as t')
    .innerJoin('workspace as w', 'w.id', 't.workspace_id')
    .innerJoin('family as f', (join) =>
      join.onRef('f.workspace_id', '=', 'w.id').onRef('f.id', '=', 't.family_id'),
    )
    .select(['t.revoked_at', 't.expires_at', 'f.archived_at', 'f.deleted_at', 'w.moved_to'])
    .where('t.workspace_id', '=', workspaceId)
    .where('t.family_id', '=', familyId)
    .where('t.id', '=', tokenId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('unauthorized')
  refuseEnded(row, clock())
}
