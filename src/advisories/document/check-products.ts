import type { AdvisoryContent, DraftProduct } from '../../contract/advisories/shapes.ts'
import { parseCpe } from '../../formats/cpe.ts'
import { parsePurl } from '../../formats/purl/purl.ts'
import { readVers } from '../../identities/vers/vers.ts'
import { isBlank, type Report } from './check-fields.ts'
import { versionNameProblem } from './product-tree.ts'

/** Why the products of a draft cannot be in a document. */
export function checkProducts({ products, vulnerabilities }: AdvisoryContent, report: Report): void {
  const used = new Set(vulnerabilities.flatMap(({ statuses }) => statuses.map(({ versionId }) => versionId)))
  const seen = new Set<string>()
  for (const [index, product] of products.entries()) {
    const field = `products.${index}`
    const names = [product.versionId, `${product.familyId} ${product.version.trim()}`]
    if (names.some((name) => seen.has(name)))
      report(field, `${product.family} ${product.version} is listed twice.`)
    for (const name of names) seen.add(name)
    const problem = nameProblem(product)
    if (problem !== undefined && (product.isRange === true || used.has(product.versionId)))
      report(field, problem)
    checkHelper(product, field, report)
  }
}

function nameProblem({ version, isRange = false }: DraftProduct): string | undefined {
  if (!isRange) return versionNameProblem(version)
  if (readVers(version.trim()) !== undefined) return undefined
  return 'A range such as vers:semver/>=1.0.0|<2.0.0 is required.'
}

function checkHelper({ purl = '', cpe = '' }: DraftProduct, field: string, report: Report): void {
  if (!isBlank(purl) && parsePurl(purl.trim()) === undefined)
    report(`${field}.purl`, 'A package URL such as pkg:generic/acme/pump@2.0 is required.')
  if (!isBlank(cpe) && parseCpe(cpe.trim()) === undefined)
    report(`${field}.cpe`, 'A CPE name such as cpe:2.3:a:acme:pump:2.0:*:*:*:*:*:*:* is required.')
}
