import { describe, expect, it } from 'vitest'
import { findDisorder, type OrderedChain } from './ordered-chain.ts'
import { orderingOf, versionSchemes, type VersionScheme } from './ordering.ts'

/**
 * What the public vectors of these schemes test, in chains: versions from the oldest to the newest, `=` between equal ones. Every
 * version is compared with every other.
 */
const chains: [scheme: VersionScheme, rule: string, chain: string][] = [
  [
    'apk',
    'numbers',
    '0.3.5 0.9.11 0.9.12 0.10.0 0.12 0.12.1 1.0.2 1.0.10 2.6.26 2.6.27 2.10 3.10.18 20030215 20050405',
  ],
  ['apk', 'a first part in a longer row', '1.2 1.2.11 1.2.12 1.2.12.1 1.2.12.1.3 1.3'],
  ['apk', 'leading zeros after a point', '1.0 1.01 1.02 1.06 1.1 1.2'],
  ['apk', 'revisions', '2.9.3 2.9.3-r1 2.9.3-r2 2.9.3-r10 2.9.4-r0'],
  ['apk', 'letters', '0.15.1a 0.15.1b-r1 0.15.1b-r2 0.15.1c 0.15.2'],
  ['apk', 'suffixes below', '2.1_alpha 2.1_alpha3 2.1_beta2 2.1_pre20 2.1_pre26 2.1_rc1 2.1'],
  [
    'apk',
    'suffixes above',
    '4.3 4.3_cvs1 4.3_svn1 4.3_git1 4.3_hg1 4.3_p1 4.3_p2-r1 4.3_p2-r5 4.3_p10 4.3.1',
  ],
  ['apk', 'a letter before a suffix', '1.8.5a_rc1 1.8.5a 1.8.5a_p2 1.8.5b'],
  ['apk', 'dates in suffixes', '2.9_pre20051101 2.9_pre20051101-r3 2.9_pre20061021-r1 2.9'],
  ['conan', 'numbers, and letters above them', '1.0.2 1.1.0 1.1.1.3 1.1.1.22 1.3.1 1.20 1.22 1.a 2'],
  ['conan', 'a letter behind a number', '1.1 1.1a 1.1b 1.2'],
  ['conan', 'stars are letters', '1.1* 1.2 1.20'],
  [
    'conan',
    'prereleases',
    '1.0.0- 1.0.0-alpha1=1.0-alpha1 1.0.0=1.0.0.0 1.1-alpha.3 1.1-alpha.22 1.1-pre1 1.1-pre2 1.1 1.2-alpha1',
  ],
  ['conan', 'builds', '1.1-alpha.3+b1 1.1-alpha.3+b2 1.1 1.1+b.3 1.1+b.22 1.1+b1=1.1.0+b1 1.1+b2 1.2'],
  ['nuget', 'four numbers', '0.9.9.1 1=1.0=1.0.0.0 1.0.0.1 1.0.1=1.0.01.0 1.1 1.999.9999 2.1.1'],
  [
    'nuget',
    'labels without case or build',
    '1.0.0-BETA=1.0.0-beta+AA 1.0.0-beta.1+AA 1.0.0-beta.x.y.5.77.0=1.0.0-BETA.X.Y.5.77.0+aa 1.0.0-beta.x.y.5.79.0 1.0.0-beta.x.y.5.790.0 1.0.0-beta2 1.0.0-pre 1.0.0=1.0.0+beta 1.0.0.1-1.2.A=1.0.0.1-1.2.a 1.0.0.1-alpha 1.0.0.1-pre 1.0.0.1',
  ],
  [
    'maven',
    'numbers and lists',
    '2.0=2 2-1 2.0.2 2.0.123 2.1.0=2.1 2.1-a 2.1b 2.1-x 2.1-1 2.1.0.1 2.2 2.123 11',
  ],
  [
    'maven',
    'short qualifiers before a number',
    '11-a2=11a2 11-a11 11-b2 11-b11 11-m2 11-m11 11=11ga 11-a 11-b 11-c 11-m',
  ],
  [
    'maven',
    'known qualifiers',
    '1-alpha2snapshot 1-alpha2=1a2 1-alpha-123 1-beta-2=1b2 1-beta123 1-m2=1-milestone-2 1-m11 1-rc=1cr 1-cr2=1-RC2 1-rc123 1-SNAPSHOT 1=1-0=1final 1-sp 1-sp2 1-sp123 1-abc 1-def 1-pom-1 1-1-snapshot 1-1 1-2 1-123',
  ],
  [
    'maven',
    'no regard to case',
    '1Alpha1=1ALPHA1 1Beta1=1BETA1 1MileStone3=1m3 1cR=1Rc 1FinaL=1GA=1.0 1SP=1-sp',
  ],
  ['maven', 'zeros before a qualifier', '1a=1-a=1.0-a=1.0.0a 1x=1.0-x=1.0.0-x'],
]

/** Pairs that must not be equal, whichever is newer. */
const differing: [scheme: VersionScheme, a: string, b: string][] = [
  ['nuget', '1.0+test', '1.0.0.1'],
  ['nuget', '1.0.0.1-1.2.A', '1.0.0.1-1.2.a.A+A'],
  ['nuget', '1.0.0+AA', '1.0.0-beta+aa'],
]

function chainOf(text: string): OrderedChain {
  return text.split(' ').map((row) => row.split('='))
}

describe('known orders', () => {
  it.each(chains)('%s: %s', (scheme, _rule, text) => {
    expect(findDisorder(scheme, chainOf(text))).toEqual([])
  })

  it.each(differing)('%s: %s is not %s', (scheme, a, b) => {
    expect(orderingOf(scheme).compare(a, b)).not.toBe(0)
  })

  it.each(versionSchemes)('%s: a version is within bounds as its order says', (scheme) => {
    const { compare } = orderingOf(scheme)
    const [low, between, high] = ['1.0.0', '1.5.0', '2.0.0']
    expect([compare(low, between), compare(between, high), compare(between, between)]).toEqual([-1, -1, 0])
    expect([compare(between, low), compare(high, between)]).toEqual([1, 1])
  })
})
