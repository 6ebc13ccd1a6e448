import { expect, it } from 'vitest'
import { readVex } from '../read-vex.ts'
import { csaf } from '../sample-documents.ts'
import { versionsMeant } from './csaf-versions.ts'

const version = (name: string) => ({ isRange: false, name })
const range = (name: string) => ({ isRange: true, name })
const npm = { purl: 'pkg:npm/a' }
const cpe = { cpe: 'cpe:2.3:a:acme:a:*:*:*:*:*:*:*:*' }
const only = (stated: string) => [{ version: stated, status: 'affected' }]
const within = (stated: string) => [{ range: stated, status: 'affected' }]

it.each([
  ['1.0', npm, version('1.0'), only('1.0')],
  ['V1.0 and 1.0', cpe, version('V1.0'), [...only('V1.0'), ...only('1.0')]],
  ['a version by that word', npm, version('Version 1.0'), [...only('Version 1.0'), ...only('1.0')]],
  ['the version that the purl states', { purl: 'pkg:npm/a@1' }, version('2'), null],
  ['that beside an open CPE', { purl: 'pkg:npm/a@1', ...cpe }, version('2'), null],
  ['the version that the CPE states', { cpe: 'cpe:/a:acme:a:1' }, version('2'), null],
  ['one that has no version', { cpe: 'cpe:2.3:h:acme:a:-:*:*:*:*:*:*:*' }, version('2'), null],
  ['the package', { purl: 'pkg:rpm/redhat/gnutls?arch=src' }, version('gnutls'), null],
  ['its module', { purl: 'pkg:rpm/redhat/a?rpmmod=b:1' }, version('a.src::b:1'), null],
  ['its path', { purl: 'pkg:oci/a-9?tag=1' }, version('acme/a-9'), null],
  ['name and version', cpe, version('Acme A 2.0'), only('2.0')],
  ['name and version by that word', cpe, version('Acme A Version 2.0'), only('2.0')],
  ['name and release', cpe, version('Acme A, Release: 2.0'), only('2.0')],
  ['name and version in brackets', cpe, version('Acme A (2.0)'), only('2.0')],
  ['name and signs', cpe, version('Acme A < 2.0'), within('vers:generic/<2.0')],
  ['name and tag', { purl: 'pkg:oci/a' }, version('acme/a:2.0'), only('2.0')],
  ['name and other words', cpe, version('Acme A, the second'), only(', the second')],
  ['module and name', { purl: 'pkg:rpm/redhat/a' }, version('a:18/a'), null],
  ['a part of the package', { purl: 'pkg:rpm/redhat/a' }, version('a-devel'), null],
  ['the name within a version', { purl: 'pkg:cran/r' }, version('1.0-r2'), only('1.0-r2')],
  ['a longer name', { purl: 'pkg:npm/left' }, version('leftpad'), only('leftpad')],
  ['no version known', npm, version('unspecified'), null],
  ['a line of versions', npm, version('1.x'), []],
  ['too long for a version', npm, version('1'.repeat(201)), []],
  ['too long for a range', npm, range(`<${'1'.repeat(4_000)}`), []],
  ['vers', npm, range('vers:npm/<2'), within('vers:npm/<2')],
  ['any version', npm, range('vers:npm/*'), null],
  ['signs', npm, range('>=1.0|<2.0'), within('vers:npm/>=1.0|<2.0')],
  ['signs as words', cpe, range('versions prior to 2.0'), within('vers:generic/<2.0')],
  ['signs of one character', cpe, range('≤ V2.0'), within('vers:generic/<=V2.0')],
  ['before a line', npm, range('< 2.x'), within('vers:npm/<2')],
  ['from a line on', npm, range('>= 2.*'), within('vers:npm/>=2')],
  ['behind a line', npm, range('> 1.x'), []],
  ['up to a line', npm, range('<= 1.x'), []],
  ['words', npm, range('the fixed ones'), []],
  ['no branch with a version', npm, null, null],
])('%s', (_name, identifiers, branch, expected) => {
  expect(versionsMeant(identifiers, branch)).toEqual(expected)
})

it('words that cannot be read are a hint', () => {
  const product = { product_id: 'a', name: 'a', product_identification_helper: npm }
  const document = csaf({
    product_tree: { branches: [{ category: 'product_version_range', name: 'some', product }] },
    vulnerabilities: [{ cve: 'CVE-2024-1', product_status: { fixed: ['a'] } }],
  })
  expect(readVex(document)).toMatchObject({
    unbound: 0,
    hints: [expect.stringContaining('/vulnerabilities/0/product_status/fixed/0')],
  })
})
