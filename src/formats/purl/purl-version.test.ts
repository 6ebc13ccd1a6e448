import { expect, it } from 'vitest'
import { withoutVersion, withVersion } from './purl-version.ts'

it.each([
  ['pkg:npm/left', '1.0.0', 'pkg:npm/left@1.0.0'],
  ['pkg:npm/left@2.0.0', '1.0.0', 'pkg:npm/left@2.0.0'],
  ['pkg:npm/%40scope/left', '1.0.0', 'pkg:npm/%40scope/left@1.0.0'],
  ['pkg:deb/debian/deep?arch=amd64#lib', '1:2+b', 'pkg:deb/debian/deep@1%3A2%2Bb?arch=amd64#lib'],
  ['pkg:npm/left', null, 'pkg:npm/left'],
  ['pkg:npm/left', '', 'pkg:npm/left'],
  ['pkg:', '1', 'pkg:'],
])('%s of version %j is %s', (purl, version, expected) => {
  expect(withVersion(purl, version)).toBe(expected)
})

it.each([
  ['pkg:npm/left@1.0.0?x=y', 'pkg:npm/left'],
  ['pkg:npm/@scope/left', 'pkg:npm/@scope/left'],
  ['pkg:npm/%40scope/left@1', 'pkg:npm/%40scope/left'],
])('%s without version is %s', (purl, expected) => {
  expect(withoutVersion(purl)).toBe(expected)
})
