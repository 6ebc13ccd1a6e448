import { pointerOf, type Place } from '../json/object.ts'
import type { QualityHint } from './document.ts'

/** Every defect that is shown on the SBOM page and never refuses a document. */
const messages = {
  no_components: 'The document lists no components.',
  missing_name: 'Components without a name.',
  missing_version: 'Components without a version can only be matched by name.',
  missing_identifier: 'Components with neither package URL nor CPE cannot be matched.',
  missing_licence: 'Components without a licence.',
  missing_supplier: 'Components without a supplier.',
  unknown_type: 'Component types that the specification does not know.',
  purls_left_out: 'Components with more than 21 package URLs: the others are not matched.',
  cpes_left_out: 'Components with more than 21 CPE names: the others are not matched.',
  unreadable_purl: 'Package URLs that do not begin like `pkg:type/name`.',
  unreadable_cpe: 'CPE names that begin neither with `cpe:2.3:` nor with `cpe:/`.',
  unreadable_hash: 'Hashes of an unknown algorithm or of a wrong length.',
  unreadable_property: 'Properties without a name.',
  unreadable_licence: 'Licences with neither identifier, name nor expression.',
  unreadable_time: 'The time of creation is not a date and time.',
  unreadable_serial_number: 'The serial number is not a UUID in the form `urn:uuid:…`.',
  several_operating_systems:
    'The document describes several operating systems; packages that do not name theirs are of unknown release.',
  product_among_components: 'The product is repeated among its components.',
  duplicate_identifier: 'Several packages have the same SPDX identifier.',
  duplicate_dependency: 'Several dependency entries are about the same component.',
  duplicate_vulnerability: 'Several vulnerability entries have the same reference.',
  vulnerabilities_left_out: 'More than 100 000 vulnerability entries: none of them is kept.',
  dangling_dependency: 'Dependencies name components that the document does not contain.',
  dependencies_cut: 'Only the first 200 000 dependencies are kept.',
} as const

type HintCode = keyof typeof messages

/** Collects defects while a document is read: of each kind the first place and how many there are. */
export class Hints {
  readonly #found = new Map<HintCode, { first: Place | null; count: number }>()

  note(code: HintCode, place: Place | null = null): void {
    const found = this.#found.get(code)
    if (found) found.count += 1
    else this.#found.set(code, { first: place, count: 1 })
  }

  /** In the order in which the defects were first met. */
  list(): QualityHint[] {
    return Array.from(this.#found, ([code, { first, count }]) => ({
      code,
      message: messages[code],
      pointer: first && pointerOf(first),
      count,
    }))
  }
}
