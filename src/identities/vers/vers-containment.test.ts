import { describe, expect, it } from 'vitest'
import { versionSchemes } from '../../versions/ordering.ts'
import { readVers, schemeOfType } from './vers.ts'

type Row = { rule: string; range: string; inside: string; outside: string }

/** Which versions a range contains, written apart by blanks: by the steps of the vers specification, in the order of each type. */
const rows: Row[] = [
  // How constraints work together
  { rule: 'any version', range: 'vers:npm/*', inside: '0.0.1 3.2.0 9.9.9-beta', outside: '' },
  { rule: 'one version', range: 'vers:npm/1.2.3', inside: '1.2.3', outside: '1.2.2 1.2.4 1.2.3-rc.1' },
  {
    rule: 'a version beside an interval',
    range: 'vers:npm/1.2.3|>=2.0.0|<5.0.0',
    inside: '1.2.3 2.0.0 3.7.1 4.99.0 5.0.0-rc.1',
    outside: '1.2.2 1.2.4 1.9.9 5.0.0 6.1.0',
  },
  {
    rule: 'a version inside an interval',
    range: 'vers:npm/>=1.0.0|=1.5.0|<2.0.0',
    inside: '1.0.0 1.4.9 1.5.0 1.5.1',
    outside: '0.9.0 2.0.0',
  },
  {
    rule: 'a version left out of an interval',
    range: 'vers:npm/>1.0.0|!=1.5.0|!=1.6.0|<=2.0.0',
    inside: '1.0.1 1.5.1 2.0.0',
    outside: '1.0.0 1.5.0 1.6.0 2.0.1',
  },
  {
    rule: 'two intervals',
    range: 'vers:npm/>=1.0.0|<1.4.0|>2.0.0|<=2.3.0',
    inside: '1.0.0 1.3.9 2.0.1 2.3.0',
    outside: '0.1.0 1.4.0 1.9.0 2.0.0 2.3.1',
  },
  {
    rule: 'open at both ends',
    range: 'vers:npm/<=1.0.0|>=4.0.0',
    inside: '0.0.1 1.0.0 4.0.0 12.0.0',
    outside: '1.0.1 3.9.9',
  },
  {
    rule: 'open, an interval between, open',
    range: 'vers:npm/<1.0.0|>=2.0.0|<3.0.0|>4.0.0',
    inside: '0.9.9 2.0.0 2.9.9 4.0.1',
    outside: '1.0.0 1.9.9 3.0.0 4.0.0',
  },
  {
    rule: 'constraints in any order',
    range: 'vers:npm/<5.0.0|1.2.3|>=2.0.0',
    inside: '1.2.3 2.0.0 4.9.9',
    outside: '1.2.4 5.0.0',
  },
  {
    rule: 'escaped characters',
    range: 'vers:deb/>=1%3A2.0-1|<1%3A2.0-4',
    inside: '1:2.0-1 1:2.0-3',
    outside: '2.0-2 1:2.0-4',
  },
  // How each type orders versions
  {
    rule: 'semver: pre-releases before the release, build metadata unread',
    range: 'vers:semver/>=1.0.0-alpha.2|<1.0.0',
    inside: '1.0.0-alpha.2 1.0.0-alpha.10 1.0.0-rc.1',
    outside: '1.0.0-alpha.1 1.0.0 1.0.0+build.7',
  },
  { rule: 'cargo', range: 'vers:cargo/<0.10.2', inside: '0.9.40 0.10.1', outside: '0.10.2 0.11.0' },
  { rule: 'hex', range: 'vers:hex/>=1.7.0|<1.7.14', inside: '1.7.0 1.7.9', outside: '1.6.16 1.7.14' },
  { rule: 'swift', range: 'vers:swift/>=2.0.0|<2.10.0', inside: '2.9.1', outside: '1.9.0 2.10.0' },
  { rule: 'julia', range: 'vers:julia/<=1.10.0', inside: '1.9.4 1.10.0', outside: '1.10.1' },
  { rule: 'github', range: 'vers:github/>=4.0.0|<4.1.3', inside: '4.1.2', outside: '3.9.9 4.1.3' },
  {
    rule: 'golang: with the v, and pseudo-versions',
    range: 'vers:golang/>=v0.1.0|<v0.17.0',
    inside: 'v0.1.0 v0.16.1-0.20231018163905-0b1c5ad3f2e4 v0.16.9 v0.17.0-rc.1',
    outside: 'v0.0.0-20210921155107-089bfa567519 v0.0.9 v0.17.0 v1.0.0',
  },
  {
    rule: 'pypi: pre-, post- and development releases, epochs, local versions',
    range: 'vers:pypi/>=1.0|<2.0',
    inside: '1.0 1.0.0 1.0.post1 1.9.9 2.0rc1 2.0.dev3',
    outside: '1.0a1 1.0.dev1 2.0 2.0.0 2.0.post1 1!1.5',
  },
  {
    rule: 'pypi: a bound without a local part is met by every local version of it',
    range: 'vers:pypi/>=2.0|<=2.5.1|2.7',
    inside: '2.0+cu1 2.5.1 2.5.1+cu118 2.7+cu1',
    outside: '2.5.1.post1 2.6+cu1 2.7.1',
  },
  {
    rule: 'pypi: and excluded with it',
    range: 'vers:pypi/>2.0|<2.5.1|!=2.3',
    inside: '2.1 2.2+cu1 2.5',
    outside: '2.0+cu1 2.3+cu1 2.5.1+cu118',
  },
  {
    rule: 'maven: qualifiers in their order',
    range: 'vers:maven/>=2.0-beta9|<2.15.0',
    inside: '2.0-beta9 2.0-rc1 2.0 2.14.1 2.15.0-alpha-1 2.15.0-SNAPSHOT',
    outside: '2.0-beta8 2.0-alpha1 2.15.0 2.15.0-sp1 2.15.0.Final',
  },
  {
    rule: 'gem: letters before numbers',
    range: 'vers:gem/>=5.2.0.rc1|<5.2.4',
    inside: '5.2.0.rc1 5.2.0 5.2.3.1 5.2.4.rc1',
    outside: '5.2.0.beta2 5.2.4 5.2.4.1',
  },
  {
    rule: 'nuget: four numbers, letters of any case',
    range: 'vers:nuget/>=4.3.0|<4.3.1.2',
    inside: '4.3.0 4.3.0.0 4.3.1 4.3.1.1 4.3.1.2-Beta',
    outside: '4.2.9 4.3.0-rc 4.3.1.2',
  },
  {
    rule: 'composer: stability in its order',
    range: 'vers:composer/>=2.0.0-beta1|<2.4.1',
    inside: '2.0.0-beta1 2.0.0-RC1 v2.0.0 2.4.0 2.4.1-RC2',
    outside: '2.0.0-alpha3 2.4.1 v2.4.1',
  },
  {
    rule: 'deb: tilde before nothing, epochs first',
    range: 'vers:deb/<1.1.1n-0+deb11u3',
    inside: '1.1.1n-0+deb11u2 1.1.1n-0~bpo 1.1.1k-1',
    outside: '1.1.1n-0+deb11u3 1.1.1n-0+deb11u10 1:1.0-1',
  },
  { rule: 'opam', range: 'vers:opam/>=2.0.0|<2.1.0', inside: '2.0.0 2.0.10 2.1.0~rc', outside: '2.1.0' },
  {
    rule: 'rpm: tilde before nothing, caret after',
    range: 'vers:rpm/>=1:1.1.1k-4.el8|<1:1.1.1k-9.el8',
    inside: '1:1.1.1k-4.el8 1:1.1.1k-7.el8_6 1:1.1.1k-8.el8',
    outside: '1.1.1k-5.el8 1:1.1.1k-9.el8 1:1.1.1k-10.el8',
  },
  {
    rule: 'rpm: a pre-release by tilde',
    range: 'vers:rpm/<2.0-1',
    inside: '2.0~rc1-1 1.9-5',
    outside: '2.0-1 2.0^20240101-1',
  },
  {
    rule: 'apk: suffixes and revisions',
    range: 'vers:apk/>=1.35.0-r2|<1.35.0-r17',
    inside: '1.35.0-r2 1.35.0-r9 1.35.0-r16',
    outside: '1.35.0_rc1-r3 1.35.0-r1 1.35.0-r17',
  },
  {
    rule: 'alpine: the same order',
    range: 'vers:alpine/<3.1.4_p2',
    inside: '3.1.4_p1 3.1.4 3.1.4_alpha',
    outside: '3.1.4_p2 3.1.4a',
  },
  {
    rule: 'cran: points and dashes alike',
    range: 'vers:cran/>=1.8-4|<1.10.2',
    inside: '1.8.4 1.9-1 1.10.1',
    outside: '1.8-3 1.10-2',
  },
  {
    rule: 'hackage: lists of numbers, the longer one later',
    range: 'vers:hackage/>=2.0|<2.0.3.0',
    inside: '2.0 2.0.0 2.0.3',
    outside: '1.9.9.9 2.0.3.0 2.0.10',
  },
  {
    rule: 'pub: a build after the release',
    range: 'vers:pub/>1.0.0|<1.1.0',
    inside: '1.0.0+1 1.0.5 1.1.0-dev',
    outside: '1.0.0 1.1.0',
  },
  {
    rule: 'bitnami: revisions after the version',
    range: 'vers:bitnami/>=6.2.0|<6.2.1',
    inside: '6.2.0 6.2.0-3',
    outside: '6.1.9 6.2.1',
  },
  {
    rule: 'conan: letters after numbers',
    range: 'vers:conan/>=1.1.1|<1.1.1t',
    inside: '1.1.1 1.1.1a 1.1.1s',
    outside: '1.1.0 1.1.1t 1.1.1u 1.2.0',
  },
  {
    rule: 'generic: numbers and letters one after another',
    range: 'vers:generic/>=9.3|<9.11.2',
    inside: '9.3 9.3.1 9.10 9.11.1',
    outside: '9.2.9 9.11.2 10.0',
  },
  { rule: 'intdot', range: 'vers:intdot/>=1.9|<1.11', inside: '1.9 1.10 1.10.4', outside: '1.8 1.11' },
]

const split = (versions: string) => versions.split(' ').filter((version) => version !== '')

describe('the versions inside a range', () => {
  it.each(rows)('$rule: $range', ({ range, inside, outside }) => {
    const contains = readVers(range)
    const isInside = (version: string) => contains?.(version)
    expect(split(inside).filter((version) => isInside(version) !== true)).toEqual([])
    expect(split(outside).filter((version) => isInside(version) !== false)).toEqual([])
  })

  it('are tested in every order of versions', () => {
    const types = rows.map(({ range }) => range.slice('vers:'.length, range.indexOf('/')))
    expect(new Set(types.map(schemeOfType))).toEqual(new Set(versionSchemes))
  })
})
