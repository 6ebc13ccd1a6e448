import type { DraftProduct } from '../../contract/advisories/shapes.ts'
import type { FieldPlaces } from './field-places.ts'

/** A product of a document, and its place among those of the draft. */
export type PlacedProduct = DraftProduct & { place: number }

/** The id of a product version, or a range of versions, in every document. */
export function productIdOf(versionId: string): string {
  return `CSAFPID-${versionId}`
}

/** The ids of versions in the order of the document's products; unknown ones are left out. */
export function productIds(versionIds: readonly string[], products: readonly DraftProduct[]): string[] {
  const named = new Set(versionIds)
  return products
    .filter(({ versionId }) => named.has(versionId))
    .map(({ versionId }) => productIdOf(versionId))
}

/** Words that would make a range of a version name (CSAF 2.0, 6.1.31). */
const rangeWords = new Set(['after', 'all', 'before', 'earlier', 'later', 'prior', 'versions'])

/** What keeps a version name out of documents; undefined: nothing. */
export function versionNameProblem(version: string): string | undefined {
  const sign = /[<>]/.exec(version)?.[0]
  const word = sign ?? version.split(/\s+/).find((one) => rangeWords.has(one.toLowerCase()))
  if (word === undefined) return undefined
  return `The version name "${version}" contains "${word}", which CSAF reads as a range of versions.`
}

/** Company, families, versions and ranges of versions (CSAF 2.0, 3.2.2.1); families and versions in the order of the draft. */
export function productTree(company: string, products: readonly PlacedProduct[], places: FieldPlaces) {
  const families = Map.groupBy(products, ({ familyId }) => familyId)
  const branches = [...families.values()].map((rows, family) => ({
    branches: rows.map((product, place) => {
      const at = `/product_tree/branches/0/branches/${family}/branches/${place}`
      const field = `products.${product.place}`
      places.add(at, field)
      for (const part of ['purl', 'cpe'])
        places.add(`${at}/product/product_identification_helper/${part}`, `${field}.${part}`)
      return versionBranch(company, product)
    }),
    category: 'product_name',
    name: rows[0]?.family ?? '',
  }))
  return { branches: [{ branches, category: 'vendor', name: company }] }
}

function versionBranch(company: string, product: DraftProduct) {
  const { family, versionId, isRange = false } = product
  const version = isRange ? product.version.trim() : product.version
  const helper = helperOf(product)
  return {
    category: isRange ? 'product_version_range' : 'product_version',
    name: version,
    product: {
      name: `${company} ${family} ${version}`,
      product_id: productIdOf(versionId),
      ...(helper !== undefined && { product_identification_helper: helper }),
    },
  }
}

/** What tools know a product by (CSAF 2.0, 3.1.3.3). */
function helperOf({ purl = '', cpe = '' }: DraftProduct) {
  const helper = {
    ...(cpe.trim() !== '' && { cpe: cpe.trim() }),
    ...(purl.trim() !== '' && { purl: purl.trim() }),
  }
  return Object.keys(helper).length === 0 ? undefined : helper
}
