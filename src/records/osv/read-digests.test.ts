import { expect, it } from 'vitest'
import { digestsOf } from './read-digests.ts'

const stating = (...hashes: unknown[]) => ({
  database_specific: { indicators: { package_integrity: hashes.map((each) => ({ hashes: each })) } },
})
const sha1 = 'ab'.repeat(20)
const sha256 = 'cd'.repeat(32)

it.each<[string, unknown, string[]]>([
  ['hexadecimal digits', { sha1, sha256: sha256.toUpperCase() }, [`sha1:${sha1}`, `sha256:${sha256}`]],
  ['BLAKE2b as PyPI names it', { blake2b_256: sha256 }, [`blake2b256:${sha256}`]],
  ['base64', { sha256: Buffer.from(sha256, 'hex').toString('base64') }, [`sha256:${sha256}`]],
  ['integrity', { sha1_sri: `sha1-${Buffer.from(sha1, 'hex').toString('base64')}` }, [`sha1:${sha1}`]],
  ['a digest of another length', { sha256: sha1, sha1: sha256 }, []],
  ['an algorithm that is not compared', { md5: 'ab'.repeat(16), sha3_256: sha256, tlsh: sha256 }, []],
  ['what is no digest', { sha256: 7, sha1: null, sha512: {}, sha384: ['x'] }, []],
  ['a list instead of an object', [sha256], []],
])('%s', (_, hashes, expected) => {
  expect(digestsOf([stating(hashes)])).toEqual(expected)
})

it('hostile records state so many at most', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => n.toString(16).padStart(64, '0'))
  const hashes = { sha256: many, ['x'.repeat(100_000)]: sha256, sha512: 'f'.repeat(100_000) }
  expect(digestsOf(Array.from({ length: 20 }, () => stating(hashes)))).toHaveLength(200)
  expect(digestsOf(many.map((digest) => stating({ sha256: digest })))).toHaveLength(500)
})
