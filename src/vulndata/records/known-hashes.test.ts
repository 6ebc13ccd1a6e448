import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { isKnown, keptDigits, knownHashes, noneKnown } from './known-hashes.ts'

const hashOf = (index: number) => createHash('sha256').update(String(index)).digest('hex')
const hashes = Array.from({ length: 3_000 }, (_, index) => hashOf(index))
const known = knownHashes(hashes.map((hash) => hash.slice(0, keptDigits)).join(''))

it('knows every hash that it was made of, and none of others', () => {
  expect(hashes.every((hash) => isKnown(known, hash))).toBe(true)
  const others = Array.from({ length: 3_000 }, (_, index) => hashOf(10_000 + index))
  expect(others.filter((hash) => isKnown(known, hash))).toEqual([])
})

it('knows nothing where nothing is stored', () => {
  expect(isKnown(noneKnown, hashOf(1))).toBe(false)
  expect(knownHashes('')).toEqual(noneKnown)
})
