import { sql, type Selectable } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { effectiveState, refuseWhenReadOnly } from '../state.ts'

/** Who sends a document to a family: an upload token that has passed the token step. */
export type Sender = { workspaceId: string; familyId: string; tokenId: string; name: string }

export type LockedFamily = { workspaceSlug: string; nextComponentNumber: number }

type LockedRow = Pick<
  Selectable<Tables['workspace']>,
  'slug' | 'plan' | 'trial_ends_at' | 'paid_until' | 'closed_at'
> & {
  revoked_at: Date | null
  expires_at: Date | null
  archived_at: Date | null
  deleted_at: Date | null
  next_component_number: number
}

/**
 * Judges token, family and workspace once more inside the storing transaction, because they may have been revoked, archived or
 * ended while the body was arriving or being read, and holds them until it ends: what would change them waits, and uploads of one
 * family follow each other. Codes: `unauthorized`, `family_not_found`, `billing_lapsed`.
 */
export async function lockSender(tx: Tx, sender: Sender, now: Date): Promise<LockedFamily> {
  const { workspaceId, familyId, tokenId } = sender
  const result = await sql<LockedRow>`
    select t.revoked_at, t.expires_at, f.archived_at, f.deleted_at, f.next_component_number,
      w.slug, w.plan, w.trial_ends_at, w.paid_until, w.closed_at
    from token t
    join family f on f.workspace_id = t.workspace_id and f.id = t.family_id
    join workspace w on w.id = t.workspace_id
    where t.workspace_id = ${workspaceId} and t.id = ${tokenId} and f.id = ${familyId}
    for share of t, w for no key update of f`.execute(tx)
  const row = result.rows[0]
  if (row === undefined) throw new ServiceError('unauthorized')
  refuseLapsed(row, now)
  return { workspaceSlug: row.slug, nextComponentNumber: row.next_component_number }
}

function refuseLapsed(row: LockedRow, now: Date): void {
  const isExpired = row.expires_at !== null && row.expires_at <= now
  if (row.revoked_at !== null || isExpired) throw new ServiceError('unauthorized')
  if (row.deleted_at !== null) throw new ServiceError('family_not_found')
  if (row.archived_at !== null) throw new ServiceError('unauthorized')
  refuseWhenReadOnly(effectiveState(row, now))
}
