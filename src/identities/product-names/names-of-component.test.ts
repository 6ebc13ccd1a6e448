import { describe, expect, it } from 'vitest'
import type { SbomComponent } from '../../formats/sbom/document.ts'
import { thing } from '../identity-table.ts'
import { identify, identityHash } from '../identify.ts'
import { noSurroundings } from '../surroundings.ts'

const identityOf = (fields: Partial<SbomComponent>) => identify(thing(fields), noSurroundings)

/** `name version`, for each name. */
const namesOf = (fields: Partial<SbomComponent>) =>
  identityOf(fields)
    .further.filter(({ origin }) => origin === 'name')
    .map(({ packageKey, version }) => `${packageKey.split('\u001f')[1] ?? ''} ${version}`)

describe('names of a component', () => {
  it.each<[purl: string, expected: string[]]>([
    ['pkg:generic/openssl@3.0.7', ['openssl 3.0.7']],
    ['pkg:generic/OpenSSL@v3.0.7', ['openssl v3.0.7']],
    ['pkg:conan/zlib@1.2.11', ['zlib 1.2.11']],
    ['pkg:conan/openssl.org/openssl@3.0.3?user=bincrafters&channel=stable', ['openssl 3.0.3']],
    ['pkg:vcpkg/curl@8.5.0%232', ['curl 8.5.0']],
    ['pkg:yocto/core/busybox@1.36.1-r0', ['busybox 1.36.1']],
    ['pkg:nobodys-type/net-snmp@5.9', ['net snmp 5.9']],
    ['pkg:generic/acme/pump@1.0', ['acme pump 1.0', 'acme:pump 1.0']],
    ['pkg:github/grafana/grafana@v9.0.1', ['grafana 9.0.1']],
    [
      'pkg:github/significant-gravitas/autogpt@0.5',
      ['significant gravitas autogpt 0.5', 'significant gravitas:autogpt 0.5'],
    ],
    ['pkg:github/curl/curl@curl-8_5_0', ['curl 8.5.0']],
    ['pkg:generic/curl@8.5.0?vcs_url=git%2Bhttps://github.com/curl/curl', ['curl 8.5.0']],
    ['pkg:docker/library/nginx@1.21', ['nginx 1.21']],
  ])('of a kind without data: %s', (purl, expected) => {
    expect(namesOf({ purl })).toEqual(expected)
  })

  it.each<[rule: string, fields: Partial<SbomComponent>, expected: string[]]>([
    ['alone', { name: 'openssl' }, ['openssl 3.0.7']],
    ['spelled otherwise', { name: 'Apache-Tomcat' }, ['apache tomcat 3.0.7']],
    ['of its own project', { name: 'curl', supplier: 'The curl project' }, ['curl 3.0.7']],
    ['of a vendor', { name: 'Pump', supplier: 'Acme GmbH' }, ['acme pump 3.0.7', 'acme:pump 3.0.7']],
    ['of a group', { name: 'pump', group: 'acme' }, ['acme pump 3.0.7', 'acme:pump 3.0.7']],
    ['behind its vendor', { name: 'Acme Pump', supplier: 'ACME' }, ['acme pump 3.0.7', 'acme:pump 3.0.7']],
    [
      'of another vendor',
      { name: 'openssl', supplier: 'Acme' },
      ['acme openssl 3.0.7', 'acme:openssl 3.0.7'],
    ],
    [
      'of two',
      { name: 'curl', group: 'curl', supplier: 'Acme' },
      ['curl 3.0.7', 'acme curl 3.0.7', 'acme:curl 3.0.7'],
    ],
    ['from who only passes it on', { name: 'openssl', supplier: 'OpenEmbedded ()' }, ['openssl 3.0.7']],
    ['of nobody', { name: 'openssl', supplier: 'unknown' }, ['openssl 3.0.7']],
  ])('%s', (_rule, fields, expected) => {
    expect(namesOf({ version: '3.0.7', ...fields })).toEqual(expected)
  })

  it.each<[rule: string, fields: Partial<SbomComponent>]>([
    ['a package of npm', { purl: 'pkg:npm/openssl@3.0.7' }],
    ['a package of npm that no registry can have', { purl: 'pkg:npm/open%20ssl@3.0.7' }],
    ['a package of a distribution', { purl: 'pkg:deb/debian/openssl@3.0.7?distro=debian-12' }],
    ['a package of a distribution without data', { purl: 'pkg:rpm/centos/openssl@3.0.7' }],
    ['an action', { purl: 'pkg:githubactions/openssl/openssl@3.0.7' }],
    ['a line of an action', { purl: 'pkg:github/openssl/openssl@v3' }],
    ['a part of a repository', { purl: 'pkg:github/openssl/openssl@3.0.7#crypto' }],
    ['a binding', { purl: 'pkg:cpan/openssl@3.0.7' }],
    [
      'one of its purls in a registry',
      { purl: 'pkg:generic/openssl@3.0.7', otherPurls: ['pkg:npm/openssl@3.0.7'] },
    ],
    ['a purl that cannot be read', { purl: 'openssl@3.0.7' }],
    ['a CPE', { cpe: 'cpe:2.3:a:openssl:openssl:3.0.7:*:*:*:*:*:*:*', purl: 'pkg:generic/openssl@3.0.7' }],
    ['no version', { version: null }],
    ['a version without an order', { version: 'trunk' }],
    ['a range of versions', { version: 'vers:generic/>=3.0.0|<3.1.0' }],
    ['a word of the trade', { name: 'agent' }],
    ['a word of the trade of a vendor', { name: 'agent', supplier: 'Acme' }],
    ['two letters', { name: 'xz' }],
    ['a path', { name: 'usr/lib/openssl' }],
    ['a name with its scope', { name: '@acme/pump' }],
    ['a group of Maven', { group: 'org.postgresql', name: 'postgresql' }],
    ['a scope of npm', { group: '@acme', name: 'pump' }],
    ['a module of Go', { group: 'github.com/acme', name: 'pump' }],
    ['a file', { type: 'file' }],
    ['an algorithm', { type: 'cryptographic-asset' }],
    ['a distribution', { type: 'operating-system', name: 'debian' }],
    ['a distribution that says no more', { name: 'fedora' }],
    ['the kernel', { name: 'linux' }],
  ])('there are none: %s', (_rule, fields) => {
    expect(namesOf({ name: 'openssl', version: '3.0.7', ...fields })).toEqual([])
  })

  it('are never exact and cover nothing', () => {
    const identity = identityOf({ purl: 'pkg:generic/openssl@3.0.7' })
    expect(identity).toMatchObject({ packageKey: null, decidability: 'not_covered', basis: 'purl' })
    expect(identity.further).toMatchObject([{ basis: 'name', needsRecord: false, scheme: 'generic' }])
  })

  it('tell identities apart', () => {
    const of = (supplier: string | null) =>
      identityHash(identityOf({ name: 'pump', version: '1.0', supplier }))
    expect(of('Acme')).not.toBe(of('Apex'))
    expect(of('Acme')).toBe(of('ACME Inc.'))
  })
})
