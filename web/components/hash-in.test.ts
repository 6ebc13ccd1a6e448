import { describe, expect, it } from 'vitest'
import { hashIn } from './hash-in.ts'

describe('hashIn', () => {
  it.each([
    ['a'.repeat(64), 'a'.repeat(64)],
    [` SHA-256:${'AB'.repeat(32)} `, 'ab'.repeat(32)],
    ['d'.repeat(40), 'd'.repeat(40)],
    [` sha512-${'Ab+/'.repeat(21)}Ab== `, `sha512-${'Ab+/'.repeat(21)}Ab==`],
    [`sha1-${'Ab+/'.repeat(6)}Abc=`, `sha1-${'Ab+/'.repeat(6)}Abc=`],
    ['sha512-deadbeef', undefined],
    ['deadbeef', undefined],
    ['log4j-core', undefined],
    [`${'a'.repeat(63)}g`, undefined],
    ['', undefined],
  ])('%j → %j', (words, hash) => {
    expect(hashIn(words)).toBe(hash)
  })
})
