import { isWellFormedCpe } from '../../cpe.ts'
import { isBindable, type Identifiers } from '../identifiers.ts'
import { present } from '../statement-fields.ts'
import { productLabel, StateComponents, type VexState, type VexStateTarget } from '../vex-state.ts'

/** Words that a version name may not contain: they would make a range of it (CSAF 2.0, 6.1.31). */
const rangeWords = new Set(['after', 'all', 'before', 'earlier', 'later', 'prior', 'versions'])
const productId = 'product'

/**
 * The products of a CSAF document: the product in its branches, and each component related to it as its part
 * (CSAF 2.0, 3.2.2.4). A verdict is on the component in the product, never on the component everywhere.
 */
export class CsafProducts {
  readonly label: string
  readonly #state: VexState
  readonly #components = new StateComponents()

  constructor(state: VexState) {
    this.#state = state
    this.label = productLabel(state.product)
  }

  /** The id that a status list names. */
  idOf(target: VexStateTarget): string {
    return target.kind === 'product' ? productId : partId(this.#components.number(target))
  }

  /** With every component that was asked for. */
  tree() {
    const parts = this.#components.components
    return {
      branches: [{ category: 'vendor', name: this.#state.author, branches: [this.#productBranch()] }],
      ...(parts.length > 0 && {
        full_product_names: parts.map((identifiers, index) => ({
          name: nameOf(identifiers),
          product_id: componentId(index + 1),
          ...helperOf(identifiers),
        })),
        relationships: parts.map((identifiers, index) => ({
          category: 'default_component_of',
          full_product_name: {
            name: `${nameOf(identifiers)} in ${this.label}`,
            product_id: partId(index + 1),
            // scanners compare only what has the verdict with the packages that they find
            ...helperOf(identifiers),
          },
          product_reference: componentId(index + 1),
          relates_to_product_reference: productId,
        })),
      }),
    }
  }

  #productBranch() {
    const { name, version, purl, cpe } = this.#state.product
    const product = {
      name: this.label,
      product_id: productId,
      ...this.#ownHelper(),
      ...helperOf(present({ purl, cpe })),
    }
    if (version === null || !isVersionName(version)) {
      return { category: 'product_name', name: this.label, product }
    }
    const versionBranch = { category: 'product_version', name: version, product }
    return { category: 'product_name', name, branches: [versionBranch] }
  }

  /** An id of ours is a "generic URI" of our namespace (CSAF 2.0, 3.1.3.3.8). */
  #ownHelper() {
    const { namespace, product } = this.#state
    if (product.id === undefined) return {}
    return { product_identification_helper: { x_generic_uris: [{ namespace, uri: product.id }] } }
  }
}

function isVersionName(version: string): boolean {
  if (/[<>]/.test(version)) return false
  return version.split(/\s/).every((word) => !rangeWords.has(word.toLowerCase()))
}

/** Empty where there is neither a purl nor a CPE that the grammar of the schema takes. */
function helperOf({ purl, cpe }: Identifiers) {
  const helper = present({ purl, cpe: cpe !== undefined && isWellFormedCpe(cpe) ? cpe : undefined })
  return isBindable(helper) ? { product_identification_helper: helper } : {}
}

function nameOf({ purl, cpe }: Identifiers): string {
  return purl ?? cpe ?? ''
}

function componentId(number: number): string {
  return `component-${number}`
}

function partId(number: number): string {
  return `component-${number}-in-product`
}
