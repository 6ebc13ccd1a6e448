import type { VexTarget } from '../../contract/vex/shapes.ts'
import { speaksOfAnother, type BindingProduct, type StatedCarrier } from './bind-carrier.ts'
import {
  bindsTo,
  keysOfComponent,
  keysOfTarget,
  readTarget,
  type BindingComponent,
  type BindingTarget,
} from './bind-target.ts'
import { holdsForProduct } from './holds-for-product.ts'
import { compareClaims, type Claim } from '../decisions/decide-verdict.ts'

/** A target of a statement in force, BOM-Links resolved. */
export type StatementTarget = Omit<Claim, 'isWholeProduct'> &
  Pick<VexTarget, 'purl' | 'cpe' | 'versions'> & {
    /** `product`: the document's own main component. */
    kind: 'component' | 'product'
    /** What the component is in, BOM-Links included. */
    carriers?: readonly StatedCarrier[]
  }

/**
 * The remaining budget of comparisons between a target and a component, a long range counting as many; anything over it stays open
 * rather than being cleared unread.
 */
export type ComparisonBudget = { left: number }

/** Taking a range apart parses and sorts its bounds. */
const costOfBound = 10

/** What the statements on one vulnerability say, ready to be asked component by component. */
export class BoundStatements {
  readonly #ofProduct: Claim[] = []
  /** By binding key, the deciding ones first. */
  readonly #ofComponents = new Map<string, { claim: Claim; target: BindingTarget }[]>()
  readonly #budget: ComparisonBudget

  constructor(
    targets: readonly StatementTarget[],
    product: BindingProduct,
    budget: ComparisonBudget = { left: Infinity },
  ) {
    this.#budget = budget
    const read = distinctTargets(targets).map((stated) => ({ stated, target: readTarget(stated) }))
    for (const { stated, target } of read) this.#add(stated, target, product)
    for (const list of this.#ofComponents.values()) list.sort((a, b) => compareClaims(a.claim, b.claim))
    this.#ofProduct.sort(compareClaims)
  }

  #add(stated: StatementTarget, target: BindingTarget, product: BindingProduct): void {
    if (!this.#afford(target)) return
    const { carriers = [] } = stated
    this.#budget.left -= carriers.length
    if (speaksOfAnother(carriers, product)) return
    if (holdsForProduct(target, stated, product)) {
      this.#ofProduct.push(claimOf(stated, true))
      return
    }
    const entry = { claim: claimOf(stated, false), target }
    for (const key of keysOfTarget(target)) {
      const list = this.#ofComponents.get(key)
      if (list === undefined) this.#ofComponents.set(key, [entry])
      else list.push(entry)
    }
  }

  /** The statement that decides about a component; null when none speaks of it. */
  decidingFor(component: BindingComponent): Claim | null {
    const found = keysOfComponent(component).map((key) =>
      this.#firstNaming(this.#ofComponents.get(key) ?? [], component),
    )
    const [first] = [...found.filter((claim) => claim !== undefined), ...this.#ofProduct.slice(0, 1)].sort(
      compareClaims,
    )
    return first ?? null
  }

  #afford({ versions }: BindingTarget): boolean {
    for (const { bounds } of versions ?? []) this.#budget.left -= bounds * costOfBound
    this.#budget.left -= 1
    return this.#budget.left >= 0
  }

  #firstNaming(
    entries: readonly { claim: Claim; target: BindingTarget }[],
    component: BindingComponent,
  ): Claim | undefined {
    for (const { claim, target } of entries) {
      if (!this.#afford(target)) return undefined
      if (bindsTo(target, component, claim.verdict)) return claim
    }
    return undefined
  }

  /** Every statement that speaks of a component, the deciding one first, each once, as far as the budget reaches. */
  allFor(component: BindingComponent): Claim[] {
    const entries = new Set(keysOfComponent(component).flatMap((key) => this.#ofComponents.get(key) ?? []))
    const claims = [...entries].filter(
      ({ claim, target }) => this.#afford(target) && bindsTo(target, component, claim.verdict),
    )
    return distinctClaims([...claims.map(({ claim }) => claim), ...this.#ofProduct].sort(compareClaims))
  }
}

function claimOf(stated: StatementTarget, isWholeProduct: boolean): Claim {
  const { documentId, number, verdict, justification, isForVersion, statedAt, receivedAt } = stated
  return { documentId, number, verdict, justification, isForVersion, isWholeProduct, statedAt, receivedAt }
}

/** A statement may name the same thing again, and under several ids. */
function distinctTargets(targets: readonly StatementTarget[]): StatementTarget[] {
  const distinct = new Map<string, StatementTarget>()
  for (const target of targets) {
    const { kind, purl, cpe, versions, carriers, documentId, number } = target
    distinct.set(JSON.stringify([kind, purl, cpe, versions, carriers, documentId, number]), target)
  }
  return [...distinct.values()]
}

/** A statement that names a component twice speaks of it once. */
function distinctClaims(claims: readonly Claim[]): Claim[] {
  const seen = new Map<string, Claim>()
  for (const claim of claims) {
    const key = `${claim.documentId} ${claim.number}`
    if (!seen.has(key)) seen.set(key, claim)
  }
  return [...seen.values()]
}
