import { describe, expect, it } from 'vitest'
import { isWithin, readBounds } from './version-bounds.ts'

describe('the bounds of versions in a search', () => {
  it.each([
    ['log4j-core <2.17', 'log4j-core', ['<2.17']],
    ['log4j-core<2.17', 'log4j-core', ['<2.17']],
    ['log4j-core >= 2.0 < 2.17.1', 'log4j-core', ['>=2.0', '<2.17.1']],
    ['openssl =3.0.7-1', 'openssl', ['=3.0.7-1']],
    ['openssl == 3.0.7', 'openssl', ['=3.0.7']],
    ['apache log4j >2 core', 'apache log4j  core', ['>2']],
    ['pkg:deb/debian/bash@5.1?arch=amd64', 'pkg:deb/debian/bash@5.1?arch=amd64', []],
    ['<2.17', '<2.17', []],
    ['a < ', 'a <', []],
    ['', '', []],
  ])('of %j', (search, words, bounds) => {
    const read = readBounds(search)
    expect(read.words).toBe(words)
    expect(read.bounds.map(({ relation, version }) => relation + version)).toEqual(bounds)
  })

  it.each([
    ['maven', '2.17.0-beta1', '<2.17.0', true],
    ['maven', '2.9.1', '<2.17', true],
    ['dpkg', '1:1.0-1', '<2.0', false],
    ['dpkg', '1.0~rc1', '<1.0', true],
    ['semver', '10.0.0', '>9.9.9', true],
    ['semver', 'no version', '<2', false],
  ] as const)('%s: %s %s is %s', (scheme, version, bound, expected) => {
    expect(isWithin(scheme, version, readBounds(`x ${bound}`).bounds)).toBe(expected)
  })
})
