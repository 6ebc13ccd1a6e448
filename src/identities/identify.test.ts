import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/support/any-character.ts'
import type { SbomComponent } from '../formats/sbom/document.ts'
import { versionKey as genericKey } from '../versions/ordering.ts'
import { identityRow, thing } from './identity-table.ts'
import type { ComponentIdentity } from './component-identity.ts'
import { identify, identityHash } from './identify.ts'
import { noSurroundings } from './surroundings.ts'

function ofPurl(purl: string): ComponentIdentity {
  return identify(thing({ purl }), noSurroundings)
}

describe('identify by CPE', () => {
  const cpe = 'cpe:2.3:a:openssl:openssl:1.1.1k:*:*:*:*:*:*:*'

  it.each<[rule: string, fields: Partial<SbomComponent>, expected: string]>([
    ['without purl', { cpe }, 'cpe | a:openssl:openssl | 1.1.1k | - | - | covered'],
    [
      'URI form',
      { cpe: 'cpe:/a:openssl:openssl:1.1.1k' },
      'cpe | a:openssl:openssl | 1.1.1k | - | - | covered',
    ],
    [
      'purl type without data',
      { cpe, purl: 'pkg:generic/openssl@1.1.1k' },
      'cpe | a:openssl:openssl | 1.1.1k | - | - | covered',
    ],
    [
      'unreadable purl',
      { cpe, purl: 'https://openssl.org' },
      'cpe | a:openssl:openssl | 1.1.1k | - | - | covered',
    ],
    [
      'a repository, which may hold anything',
      { cpe, purl: 'pkg:github/openssl/openssl@openssl-1.1.1k' },
      'cpe | a:openssl:openssl | 1.1.1k | - | - | covered',
    ],
    [
      'a recipe of Conan, on which nobody publishes data',
      { cpe, purl: 'pkg:conan/openssl@1.1.1k' },
      'cpe | a:openssl:openssl | 1.1.1k | - | - | covered',
    ],
    ['a usable purl wins', { cpe, purl: 'pkg:npm/openssl@1.0.0' }, 'npm | openssl | 1.0.0 | - | - | covered'],
    ['also without version', { cpe, purl: 'pkg:npm/openssl' }, 'npm | openssl | - | - | - | no_version'],
    [
      'never for a distribution without data',
      { cpe, purl: 'pkg:rpm/centos/openssl@1.1.1k-9.el8' },
      '- | pkg:rpm/centos/openssl | 1.1.1k-9.el8 | ? | - | not_covered',
    ],
    [
      'update',
      { cpe: 'cpe:2.3:a:a:b:1.0:rc1:*:*:*:*:*:*' },
      'cpe | a:a:b | 1.0-rc1 | - | \u001f\u001f\u001f\u001f\u001f\u001frc1 | covered',
    ],
    [
      'no update',
      { cpe: 'cpe:2.3:a:a:b:1.0:-:*:*:*:*:*:*' },
      'cpe | a:a:b | 1.0 | - | \u001f\u001f\u001f\u001f\u001f\u001f- | covered',
    ],
    [
      'a package of Swift by its repository',
      { purl: 'pkg:swift/alpha@1.2.3', repository: 'https://github.com/Example-Org/Alpha.git' },
      'SwiftURL | github.com/example-org/alpha | 1.2.3 | - | - | covered',
    ],
    [
      'a package of Swift by its name alone',
      { purl: 'pkg:swift/alpha@1.2.3' },
      '- | pkg:swift/alpha | 1.2.3 | ? | - | not_covered',
    ],
    [
      'what it runs in',
      { cpe: 'cpe:2.3:a:a:b:1.0:*:*:*:*:node.js:*:*' },
      'cpe | a:a:b | 1.0 | - | \u001f\u001f\u001fnode.js\u001f\u001f\u001f | covered',
    ],
    [
      'nothing to run in',
      { cpe: 'cpe:2.3:a:a:b:1.0:*:*:*:*:-:*:*' },
      'cpe | a:a:b | 1.0 | - | \u001f\u001f\u001f-\u001f\u001f\u001f | covered',
    ],
    [
      'a pattern to run in',
      { cpe: 'cpe:2.3:a:a:b:1.0:*:*:*:*:node*:*:*' },
      'cpe | a:a:b | 1.0 | - | \u001f\u001f\u001f*\u001f\u001f\u001f | covered',
    ],
    [
      'any part',
      { cpe: 'cpe:2.3:*:busybox:busybox:1.34.1:*:*:*:*:*:*:*' },
      'cpe | a:busybox:busybox | 1.34.1 | - | - | covered',
    ],
    [
      'any part of the kernel',
      { cpe: 'cpe:2.3:*:linux:linux_kernel:6.1.20:*:*:*:*:*:*:*' },
      'cpe | o:linux:linux_kernel | 6.1.20 | - | - | covered',
    ],
    [
      'any part of a firmware',
      { cpe: 'cpe:2.3:*:acme:pump_firmware:1.0:*:*:*:*:*:*:*', type: 'firmware' },
      'cpe | o:acme:pump_firmware | 1.0 | - | - | covered',
    ],
    [
      'no order is certain',
      { cpe: 'cpe:2.3:a:a:b:trunk:*:*:*:*:*:*:*' },
      'cpe | a:a:b | trunk | - | - | uncomparable',
    ],
    [
      'an epoch',
      { cpe: String.raw`cpe:2.3:a:a:b:1\:2.0:*:*:*:*:*:*:*` },
      'cpe | a:a:b | 1:2.0 | - | - | uncomparable',
    ],
    [
      'any version, one stated beside',
      { cpe: 'cpe:2.3:a:a:b:*:*:*:*:*:*:*:*', version: '2' },
      'cpe | a:a:b | 2 | - | - | covered',
    ],
    [
      'a port of vcpkg, as Syft writes it',
      {
        purl: 'pkg:vcpkg/curl@7.74.0?port_revision=2',
        cpe: String.raw`cpe:2.3:a:curl:curl:7.74.0\#2:*:*:*:*:*:*:*`,
        version: '7.74.0#2',
      },
      'cpe | a:curl:curl | 7.74.0 | - | - | covered',
    ],
    [
      'the version of a port beside two CPEs',
      {
        cpe: 'cpe:2.3:a:a:b:1.0:*:*:*:*:*:*:*',
        otherCpes: [String.raw`cpe:2.3:a:a:b:7.74.0\#2:*:*:*:*:*:*:*`],
        version: '7.74.0#2',
      },
      'cpe | a:a:b | 7.74.0 | - | - | covered',
    ],
    [
      'the version of a port alone',
      { cpe: 'cpe:2.3:a:a:b:*', version: '7.74.0#12' },
      'cpe | a:a:b | 7.74.0 | - | - | covered',
    ],
    [
      'a number sign inside',
      { cpe: String.raw`cpe:2.3:a:a:b:1\#2a`, version: '1' },
      'cpe | a:a:b | 1#2a | - | - | uncomparable',
    ],
    ['any version', { cpe: 'cpe:2.3:a:a:b:*:*:*:*:*:*:*:*' }, 'cpe | a:a:b | - | - | - | no_version'],
    [
      'any vendor',
      { cpe: 'cpe:2.3:a:*:b:1:*:*:*:*:*:*:*', version: '1' },
      '- | library//thing | 1 | ? | - | not_covered',
    ],
    ['no CPE', { cpe: 'nonsense', group: 'g', type: null }, '- | /g/thing | - | ? | - | not_covered'],
    [
      'firmware',
      { cpe: 'cpe:2.3:o:acme:pump_firmware:2.1:*:*:*:*:*:*:*', type: 'firmware' },
      'cpe | o:acme:pump_firmware | 2.1 | - | - | covered',
    ],
    [
      'a distribution as a whole',
      {
        cpe: 'cpe:2.3:o:debian:debian_linux:11:*:*:*:*:*:*:*',
        type: 'operating-system',
        name: 'debian',
        version: '11',
      },
      '- | operating-system//debian | 11 | ? | - | not_covered',
    ],
  ])('%s', (_rule, fields, expected) => {
    expect(identityRow(identify(thing(fields), noSurroundings))).toBe(expected)
  })

  it('compares by the generic order', () => {
    const { scheme, versionKey, reason } = identify(thing({ cpe }), noSurroundings)
    expect([scheme, reason]).toEqual(['generic', null])
    expect(versionKey).toEqual(genericKey('generic', '1.1.1k'))
  })

  it('says why a version has no place in the order', () => {
    const { versionKey, reason } = identify(thing({ cpe: 'cpe:2.3:a:a:b:trunk' }), noSurroundings)
    expect([versionKey, reason]).toEqual([
      null,
      'The version of a product named by CPE has no certain order.',
    ])
  })

  it('says what identified the component', () => {
    const bases = [{ cpe }, { purl: 'pkg:generic/a' }, {}].map(
      (fields) => identify(thing(fields), noSurroundings).basis,
    )
    expect(bases).toEqual(['cpe', 'purl', 'name'])
  })
})

