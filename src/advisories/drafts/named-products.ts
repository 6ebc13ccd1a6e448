import type { AdvisoryContent, DraftProduct } from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { selectHelpers } from './product-helpers.ts'

type Naming = {
  content: AdvisoryContent
  /** The products of the draft before. */
  before: readonly DraftProduct[]
}

/**
 * The content with the present names of its products and, where it has no purl and CPE, those of the versions' SBOMs. A version that has
 * been deleted keeps the name it had in `before`: what was published of it can still be corrected. Codes:
 * `invalid_request` (a version or family that the workspace never had).
 */
export async function withProductNames(
  db: Db,
  workspaceId: string,
  { content, before }: Naming,
): Promise<AdvisoryContent> {
  const versions = content.products.filter(({ isRange = false }) => !isRange)
  const known = await selectNames(db, workspaceId, versions)
  const families = await selectFamilies(db, workspaceId, content.products)
  const unsaid = versions.filter(({ purl, cpe }) => purl === undefined && cpe === undefined)
  const helpers = await selectHelpers(
    db,
    workspaceId,
    unsaid.map(({ versionId }) => versionId),
  )
  const earlier = new Map(before.map((product) => [product.versionId, product]))
  const products = content.products.map((product, index): DraftProduct => {
    const kept = earlier.get(product.versionId)
    const names =
      product.isRange === true
        ? rangeNames(product, { families, kept })
        : (known.get(product.versionId) ?? kept)
    if (names === undefined) {
      const fields = { [`products.${index}`]: 'There is no such product version.' }
      throw new ServiceError('invalid_request', { fields })
    }
    const { familyId, family, version } = names
    return { ...product, familyId, family, version, ...helpers.get(product.versionId) }
  })
  return { ...content, products }
}

type Known = { families: ReadonlyMap<string, string>; kept: DraftProduct | undefined }

/** Of a range its family; one of a deleted family keeps what it was, if it was a range. */
function rangeNames({ familyId, version }: DraftProduct, { families, kept }: Known): Names | undefined {
  if (kept !== undefined && kept.isRange !== true) return undefined
  const family = families.get(familyId) ?? (kept?.familyId === familyId ? kept.family : undefined)
  return family === undefined ? undefined : { familyId, family, version }
}

type Names = Pick<DraftProduct, 'familyId' | 'family' | 'version'>

async function selectNames(
  db: Db,
  workspaceId: string,
  versions: readonly DraftProduct[],
): Promise<Map<string, Names>> {
  if (versions.length === 0) return new Map()
  const rows = await db
    .selectFrom('product_version as v')
    .innerJoin('family as f', 'f.id', 'v.family_id')
    .select(['v.id as versionId', 'v.family_id as familyId', 'f.name as family', 'v.name as version'])
    .where('v.workspace_id', '=', workspaceId)
    .where(
      'v.id',
      'in',
      versions.map(({ versionId }) => versionId),
    )
    .where('f.deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ versionId, ...names }) => [versionId, names]))
}

/** The names of the families of ranges: a range is stored only in its draft. */
async function selectFamilies(
  db: Db,
  workspaceId: string,
  products: readonly DraftProduct[],
): Promise<Map<string, string>> {
  const ids = products.filter(({ isRange = false }) => isRange).map(({ familyId }) => familyId)
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('family')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
