import { pointerOf, type Place } from '../json/object.ts'

/** Every defect that is shown on the page of a VEX document and never refuses it. */
const messages = {
  missing_vulnerability: 'Entries that name no vulnerability: they count, but no finding can be theirs',
  missing_justification: 'Not-affected products without a justification or an impact statement',
  missing_action: 'Affected products without an action statement',
  missing_product: 'Statements without a product',
  unknown_reference: 'References to products that the document does not define',
  unknown_justification: 'Justifications that are none of the known labels',
  unreadable_purl: 'Package URLs that cannot be read',
  unreadable_cpe: 'CPE names that cannot be read',
  unreadable_time: 'Times that are no date and time',
  unreadable_version: 'Versions and ranges of versions that cannot be read',
  unknown_version_status: 'Affected versions with an unknown status',
  product_among_components: 'The product is repeated among its components',
  duplicate_vulnerability: 'Several vulnerability entries have the same reference',
  duplicate_product: 'Product ids that are defined more than once',
  groups_cut: 'Products in more than 100 groups: only the first 100 groups count',
  targets_cut: 'The document names too many products: of some statements only the first are kept',
} as const

export type VexHintCode = keyof typeof messages

/** Collects defects while a document is read: of each kind the first place and how many there are. */
export class VexHints {
  readonly #found = new Map<VexHintCode, { first: Place; count: number }>()

  note(code: VexHintCode, place: Place): void {
    const found = this.#found.get(code)
    if (found) found.count += 1
    else this.#found.set(code, { first: place, count: 1 })
  }

  /** A sentence for each kind, in the order in which they were first met. */
  list(): string[] {
    return Array.from(this.#found, ([code, { first, count }]) => {
      const places = count === 1 ? pointerOf(first) : `${count} places, the first ${pointerOf(first)}`
      return `${messages[code]} (${places}).`
    })
  }
}
