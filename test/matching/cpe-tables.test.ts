import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { loadNvd, matchesOf } from './match-support.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  const names = attributes.flatMap((attribute) =>
    kinds.map((criterion) => nameWith(attribute, spelled(attribute, criterion))),
  )
  await loadNvd(database.db, ...names.map((criteria) => ({ criteria })))
})
afterAll(() => database.drop())

/** In CPE name order. */
const attributes = [
  ...['part', 'vendor', 'product', 'version', 'update', 'edition'],
  ...['language', 'sw_edition', 'target_sw', 'target_hw', 'other'],
] as const
type Attribute = (typeof attributes)[number]

const fixed: Record<string, string> = { part: 'a', vendor: 'acme', product: 'pump', version: '1.0' }

function nameWith(attribute: Attribute, value: string): string {
  const values = attributes.map((one) => (one === attribute ? value : (fixed[one] ?? '*')))
  return `cpe:2.3:${values.join(':')}`
}

/** `own` and `other` values of an attribute, with a pattern that matches `own`. */
const valuesOf: Record<string, { own: string; other: string; pattern: string }> = {
  part: { own: 'a', other: 'o', pattern: '?' },
  vendor: { own: 'acme', other: 'apex', pattern: 'ac*' },
  product: { own: 'pump', other: 'valve', pattern: 'pu*' },
  version: { own: '1.0', other: '2.0', pattern: '1.*' },
}
const usual = { own: 'one', other: 'two', pattern: 'on*' }

type Kind = 'any' | 'na' | 'own' | 'other' | 'pattern'
const kinds: readonly Kind[] = ['any', 'na', 'own', 'other', 'pattern']

function spelled(attribute: Attribute, kind: Kind): string {
  if (kind === 'any') return '*'
  return kind === 'na' ? '-' : (valuesOf[attribute] ?? usual)[kind]
}

/**
 * NISTIR 7696, table 6-2: relation of the criterion's value (source) to the component's (target). `=` equal, `>` superset, `<` subset, `x`
 * disjoint, `?` undefined: a pattern in the target.
 */
const relations: Record<Kind, Record<Kind, '=' | '>' | '<' | 'x' | '?'>> = {
  any: { any: '=', na: '>', own: '>', other: '>', pattern: '?' },
  na: { any: '<', na: '=', own: 'x', other: 'x', pattern: '?' },
  own: { any: '<', na: 'x', own: '=', other: 'x', pattern: '?' },
  other: { any: '<', na: 'x', own: 'x', other: '=', pattern: '?' },
  pattern: { any: '<', na: 'x', own: '>', other: 'x', pattern: '?' },
}

/** Part, vendor and product are lookup keys: they are only looked up if concrete on both sides. */
const keys: readonly Attribute[] = ['part', 'vendor', 'product']

/**
 * Deviations of the product from the table, each with its reason. Patterns in records are not expanded, so their matches are possible. NVD
 * writes `-` for "nothing more to say". A version or update that the component leaves open is compared by name, or not at all.
 */
function departureOf(attribute: Attribute, criterion: Kind, component: Kind): string | undefined {
  if (keys.includes(attribute)) {
    // a component without a part is looked up as each of the three
    if (attribute === 'part' && isNamed(criterion) && component === 'any') return 'possible'
    return isNamed(criterion) && criterion === component ? 'exact' : 'none'
  }
  if (criterion === 'pattern' && component === 'other') return 'possible'
  if (attribute === 'version') {
    // every version, and none on both sides, match by name
    const isByName = criterion === 'any' || (criterion === 'na' && component === 'na')
    return isByName ? 'possible' : undefined
  }
  if (criterion === 'na' && component === 'any') return 'exact'
  if (attribute === 'update' && isNamed(criterion) && !isNamed(component)) return 'none'
  return undefined
}

function isNamed(kind: Kind): boolean {
  return kind === 'own' || kind === 'other'
}

/** Disjoint is no match, a subset a possible one; a pattern in the component, undefined in the table, never matches `-`. */
function answerOf(attribute: Attribute, criterion: Kind, component: Kind): RegExp {
  const departure = departureOf(attribute, criterion, component)
  if (departure !== undefined) return new RegExp(`^${departure}$`)
  const relation = relations[criterion][component]
  if (relation === '?') return criterion === 'na' ? /^none$/ : /^(?:exact|possible)$/
  if (relation === 'x') return /^none$/
  return relation === '<' || criterion === 'pattern' ? /^possible$/ : /^exact$/
}

const cells = kinds.flatMap((criterion) => kinds.map((component) => [criterion, component] as const))

/** The record that `loadNvd` creates for the criterion. */
function recordOf(attribute: Attribute, criterion: Kind): string {
  return `NVD:CVE-2025-${1000 + attributes.indexOf(attribute) * kinds.length + kinds.indexOf(criterion)}`
}

const known = new Map<string, Promise<string[]>>()

/** Each name is matched once with all records. */
function matchesOfName(cpe: string): Promise<string[]> {
  const matches = known.get(cpe) ?? matchesOf(database.db, { cpe })
  known.set(cpe, matches)
  return matches
}

describe.each(attributes)('the table of NISTIR 7696 for %s', (attribute) => {
  it.each(cells)('%s against %s', async (criterion, component) => {
    const matches = await matchesOfName(nameWith(attribute, spelled(attribute, component)))
    const match = matches.find((words) => words.startsWith(`${recordOf(attribute, criterion)} `))
    const grade = match?.split(' ')[1] ?? 'none'
    expect(grade).toMatch(answerOf(attribute, criterion, component))
  })
})
