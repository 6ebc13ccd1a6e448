import type { Selectable } from 'kysely'
import {
  noProductFacts,
  type KeptProductFacts,
  type ProductFacts,
} from '../../../contract/incidents/product-facts.ts'
import type { Db } from '../../../database/connection.ts'
import type { Tables } from '../../../database/tables.ts'
import type { FamilyKey } from '../../../workspace/monitoring/family-key.ts'

/** What is kept with a family; empty where nothing has been entered. */
export async function selectProductFacts(
  db: Db,
  { workspaceId, familyId }: FamilyKey,
): Promise<KeptProductFacts> {
  const row = await db
    .selectFrom('product_facts')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .executeTakeFirst()
  if (row === undefined) return { ...noProductFacts, changedAt: null, changedBy: null }
  return {
    ...productFactsOf(row),
    changedAt: row.changed_at.toISOString(),
    changedBy: row.changed_by_name,
  }
}

export function productFactsOf(row: Selectable<Tables['product_facts']>): ProductFacts {
  return {
    memberStates: row.member_states,
    productType: row.product_type,
    productClass: row.product_class,
    category: row.category,
    supportEndsOn: row.support_ends_on,
    userContact: row.user_contact,
  }
}
