import { cleanText } from '../../json/clean.ts'
import { statedVersion } from '../../stated-version.ts'
import type { JsonObject } from '../../json/object.ts'
import { withVersion } from '../../purl/purl-version.ts'
import { readReference } from '../../sbom/cyclonedx/cyclonedx-component.ts'
import { readIdentifiers } from '../identifiers.ts'
import type { Identifiers } from '../identifiers.ts'
import type { VexHints } from '../hints.ts'
import { textLimits } from '../statement-fields.ts'

/** What a `bom-ref` names. */
export type Referenced = {
  kind: 'component' | 'product'
  label: string
  identifiers: Identifiers
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

  /** The references of components with one of these identifiers: their purl, else their CPE. */
  findAll(identifiers: ReadonlySet<string>): { ref: string; identifier: string }[] {
    return [...this.#named].flatMap(
      ([
        ref,
        {
          kind,
          identifiers: { purl, cpe },
        },
      ]) => {
        const identifier = purl ?? cpe
        const isWanted = kind === 'component' && identifier !== undefined && identifiers.has(identifier)
        return isWanted ? [{ ref, identifier }] : []
      },
    )
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
      this.#claim(entry, { kind: 'component', label, identifiers: {} })
      this.#addServices(entry)
    }
  }

  #read(entry: JsonObject, kind: Referenced['kind']): Referenced {
    entry.optionalString('group')
    const version = entry.optionalString('version')
    return {
      kind,
      label: labelOf(`${entry.lenientString('name') ?? ''} ${version ?? ''}`),
      identifiers: ofVersion(readIdentifiers(entry), version),
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

/** What is said of a component in one version is not said of the others, though its purl leaves the version to the field beside it. */
function ofVersion({ purl, ...identifiers }: Identifiers, version: string | null): Identifiers {
  return purl === undefined
    ? identifiers
    : { ...identifiers, purl: withVersion(purl, statedVersion(version)) }
}

/** Cut before anything refers to it: many entries may show it. */
function labelOf(text: string): string {
  return cleanText(text, textLimits.label)
}

function checkDependencies(document: JsonObject): void {
  for (const entry of document.objects('dependencies')) {
    if (entry.string('ref') === '') entry.refuse('ref', 'a non-empty string')
    entry.optionalStrings('dependsOn')
  }
}
