import type { AdvisoryContent, DraftProduct } from '../../contract/advisories.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'

/**
 * The content with its products under the names they have now. A version that has been deleted keeps the name it had in `before`: what was
 * published of it can still be corrected. Codes: `invalid_request` (a version that the workspace never had).
 */
export async function withProductNames(
  db: Db,
  workspaceId: string,
  { content, before }: { content: AdvisoryContent; before: readonly DraftProduct[] },
): Promise<AdvisoryContent> {
  const versionIds = content.products.map(({ versionId }) => versionId)
  const rows = await db
    .selectFrom('product_version as v')
    .innerJoin('family as f', 'f.id', 'v.family_id')
    .select(['v.id as versionId', 'v.family_id as familyId', 'f.name as family', 'v.name as version'])
    .where('v.workspace_id', '=', workspaceId)
    .where('v.id', 'in', versionIds.length === 0 ? [noVersion] : versionIds)
    .where('f.deleted_at', 'is', null)
    .execute()
  const known = new Map<string, DraftProduct>(
    [...before, ...rows].map((product) => [product.versionId, product]),
  )
  const products = versionIds.map((versionId, index) => {
    const product = known.get(versionId)
    if (product !== undefined) return product
    const fields = { [`products.${index}`]: 'There is no such product version.' }
    throw new ServiceError('invalid_request', { fields })
  })
  return { ...content, products }
}

const noVersion = '00000000-0000-0000-0000-000000000000'
