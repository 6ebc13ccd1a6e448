import type { ComponentScope } from '../../../contract/sbom/shapes.ts'
import type { ReadPackage } from './spdx-package.ts'

/** Relationships (SPDX 2.3, 11.1) whose first element is not needed to run the second, or is no part of what is delivered. */
const narrow = new Map<string, Exclude<ComponentScope, 'required'>>([
  ['DEV_DEPENDENCY_OF', 'excluded'],
  ['DEV_TOOL_OF', 'excluded'],
  ['TEST_DEPENDENCY_OF', 'excluded'],
  ['TEST_TOOL_OF', 'excluded'],
  ['OPTIONAL_COMPONENT_OF', 'optional'],
  ['OPTIONAL_DEPENDENCY_OF', 'optional'],
])

/** Relationships whose first element is needed, and those whose second one is. */
const needsFirst = new Set(['DEPENDENCY_OF', 'PREREQUISITE_FOR', 'RUNTIME_DEPENDENCY_OF'])
const needsSecond = new Set(['DEPENDS_ON', 'DYNAMIC_LINK', 'HAS_PREREQUISITE', 'STATIC_LINK'])

/** What relationships say about the scopes of packages, which SPDX states nowhere else: recorded one by one, in any order. */
export class SpdxScopes {
  readonly #narrow = new Map<string, Exclude<ComponentScope, 'required'>>()
  readonly #needed = new Set<string>()

  note({ type, element, related }: { type: string; element: string; related: string }): void {
    const scope = narrow.get(type)
    if (scope !== undefined)
      this.#narrow.set(element, this.#narrow.get(element) === 'optional' ? 'optional' : scope)
    else if (needsFirst.has(type)) this.#needed.add(element)
    else if (needsSecond.has(type)) this.#needed.add(related)
  }

  /** Marks the packages that nothing needs: as optional where one of their scopes is, else as excluded. */
  mark(packages: readonly ReadPackage[]): void {
    for (const { id, component } of packages) {
      const scope = this.#needed.has(id) ? undefined : this.#narrow.get(id)
      if (scope !== undefined) component.scope = scope
    }
  }
}
