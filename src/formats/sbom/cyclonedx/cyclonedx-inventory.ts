import { ServiceError } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { JsonObject } from '../../json/object.ts'
import { readComponent, readProduct, readReference, type ReadComponent } from './cyclonedx-component.ts'
import type { DependencyGraph } from '../dependency-graph.ts'
import type { OperatingSystem, SbomComponent } from '../document.ts'
import type { Hints } from '../hints.ts'
import { OperatingSystems } from '../operating-systems.ts'
import { operatingSystemOf } from '../source-package.ts'

/**
 * Everything in a CycloneDX document that a reference can name: the product (`metadata.component`), components at every
 * depth, services. Components are in document order, each before its own parts.
 */
export class CyclonedxInventory {
  readonly components: SbomComponent[] = []
  product: ReadComponent | null = null
  readonly #hints: Hints
  readonly #graph: DependencyGraph
  /** As written; among components and services together each may occur only once (CycloneDX, "bom-ref"). */
  readonly #components = new Set<string>()
  readonly #services = new Set<string>()
  readonly #systems = new OperatingSystems()

  constructor(hints: Hints, graph: DependencyGraph) {
    this.#hints = hints
    this.#graph = graph
  }

  /** The product and its parts. */
  addProduct(entry: JsonObject): void {
    this.product = readProduct(entry, this.#hints)
    this.addComponents(entry, this.product.reference)
  }

  /** The `components` of the document, or of the entry with the reference given, which contains them. */
  addComponents(parent: JsonObject, parentReference: string | null): void {
    const count = this.components.length + parent.count('components')
    if (count > limits.components) throw new ServiceError('too_many_components')
    for (const entry of parent.objects('components')) {
      const { component, reference, recorded } = readComponent(entry, this.#hints)
      this.#claim(reference, entry, this.#components)
      this.components.push(component)
      if (reference !== null && parentReference !== null)
        this.#graph.add(parentReference, reference, entry.place)
      if (component.type === 'operating-system') {
        this.#systems.add(operatingSystemOf(component, recorded), entry.place, this.#hints)
      }
      this.addComponents(entry, reference)
    }
  }

  /** As edges of the graph name them. */
  byReference(): ReadonlyMap<string, SbomComponent> {
    return new Map(
      this.components.flatMap((component) => (component.ref === null ? [] : [[component.ref, component]])),
    )
  }

  addServices(parent: JsonObject): void {
    for (const entry of parent.objects('services')) {
      this.#claim(readReference(entry), entry, this.#services)
      this.addServices(entry)
    }
  }

  has(reference: string): boolean {
    return this.hasComponent(reference) || this.#services.has(reference)
  }

  /** Whether the reference names a component or the product. */
  hasComponent(reference: string): boolean {
    return this.#components.has(reference) || reference === this.product?.reference
  }

  /** The one that is a component; else the product, where that is an operating system itself. */
  operatingSystem(): OperatingSystem | null {
    const { product } = this
    if (this.#systems.isEmpty && product?.component.type === 'operating-system') {
      return operatingSystemOf(product.component, product.recorded)
    }
    return this.#systems.only
  }

  #claim(reference: string | null, entry: JsonObject, kind: Set<string>): void {
    if (reference === null) return
    if (this.#components.has(reference) || this.#services.has(reference)) {
      entry.refuse('bom-ref', 'a unique bom-ref', 'a duplicate')
    }
    if (reference === this.product?.reference) this.#hints.note('product_among_components', entry.place)
    kind.add(reference)
  }
}
