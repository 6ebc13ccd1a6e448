import type { JsonObject } from '../../json/object.ts'
import type { CsafProductTree } from './csaf-product-tree.ts'

/**
 * What the flags, threats or remediations of one vulnerability say of products, which they name directly or by group
 * (CSAF 2.0, 3.2.3.4, 3.2.3.12, 3.2.3.14). Of several remarks on a product the one of the lowest rank counts, then the first.
 */
export class CsafRemarks<T> {
  readonly #byProduct = new Map<string, { rank: number; remark: T }>()
  readonly #byGroup = new Map<string, { rank: number; remark: T }>()

  add(entry: JsonObject, remark: T, rank = 0): void {
    keepBest(this.#byProduct, entry.lenientArray('product_ids'), { rank, remark })
    keepBest(this.#byGroup, entry.lenientArray('group_ids'), { rank, remark })
  }

  /** The remark on the product; null when there is none. */
  of(productId: string, tree: CsafProductTree): T | null {
    let best = this.#byProduct.get(productId)
    if (this.#byGroup.size === 0) return best?.remark ?? null
    for (const group of tree.groupsOf(productId)) {
      const found = this.#byGroup.get(group)
      if (found && (!best || found.rank < best.rank)) best = found
    }
    return best?.remark ?? null
  }
}

function keepBest<T extends { rank: number }>(
  kept: Map<string, T>,
  ids: readonly unknown[],
  remark: T,
): void {
  for (const id of ids) {
    if (typeof id !== 'string') continue
    const earlier = kept.get(id)
    if (!earlier || remark.rank < earlier.rank) kept.set(id, remark)
  }
}
