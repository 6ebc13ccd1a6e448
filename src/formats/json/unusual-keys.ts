import { limits } from '../../contract/limits.ts'

/** The number of key sequences that count as usual; real documents have a few dozen. */
export const usualShapes = 1_000
/** Objects with more keys always become tables. */
export const usualKeys = 100

const zero = 0x30
const nine = 0x39

/**
 * Counts the keys of objects that cannot share a shape in V8: those with a rare shape, large ones, and those with numeric keys. Each of
 * them becomes a table of its own, at some hundred bytes and a microsecond or more. A shape is identified by a hash, so two may count as
 * one.
 */
export class UnusualKeys {
  count = 0
  readonly #shapes = new Set<number>()
  /** Of the objects that are open, by their depth. */
  readonly #hashes = new Int32Array(limits.jsonDepth + 1)
  readonly #keys = new Int32Array(limits.jsonDepth + 1)
  readonly #hasNumber = new Uint8Array(limits.jsonDepth + 1)

  open(depth: number): void {
    this.#hashes[depth] = 0
    this.#keys[depth] = 0
    this.#hasNumber[depth] = 0
  }

  /** Of a key: its first byte and its hash (`hashBytes`). */
  key(depth: number, first: number, hash: number): void {
    const keys = (this.#keys[depth] ?? 0) + 1
    this.#keys[depth] = keys
    if (keys > usualKeys) this.count += keys === usualKeys + 1 ? keys : 1
    if (first >= zero && first <= nine) this.#hasNumber[depth] = 1
    this.#hashes[depth] = Math.imul(this.#hashes[depth] ?? 0, 31) ^ hash
  }

  close(depth: number): void {
    const keys = this.#keys[depth] ?? 0
    if (keys === 0 || keys > usualKeys) return
    const isUnusual = this.#hasNumber[depth] === 1 || !this.#isUsual(this.#hashes[depth] ?? 0)
    if (isUnusual) this.count += keys
  }

  #isUsual(shape: number): boolean {
    if (this.#shapes.has(shape)) return true
    if (this.#shapes.size === usualShapes) return false
    this.#shapes.add(shape)
    return true
  }
}
