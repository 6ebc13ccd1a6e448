import { compareDigits, isDigits } from '../compare.ts'
import { KeyWriter } from '../key.ts'
import type { OrderingRule } from '../ordering-rule.ts'

/** Numbers and words, lower-cased; at least four numbers come first. */
type Parts = readonly string[]

const grammar = /^\d[0-9A-Za-z]*(?:[._-]+[0-9A-Za-z]+)*$/
const paddedNumbers = 4

/**
 * Packagist: PHP's `version_compare` on the version as Composer normalises it before: without its `v`, its build and the word
 * `stable`, and with four numbers (`1.0` is `1.0.0.0`). Branches (`dev-main`, `2.x-dev`) name no point in the order. Words are
 * read without regard to case, as Composer does.
 */
export const packagist: OrderingRule<Parts> = {
  rule: 'https://getcomposer.org/doc/articles/versions.md',
  parse: parseParts,
  compare: compareParts,
  key: packagistKey,
}

function parseParts(version: string): Parts | undefined {
  const text = withoutBuild(version.replace(/^v/i, '')).toLowerCase()
  if (!grammar.test(text)) return undefined
  const parts: Parts = text.match(/\d+|[a-z]+/g) ?? []
  return parts.includes('x') ? undefined : padded(upToStable(parts))
}

function withoutBuild(version: string): string {
  const plus = version.indexOf('+')
  return plus !== -1 && /^\S+$/.test(version.slice(plus + 1)) ? version.slice(0, plus) : version
}

function upToStable(parts: Parts): Parts {
  const stable = parts.indexOf('stable')
  return stable === -1 ? parts : parts.slice(0, stable)
}

function padded(parts: Parts): Parts {
  const firstWord = parts.findIndex((part) => !isDigits(part))
  const numbers = firstWord === -1 ? parts.length : firstWord
  const zeros = Array.from({ length: Math.max(0, paddedNumbers - numbers) }, () => '0')
  return [...parts.slice(0, numbers), ...zeros, ...parts.slice(numbers)]
}

/** Places in PHP's order: unknown words, dev, alpha, beta, RC, the end of the version, numbers, patch levels. */
const unknown = 0x10
const end = 0x20
const number = 0x40
const patch = 0x80
const places: readonly (readonly [beginning: string, place: number])[] = [
  ['dev', 0x11],
  ['a', 0x12],
  ['b', 0x13],
  ['rc', 0x14],
  ['p', patch],
]

/** PHP compares only the beginning of a word, so that `patch` is `p` and `beta` is `b`. */
function placeOf(part: string | undefined): number {
  if (part === undefined) return end
  if (isDigits(part)) return number
  return places.find(([beginning]) => part.startsWith(beginning))?.[1] ?? unknown
}

function compareParts(a: Parts, b: Parts): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const partA = a[index]
    const partB = b[index]
    const place = placeOf(partA)
    const order = Math.sign(place - placeOf(partB))
    if (order !== 0) return order
    const byNumber = place === number ? compareDigits(partA ?? '', partB ?? '') : 0
    if (byNumber !== 0) return byNumber
  }
  return 0
}

function packagistKey(parts: Parts): Uint8Array {
  const key = new KeyWriter()
  for (const part of parts) {
    const place = placeOf(part)
    if (place === number) key.number(part)
    else key.mark(place)
  }
  return key.mark(end).finish()
}
