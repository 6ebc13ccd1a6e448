import type { DraftProduct } from '../../contract/advisories.ts'
import type { FieldPlaces } from './field-places.ts'

/** Of a product version in every document that names it. */
export function productIdOf(versionId: string): string {
  return `CSAFPID-${versionId}`
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

/** Company, families, versions (CSAF 2.0, 3.2.2.1); families and versions in the order of the draft. */
export function productTree(company: string, products: readonly DraftProduct[], places: FieldPlaces) {
  const families = Map.groupBy(products.entries(), ([, { familyId }]) => familyId)
  const branches = [...families.values()].map((rows, family) => ({
    branches: rows.map(([index, { version, family: name, versionId }], place) => {
      places.add(`/product_tree/branches/0/branches/${family}/branches/${place}`, `products.${index}`)
      return {
        category: 'product_version',
        name: version,
        product: { name: `${company} ${name} ${version}`, product_id: productIdOf(versionId) },
      }
    }),
    category: 'product_name',
    name: rows[0]?.[1].family ?? '',
  }))
  return { branches: [{ branches, category: 'vendor', name: company }] }
}
