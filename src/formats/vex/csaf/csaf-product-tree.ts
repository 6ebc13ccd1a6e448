import { cleanText } from '../../json/clean.ts'
import type { JsonObject } from '../../json/object.ts'
import { isBindable, readIdentifiers, type Identifiers } from '../identifiers.ts'
import type { VexHints } from '../hints.ts'
import { present, textLimits } from '../statement-fields.ts'
import type { VexCarrier, VexVersionRange } from '../../../contract/vex/shapes.ts'
import { readVersionBranch, versionsMeant, type VersionBranch } from './csaf-versions.ts'

export type CsafProduct = {
  label: string
  identifiers: Identifiers
  /** Where the identifiers leave the versions open and its branch does not. */
  versions: VexVersionRange[] | null
  carriers: readonly VexCarrier[]
}

type Relation = { component: string | null; carrier: string | null }

/** The ids of the component and of what it is related to are there where a relationship defines the product. */
type Definition = Pick<CsafProduct, 'label' | 'identifiers'> & Relation & { branch: VersionBranch | null }

const noRelation: Relation = { component: null, carrier: null }

/** Of real documents none comes near; it bounds the work for each product. */
const deepestCarrier = 5

/** Of real documents none comes near; it bounds the work for each statement. */
const maxGroupsOfProduct = 100

/**
 * The products that a CSAF document defines: in branches at every depth, as full product names, by relationships
 * (CSAF 2.0, 3.2.2), and the groups they are in.
 */
export class CsafProductTree {
  readonly #hints: VexHints
  readonly #definitions = new Map<string, Definition>()
  readonly #products = new Map<Definition, CsafProduct>()
  readonly #groups = new Map<string, string[]>()

  constructor(document: JsonObject, hints: VexHints) {
    this.#hints = hints
    const tree = document.optionalObject('product_tree')
    if (!tree) return
    this.#addBranches(tree, null)
    for (const entry of tree.objects('full_product_names')) this.#define(entry, noRelation, null)
    for (const entry of tree.objects('relationships')) this.#addRelationship(entry)
    for (const entry of tree.lenientObjects('product_groups')) this.#addGroup(entry)
    this.#resolveRelationships()
  }

  /** The product with the id; undefined when the document does not define it. */
  find(productId: string): CsafProduct | undefined {
    const definition = this.#definitions.get(productId)
    if (definition === undefined) return undefined
    const product = this.#products.get(definition) ?? {
      label: definition.label,
      identifiers: definition.identifiers,
      versions: this.#versionsOf(definition),
      carriers: this.#carriersOf(definition),
    }
    this.#products.set(definition, product)
    return product
  }

  /** A relationship is in no branch: that of its component counts. */
  #versionsOf({ identifiers, branch, component }: Definition): VexVersionRange[] | null {
    return versionsMeant(identifiers, branch ?? this.#definitionOf(component)?.branch ?? null)
  }

  /** What the product is in, the innermost first: its component may be in something of its own, and so may what it is related to. */
  #carriersOf(definition: Definition): VexCarrier[] {
    const carriers: VexCarrier[] = []
    const isIn = (at: Definition | undefined, depth: number) => {
      if (at === undefined || depth > deepestCarrier) return
      isIn(this.#definitionOf(at.component), depth + 1)
      const carrier = this.#definitionOf(at.carrier)
      if (carrier === undefined) return
      if (isBindable(carrier.identifiers))
        carriers.push({ ...carrier.identifiers, ...present({ versions: this.#versionsOf(carrier) }) })
      isIn(carrier, depth + 1)
    }
    isIn(definition, 1)
    return carriers
  }

  #definitionOf(productId: string | null): Definition | undefined {
    return productId === null ? undefined : this.#definitions.get(productId)
  }

  /** The groups that the product is in; at most 100. */
  groupsOf(productId: string): readonly string[] {
    return this.#groups.get(productId) ?? []
  }

  /** The nearest branch with a version counts: below it may be others, for an architecture or language. */
  #addBranches(parent: JsonObject, outer: VersionBranch | null): void {
    for (const branch of parent.objects('branches')) {
      const nearest = readVersionBranch(branch) ?? outer
      const product = branch.optionalObject('product')
      if (product) this.#define(product, noRelation, nearest)
      this.#addBranches(branch, nearest)
    }
  }

  /** The product it relates to is only its carrier, often a whole operating system: no verdict is about that. */
  #addRelationship(entry: JsonObject): void {
    const product = entry.optionalObject('full_product_name')
    if (!product) return
    const relation = {
      component: entry.optionalString('product_reference'),
      carrier: entry.lenientString('relates_to_product_reference'),
    }
    this.#define(product, relation, null)
  }

  /** Several definitions of one id are merged; of each field the first counts. */
  #define(entry: JsonObject, relation: Relation, branch: VersionBranch | null): void {
    const id = entry.string('product_id')
    const helper = entry.optionalObject('product_identification_helper')
    const definition: Definition = {
      label: cleanText(entry.lenientString('name') ?? id, textLimits.label),
      identifiers: readIdentifiers(helper),
      branch,
      ...relation,
    }
    const earlier = this.#definitions.get(id)
    if (earlier) this.#hints.note('duplicate_product', entry.place)
    this.#definitions.set(id, earlier ? merged(earlier, definition) : definition)
  }

  #addGroup(entry: JsonObject): void {
    const group = entry.lenientString('group_id')
    if (group === null) return
    for (const product of entry.lenientArray('product_ids')) {
      if (typeof product !== 'string') continue
      const groups = this.#groups.get(product) ?? []
      if (groups.length < maxGroupsOfProduct) groups.push(group)
      else this.#hints.note('groups_cut', entry.place)
      this.#groups.set(product, groups)
    }
  }

  /**
   * A product without a helper of its own is identified by its component, which may be a relationship itself. Every chain
   * is walked once: its end identifies everything on it.
   */
  #resolveRelationships(): void {
    const walked = new Set<Definition>()
    for (const start of this.#definitions.values()) {
      const chain: Definition[] = []
      let at: Definition | undefined = start
      while (at && !walked.has(at) && !isBindable(at.identifiers)) {
        walked.add(at)
        chain.push(at)
        at = at.component === null ? undefined : this.#definitions.get(at.component)
      }
      for (const definition of chain) {
        definition.identifiers = at?.identifiers ?? {}
        definition.branch ??= at?.branch ?? null
      }
    }
  }
}

function merged(first: Definition, second: Definition): Definition {
  return {
    label: first.label,
    identifiers: { ...second.identifiers, ...first.identifiers },
    branch: first.branch ?? second.branch,
    component: first.component ?? second.component,
    carrier: first.carrier ?? second.carrier,
  }
}
