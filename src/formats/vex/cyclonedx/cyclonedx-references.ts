import { parseCpe, writtenCpe } from '../../cpe.ts'
import { cleanText } from '../../json/clean.ts'
import { statedVersion } from '../../stated-version.ts'
import type { JsonObject } from '../../json/object.ts'
import { withVersion } from '../../purl/purl-version.ts'
import { writtenPurl } from '../../purl/written-purl.ts'
import { readReference } from '../../sbom/cyclonedx/cyclonedx-component.ts'
import { readIdentities } from '../../sbom/cyclonedx/cyclonedx-identities.ts'
import { identifiersOf, type Identifiers } from '../identifiers.ts'
import type { VexHints } from '../hints.ts'
import { textLimits } from '../statement-fields.ts'

/** What a `bom-ref` names. */
export type Referenced = {
  kind: 'component' | 'product'
  label: string
  /** Beside its identifiers; empty where none is stated. */
  version: string
  identifiers: Identifiers
  /** Further names by which it is known: purls, and where it has none the CPEs of the same version. */
  others: readonly Identifiers[]
}

/**
 * What the references of a CycloneDX document can name: its product (`metadata.component`), components at every depth,
 * services. The structure is judged as that of an SBOM is.
 */
export class CyclonedxReferences {
  readonly #hints: VexHints
  readonly #named = new Map<string, Referenced>()
  readonly #claimed = new Set<string>()

  constructor(document: JsonObject, hints: VexHints) {
    this.#hints = hints
    const product = document.optionalObject('metadata')?.optionalObject('component')
    if (product) this.#addProduct(product)
    this.#addComponents(document)
    this.#addServices(document)
    checkDependencies(document)
  }

  /** What the reference names; undefined when it is not of this document. */
  find(reference: string): Referenced | undefined {
    return this.#named.get(reference)
  }

  /** The references of components with one of these identifiers: their purls, else their CPEs, as an export writes them. */
  findAll(identifiers: ReadonlySet<string>): { ref: string; identifier: string }[] {
    return [...this.#named].flatMap(([ref, { kind, identifiers: own, others }]) => {
      if (kind !== 'component') return []
      const names = [own, ...others].map(({ purl, cpe = '' }) =>
        purl === undefined ? writtenCpe(cpe) : writtenPurl(purl),
      )
      return names.filter((name) => identifiers.has(name)).map((identifier) => ({ ref, identifier }))
    })
  }

  #addProduct(entry: JsonObject): void {
    entry.optionalString('name')
    entry.optionalString('type')
    const reference = readReference(entry)
    const referenced = this.#read(entry, 'product')
    if (reference !== null) this.#named.set(reference, referenced)
    this.#addComponents(entry)
  }

  #addComponents(parent: JsonObject): void {
    for (const entry of parent.objects('components')) {
      entry.string('name')
      entry.string('type')
      this.#claim(entry, this.#read(entry, 'component'))
      this.#addComponents(entry)
    }
  }

  #addServices(parent: JsonObject): void {
    for (const entry of parent.objects('services')) {
      const label = labelOf(entry.lenientString('name') ?? '')
      this.#claim(entry, { kind: 'component', label, version: '', identifiers: {}, others: [] })
      this.#addServices(entry)
    }
  }

  #read(entry: JsonObject, kind: Referenced['kind']): Referenced {
    entry.optionalString('group')
    const version = entry.optionalString('version')
    const stated = cleanText(statedVersion(version), textLimits.version)
    const { purl, cpe, otherPurls, concludedCpes = [] } = readIdentities(entry, leftOut)
    const versioned = (text: string) => withVersion(text, statedVersion(version))
    const [first = null, ...further] = ofOneVersion([...(cpe === null ? [] : [cpe]), ...concludedCpes])
    const otherCpes = purl === null ? further : []
    return {
      kind,
      label: labelOf(`${entry.lenientString('name') ?? ''} ${version ?? ''}`),
      version: stated,
      identifiers: identifiersOf({
        purl: purl === null ? null : versioned(purl),
        cpe: first,
      }),
      others: [
        ...otherPurls.map((text) => identifiersOf({ purl: versioned(text), cpe: null })),
        ...otherCpes.map((text) => identifiersOf({ purl: null, cpe: text })),
      ],
    }
  }

  /** Among components and services a `bom-ref` may occur only once; one that the product has, too, means the product. */
  #claim(entry: JsonObject, referenced: Referenced): void {
    const reference = readReference(entry)
    if (reference === null) return
    if (this.#claimed.has(reference)) entry.refuse('bom-ref', 'a unique bom-ref', 'a duplicate')
    this.#claimed.add(reference)
    const product = this.#named.get(reference)
    if (product) {
      this.#hints.note('product_among_components', entry.place)
      const identifiers = { ...referenced.identifiers, ...product.identifiers }
      this.#named.set(reference, { ...product, identifiers })
    } else {
      this.#named.set(reference, referenced)
    }
  }
}

/** Of CPEs that state different versions those of the first one's, and those that state none: a statement on one version clears no other. */
function ofOneVersion(cpes: readonly string[]): readonly string[] {
  const versionOf = (text: string) => {
    const read = parseCpe(text)
    return read === undefined || read.version.kind === 'any'
      ? null
      : JSON.stringify([read.version, read.update])
  }
  const meant = cpes.map(versionOf).find((version) => version !== null)
  return cpes.filter((text, place) => place === 0 || [null, meant].includes(versionOf(text)))
}

/** The hints of names that are too many belong to the reading of the SBOM. */
const leftOut = { note: () => undefined }

/** Cut before anything refers to it: many entries may contain it. */
function labelOf(text: string): string {
  return cleanText(text, textLimits.label)
}

function checkDependencies(document: JsonObject): void {
  for (const entry of document.objects('dependencies')) {
    if (entry.string('ref') === '') entry.refuse('ref', 'a non-empty string')
    entry.optionalStrings('dependsOn')
  }
}