describe('identityHash', () => {
  const hashOf = (purl: string): string => identityHash(ofPurl(purl))

  it('tells a CPE that leaves the version to the component from one that names it', () => {
    const complete = identify(thing({ cpe: 'cpe:2.3:a:openssl:openssl:1.1.1k' }), noSurroundings)
    const versionless = identify(
      thing({ cpe: 'cpe:2.3:a:openssl:openssl:*', version: '1.1.1k' }),
      noSurroundings,
    )
    expect([complete.basis, complete.version]).toEqual(['cpe', '1.1.1k'])
    expect([versionless.basis, versionless.version]).toEqual(['guessed_cpe', '1.1.1k'])
    expect(identityHash(versionless)).not.toBe(identityHash(complete))
  })

  it('is UUID text of 128 bits and does not move', () => {
    expect(hashOf('pkg:npm/a@1.0.0')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(hashOf('pkg:npm/a@1.0.0')).toBe('cb7ec7b1-3247-78d6-81f8-2218b60b4266')
  })

  it('is equal for what matches alike', () => {
    const debian = 'pkg:deb/debian/libssl1.1@1.1.1n-0+deb11u3?upstream=openssl&distro=debian-11'
    expect(hashOf(debian)).toBe(
      hashOf('pkg:deb/debian/openssl@1.1.1n-0+deb11u3?arch=arm64&upstream=openssl&distro=debian-11.6'),
    )
    expect(hashOf('pkg:npm/a@1.0.0')).toBe(hashOf('pkg:npm/a@1.0.0?arch=x64#sub'))
    expect(hashOf('pkg:rpm/centos/bash@1?distro=centos-7')).toBe(hashOf('pkg:rpm/centos/bash@1'))
    expect(hashOf('pkg:rpm/ol/bash@1?distro=ol-8.7')).toBe(hashOf('pkg:rpm/oracle/bash@1?distro=oracle-8.10'))
  })

  it.each([
    ['pkg:npm/a@1.0.0', 'pkg:npm/a@1.0.1'],
    ['pkg:npm/a@1.0.0', 'pkg:npm/b@1.0.0'],
    ['pkg:npm/a@1.0.0', 'pkg:cargo/a@1.0.0'],
    ['pkg:npm/a', 'pkg:conda/a'],
    ['pkg:npm/a@1.0.0', 'pkg:npm/a@1.0.0?repository_url=https%3A%2F%2Fnpm.acme.example'],
    ['pkg:deb/debian/a@1?distro=debian-11', 'pkg:deb/debian/a@1?distro=debian-12'],
    ['pkg:deb/debian/a@1?distro=debian-11', 'pkg:deb/debian/a@1'],
    ['pkg:rpm/redhat/a@1-1.el8', 'pkg:rpm/redhat/a@1-1.el8?repository_id=x-eus-y__8_DOT_4'],
  ])('differs between %s and %s', (a, b) => {
    expect(hashOf(a)).not.toBe(hashOf(b))
  })

  it('tells that everything else is equal too', () => {
    const part = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)
    const purls = fc
      .tuple(
        part(
          'npm/a',
          'deb/debian/a',
          'deb/debian/b',
          'rpm/rocky/a',
          'rpm/redhat/a',
          'rpm/ol/a',
          'conda/a',
          'apk/alpine/a',
        ),
        part('', '@1', '@1-1.el8', '@1:1-1.el8', '@1-1.module+el8.4', '@latest', '@???', '@1-1+deb11u1'),
        part('', 'distro=debian-11', 'distro=rocky-8', 'distro=3.16', 'epoch=1'),
        part('', 'upstream=a', 'upstream=b@1-1', 'upstream=a-1-1.el8.src.rpm', 'upstream=a-2-1.el8.src.rpm'),
      )
      .map(([path, version, distro, upstream]) => `pkg:${path}${version}?${distro}&${upstream}`)
    const seen = new Map<string, ComponentIdentity>()
    fc.assert(
      fc.property(purls, (purl) => {
        const identity = ofPurl(purl)
        const first = seen.get(identityHash(identity)) ?? identity
        seen.set(identityHash(identity), first)
        expect(identity).toEqual(first)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('identify on hostile input', () => {
  it('never throws and never writes a key that PostgreSQL could not hold', () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string(), fc.constantFrom('pkg:', 'unknown'))
    const purl = fc
      .tuple(
        fc.constantFrom('npm', 'deb/debian', 'rpm/rocky', 'apk/alpine', 'golang', 'maven', 'x'),
        text,
        text,
        text,
      )
      .map(
        ([type, name, version, rest]) =>
          `pkg:${type}/${encodeURIComponent(name.toWellFormed())}@${version}?distro=${rest}&upstream=${rest}`,
      )
    fc.assert(
      fc.property(
        fc.option(fc.oneof(purl, text)),
        fc.option(text),
        text,
        text,
        (purlText, cpe, name, version) => {
          const identity = identify(thing({ purl: purlText, cpe, name, version }), {
            ...noSurroundings,
            operatingSystem: { name, version },
          })
          expect(/\p{Cc}/u.test(identity.packageKey?.replace('\u001f', '') ?? '')).toBe(false)
          expect(Buffer.byteLength(identity.packageKey ?? '')).toBeLessThan(2000)
          expect(identityHash(identity)).toHaveLength(36)
        },
      ),
      { numRuns: 1000 },
    )
  })
})
