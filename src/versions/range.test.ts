import { describe, expect, it } from 'vitest'
import type { VersionScheme } from './ordering.ts'
import { isInside, isLowestBound } from './range.ts'

type Row = [
  scheme: VersionScheme,
  version: string,
  introduced: string | null,
  upper: string | null,
  upperIncluded: boolean,
  expected: boolean | undefined,
]

const rows: Row[] = [
  ['semver', '1.0.0', '1.0.0', '2.0.0', false, true],
  ['semver', '0.9.9', '1.0.0', '2.0.0', false, false],
  ['semver', '2.0.0', '1.0.0', '2.0.0', false, false],
  ['semver', '2.0.0', '1.0.0', '2.0.0', true, true],
  ['semver', '2.0.1', '1.0.0', '2.0.0', true, false],
  ['semver', '2.0.0-rc1', '1.0.0', '2.0.0', false, true],
  ['semver', '1.0.0-rc1', '1.0.0', '2.0.0', false, false],
  ['semver', '99.0.0', '1.0.0', null, false, true],
  ['semver', '0.0.0-0', '0', '1.0.0', false, true],
  ['semver', '0.0.0-0', '0.0.0-0', '1.0.0', false, true],
  ['semver', '0.0.0-0', null, null, false, true],
  ['semver', '1.5.0', '1.5.0', '1.5.0', true, true],
  ['semver', 'latest', '0', null, false, undefined],
  ['semver', '1.0.0', 'first', null, false, undefined],
  ['semver', '1.0.0', '0', 'last', false, undefined],
  ['semver', '0.1.0', '1.0.0', 'last', false, false],
  ['semver', '3.0.0', 'first', '2.0.0', false, false],
  ['apk', '1.9.5p1-r0', '0', '1.9.5p2-r0', false, undefined],
  ['apk', '1.9.4-r0', '0', '1.9.5p2-r0', false, true],
  ['go', 'v0.0.0-20200101120000-abcdefabcdef', '0', '0.0.0-20211209193657-4570a0811e8b', false, true],
  ['go', 'v20.10.7+incompatible', '0', '20.10.9', false, true],
  ['go', '(devel)', '0', null, false, undefined],
  ['go', 'go1.21rc1', '1.21.0-0', '1.21.1', false, true],
  ['pep440', '1.0.dev1', '0', '1.0', false, true],
  ['pep440', '1.0.post1', '0', '1.0', true, false],
  ['pep440', '2.5.1+cu118', '0', '2.5.1', true, true],
  ['pep440', '2.5.1+cu118', '0', '2.5.1', false, false],
  ['pep440', '2.5.1+cu118', '0', '2.5.1+cu117', true, false],
  ['pep440', '2.5.1+cu118', '2.5.1', '2.6', false, true],
  ['pep440', 'trunk', '0', '0.1', false, true],
  ['pep440', 'trunk', '0.0', '0.1', false, false],
  ['maven', '1.0.RC2', '1.0-RC1', '1.0', false, true],
  ['maven', '1.0.Final', '0', '1.0', false, false],
  ['maven', '31.1-jre', '0', '32.0.0-android', false, true],
  ['rubygems', '1.2.3-x86_64-linux', '1.2.3', '1.2.4', false, true],
  ['nuget', '1.0.0.1', '1.0', '1.0.0.2', false, true],
  ['packagist', 'v5.4.14', '5.4.0', '5.4.20', false, true],
  ['packagist', 'dev-main', '0', null, false, undefined],
  ['dpkg', '1.1.1n-0+deb11u3', '0', '1.1.1n-0+deb11u4', false, true],
  ['dpkg', '1.1.1n-0+deb11u5', '0', '1.1.1n-0+deb11u4', false, false],
  ['dpkg', '1:1.0-1', '0', '2.0-1', false, false],
  ['rpm', '0:1.1.1k-7.el8_6', '0', '1:1.1.1k-9.el8_6', false, true],
  ['rpm', '1:1.1.1k-9.el8_6', '0', '1:1.1.1k-9.el8_6', false, false],
  ['apk', '1.1.1q-r0', '0', '1.1.1t-r0', false, true],
  ['apk', '1.1.1u-r0', '0', '1.1.1t-r0', false, false],
  ['apk', '1.0bc', '0', '1.1', false, undefined],
  ['cran', '1.2-3', '1.2.0', '1.2.4', false, true],
  ['hackage', '1.0', '1.0.0', '2', false, false],
  ['pub', '1.0.0+1', '0', '1.0.0', true, false],
  ['bitnami', '1.2.3-1', '0', '1.2.3', false, false],
  ['conan', '1.1.1t', '1.1.1', '1.1.1w', false, true],
]

describe('isInside', () => {
  it.each(rows)('%s %s in [%s, %s], included %s: %s', (...row) => {
    const [scheme, version, introduced, upper, upperIncluded, expected] = row
    expect(isInside(scheme, version, { introduced, upper, upperIncluded })).toBe(expected)
  })
})

describe('isLowestBound', () => {
  it.each([
    ['semver', '0', true],
    ['semver', null, true],
    ['semver', '0.0.0-0', true],
    ['semver', '0.0.0', false],
    ['dpkg', '0', true],
    ['dpkg', '0.0.0-0', false],
  ] as const)('%s %s: %s', (scheme, introduced, expected) => {
    expect(isLowestBound(scheme, introduced)).toBe(expected)
  })
})
