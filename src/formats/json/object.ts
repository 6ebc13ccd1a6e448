import { ServiceError, type ErrorCode } from '../../contract/errors.ts'
import { ListInParts } from './list-in-parts.ts'

/** The place of a value in its document; the JSON pointer (RFC 6901) is only written when someone asks for it. */
export type Place = { readonly parent: Place | null; readonly key: string | number }

const root: Place = { parent: null, key: '' }
const noEntries: readonly JsonObject[] = []

/**
 * An object of an uploaded document, read key by key. `null` in an optional place counts as absent.
 * The strict accessors refuse a value of the wrong kind with the document's code and a detail like
 * `/components/12/name: expected a string, found a number`; the lenient ones, for fields that never cause a refusal,
 * treat it as absent. Only own keys are seen, so that `__proto__` in a document is a key like any other.
 */
export class JsonObject {
  readonly place: Place
  readonly #fields: object
  readonly #refusal: ErrorCode

  private constructor(fields: object, place: Place, refusal: ErrorCode) {
    this.#fields = fields
    this.place = place
    this.#refusal = refusal
  }

  /** The top of a document; undefined where that is no object. `refusal` is the code of every structural mistake. */
  static root(value: unknown, refusal: ErrorCode): JsonObject | undefined {
    return isObject(value) ? new JsonObject(value, root, refusal) : undefined
  }

  /** The value as written in the document; undefined when absent. */
  get(key: string): unknown {
    return Object.hasOwn(this.#fields, key) ? (this.#fields as Record<string, unknown>)[key] : undefined
  }

  /** The place of the value under the key. */
  at(key: string): Place {
    return { parent: this.place, key }
  }

  keys(): string[] {
    return Object.keys(this.#fields)
  }

  string(key: string): string {
    const value = this.get(key)
    return typeof value === 'string' ? value : this.refuse(key, 'a string')
  }

  optionalString(key: string): string | null {
    const value = this.get(key)
    if (isAbsent(value)) return null
    return typeof value === 'string' ? value : this.refuse(key, 'a string')
  }

  optionalObject(key: string): JsonObject | null {
    const value = this.get(key)
    if (isAbsent(value)) return null
    return isObject(value) ? this.#child(value, this.at(key)) : this.refuse(key, 'an object')
  }

  /** The array under the key; empty when absent. */
  optionalArray(key: string): readonly unknown[] {
    const value = this.get(key)
    if (isAbsent(value)) return []
    return Array.isArray(value) ? value : this.refuse(key, 'an array')
  }

  /** How many entries the array under the key has; 0 when absent. */
  count(key: string): number {
    return this.#entries(key).length
  }

  /** The objects of the array under the key, read one after the other; none when absent. */
  objects(key: string): Iterable<JsonObject> {
    const values = this.#entries(key)
    // Most lists of a component are absent.
    return values.length === 0 ? noEntries : this.#objectsOf(values, key)
  }

  #entries(key: string): readonly unknown[] | ListInParts {
    const value = this.get(key)
    return value instanceof ListInParts ? value : this.optionalArray(key)
  }

  *#objectsOf(values: Iterable<unknown>, key: string): Generator<JsonObject, void, undefined> {
    const list = this.at(key)
    let index = 0
    for (const value of values) {
      const place = { parent: list, key: index }
      if (!isObject(value)) this.#refuseAt(place, 'an object', kindOf(value))
      yield this.#child(value, place)
      index += 1
    }
  }

  /** The strings of the array under the key; empty when absent. */
  optionalStrings(key: string): readonly string[] {
    const values = this.optionalArray(key)
    const wrong = values.findIndex((value) => typeof value !== 'string')
    if (wrong !== -1) this.#refuseAt({ parent: this.at(key), key: wrong }, 'a string', kindOf(values[wrong]))
    return values as readonly string[]
  }

  lenientString(key: string): string | null {
    const value = this.get(key)
    return typeof value === 'string' ? value : null
  }

  lenientObject(key: string): JsonObject | null {
    const value = this.get(key)
    return isObject(value) ? this.#child(value, this.at(key)) : null
  }

  lenientArray(key: string): readonly unknown[] {
    const value: unknown = this.get(key)
    return Array.isArray(value) ? value : []
  }

  /** The objects among the entries of the array under the key. */
  lenientObjects(key: string): Iterable<JsonObject> {
    const values = this.lenientArray(key)
    if (values.length > 1) return this.#lenientObjectsOf(values, key)
    // Most lists of a component have one entry or none.
    const [only] = values
    return isObject(only) ? [this.#child(only, { parent: this.at(key), key: 0 })] : noEntries
  }

  *#lenientObjectsOf(values: readonly unknown[], key: string): Generator<JsonObject, void, undefined> {
    const list = this.at(key)
    let index = 0
    for (const value of values) {
      if (isObject(value)) yield this.#child(value, { parent: list, key: index })
      index += 1
    }
  }

  /** Refuses the document for the value under the key; `found` says what it is where its kind says too little. */
  refuse(key: string, expected: string, found = kindOf(this.get(key))): never {
    return this.#refuseAt(this.at(key), expected, found)
  }

  #refuseAt(place: Place, expected: string, found: string): never {
    throw new ServiceError(this.#refusal, {
      detail: `${pointerOf(place)}: expected ${expected}, found ${found}`,
    })
  }

  #child(fields: object, place: Place): JsonObject {
    return new JsonObject(fields, place, this.#refusal)
  }
}

/** The JSON pointer of a place: `/components/12/name`. */
export function pointerOf(place: Place): string {
  const steps: string[] = []
  for (let at = place; at.parent !== null; at = at.parent) {
    steps.push(String(at.key).replaceAll('~', '~0').replaceAll('/', '~1'))
  }
  return steps
    .reverse()
    .map((step) => `/${step}`)
    .join('')
}

/** The kind of a value in words: `a string`, `an empty string`, `nothing`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (value === '') return 'an empty string'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
