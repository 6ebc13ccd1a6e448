import { ServiceError } from '../../contract/errors.ts'
import type { Tx } from '../../database/connection.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/** A family that is not deleted, locked until the transaction ends: its acts come one after the other. Codes: `not_found`. */
export async function lockFamily(
  tx: Tx,
  { workspaceId, familyId }: FamilyKey,
): Promise<{ name: string; archived_at: Date | null }> {
  const family = await tx
    .selectFrom('family')
    .select(['name', 'archived_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', familyId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (family === undefined) throw new ServiceError('not_found')
  return family
}
