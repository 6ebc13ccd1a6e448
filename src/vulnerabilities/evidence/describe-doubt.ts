import { gradeReasons } from '../../contract/findings/shapes.ts'
import { isOrderable, orderingOf } from '../../versions/ordering.ts'
import { nameEcosystem } from '../../identities/product-names/words.ts'
import { isLowestBound } from '../../versions/range.ts'
import { packageNameOf } from './package-name.ts'
import type { StoredFinding, StoredRange, StoredRecord } from './select-evidence.ts'

/** Why a record's match is not exact, in a sentence that names the bound that cannot be ordered, or the words that met. */
export function describeDoubt(
  finding: StoredFinding,
  record: StoredRecord,
  ranges: readonly StoredRange[],
): string | null {
  const { grade_reason: reason } = record
  if (reason === null) return null
  const deciding = ranges.filter((range) => range.id === record.range_id)
  if (reason === 'product_words') return describeWords(record)
  if (reason === 'name_only') return describeName(record)
  if (reason !== 'unordered_bound') return gradeReasons[reason]
  const bounds = [...deciding, ...ranges].flatMap((range) => unorderedBounds(finding, range))
  const [bound] = bounds
  if (bound === undefined) return gradeReasons[reason]
  const rules = finding.ecosystem === 'cpe' ? 'products named by CPE' : (finding.ecosystem ?? 'its kind')
  return `The bound ${bound} cannot be ordered by the rules of ${rules}, so it is not known whether this version lies inside the range.`
}

/** `a:acme:pump` is what the words of the record and the component's CPE have in common. */
function describeWords({ key }: StoredRecord): string {
  const [, vendor, product] = packageNameOf(key?.package_key ?? null)?.split(':') ?? []
  if (vendor === undefined || product === undefined) return gradeReasons.product_words
  return `The record names no package and no CPE: only its words for the vendor (${vendor}) and the product (${product}) are those of the component’s CPE.`
}

/**
 * `acme:pump` are vendor and product, `curl` and `apache tomcat` a name that says both. A record of a distribution names the package that
 * the component's own name tells as its source.
 */
function describeName({ key }: StoredRecord): string {
  const name = packageNameOf(key?.package_key ?? null)
  if (key === null || name === null) return gradeReasons.name_only
  if (!key.package_key.startsWith(`${nameEcosystem}\u001f`))
    return `The SBOM does not say what the package was built from: by its name it is likely ${name}, which the record is about.`
  const [one = '', other] = name.split(':')
  const words =
    other === undefined
      ? `the product (${one}), which say its vendor as well, are`
      : `the vendor (${one}) and the product (${other}) are`
  return `The record names no package and no CPE, and the component no CPE: only the record’s words for ${words} those of the component.`
}

function unorderedBounds(
  { scheme, version }: StoredFinding,
  { kind, introduced, upper_text }: StoredRange,
): string[] {
  if (scheme === null || kind === 'listed') return []
  const lower = introduced.replace(/^> /, '')
  const bounds = [isLowestBound(scheme, lower) ? null : lower, upper_text].filter((text) => text !== null)
  const broken = bounds.filter((text) => !isOrderable(scheme, text))
  return broken.length > 0
    ? broken
    : bounds.filter((text) => orderingOf(scheme).compare(version, text) === undefined)
}
