import { limits } from '../../../contract/limits.ts'
import type { VexStatement } from '../../../contract/vex/shapes.ts'
import { kindOf, type JsonObject } from '../../json/object.ts'
import { identifierIn, identifiersOf, isBindable, type Identifiers } from '../identifiers.ts'
import { StatementTargets, type VexReading } from '../reading.ts'

type Product = { label: string | null; identifiers: Identifiers }

/**
 * What a statement speaks about. The vulnerable component is the subcomponent, the product only carries it (OpenVEX 0.2.0,
 * "Subcomponent Data Structure"): products stand for themselves where no subcomponent can be bound. Until 0.0.2 the
 * subcomponents of all products are on the statement, each in every product.
 */
export function readTargets(
  entry: JsonObject,
  reading: VexReading,
): Pick<VexStatement, 'targets' | 'productLabel' | 'unboundReason'> {
  const targets = new StatementTargets(reading, entry)
  const hasShared =
    entry.optionalArray('subcomponents').length > 0 && addSubcomponents(targets, entry, carriersOf(entry))
  let isWithoutProduct = true
  // One at a time: a statement may name half a million; the budget takes only the first.
  for (const product of stringsAndObjects(entry, 'products')) {
    isWithoutProduct = false
    const { label, identifiers } = readProduct(product)
    targets.name(label)
    const hasOwn = typeof product !== 'string' && addSubcomponents(targets, product, [identifiers])
    if (!hasShared && !hasOwn) addProduct(targets, identifiers)
  }
  if (isWithoutProduct && !hasShared) reading.hints.note('missing_product', entry.place)
  return targets.fields()
}

/** What identifies the products of the statement; one more than the budget takes is enough to go over it. */
function carriersOf(entry: JsonObject): Identifiers[] {
  const carriers: Identifiers[] = []
  for (const product of stringsAndObjects(entry, 'products')) {
    carriers.push(readProduct(product).identifiers)
    if (carriers.length > limits.vexFurtherProducts + 1) break
  }
  return carriers
}

/** In each of the carriers, or anywhere if one of them names nothing. Returns whether any can be bound. */
function addSubcomponents(
  targets: StatementTargets,
  parent: JsonObject,
  carriers: readonly Identifiers[],
): boolean {
  const isInAnything = carriers.length === 0 || !carriers.every(isBindable)
  const inCarriers = isInAnything ? [{}] : carriers.map((carrier) => ({ carriers: [carrier] }))
  let hasAny = false
  for (const subcomponent of stringsAndObjects(parent, 'subcomponents')) {
    const { identifiers } = readProduct(subcomponent)
    if (!isBindable(identifiers)) continue
    hasAny = true
    if (!inCarriers.every((carried) => targets.add({ kind: 'component', ...identifiers, ...carried }))) break
  }
  return hasAny
}

function addProduct(targets: StatementTargets, identifiers: Identifiers): void {
  if (isBindable(identifiers)) targets.add({ kind: 'component', ...identifiers })
  else targets.miss('no_identifier')
}

/** A product or subcomponent; its `@id` is an identifier, too, where it is a purl or CPE. */
function readProduct(product: string | JsonObject): Product {
  if (typeof product === 'string') return { label: product, identifiers: identifierIn(product) }
  const id = product.optionalString('@id')
  const given = product.optionalObject('identifiers')
  const purl = given?.optionalString('purl') ?? null
  const cpe = given?.optionalString('cpe23') ?? given?.optionalString('cpe22') ?? null
  return {
    label: id ?? purl ?? cpe,
    identifiers: { ...identifierIn(id ?? ''), ...identifiersOf({ purl, cpe }) },
  }
}

/** The strings and objects of the array under the key; none when absent. */
function* stringsAndObjects(entry: JsonObject, key: string): Generator<string | JsonObject, void, undefined> {
  const objects = entry.lenientObjects(key)[Symbol.iterator]()
  for (const value of entry.optionalArray(key)) {
    if (typeof value === 'string') {
      yield value
      continue
    }
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const next = isObject ? objects.next() : undefined
    const object = next?.done === false ? next.value : undefined
    yield object ?? entry.refuse(key, 'an array of strings and objects', `one with ${kindOf(value)}`)
  }
}
