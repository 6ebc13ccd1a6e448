import { describe, expect, it } from 'vitest'
import { readSbom } from './read-sbom.ts'

/** Sources that a document lists as components of their own, as debsbom and Red Hat do. */

const lib = 'pkg:deb/debian/libssl3@3.0.11-1?arch=amd64&distro=debian-12'
const openssl = 'pkg:deb/debian/openssl@3.0.11-1?arch=source&distro=debian-12'
const golang = 'pkg:deb/debian/golang-1.19@1.19.8-2?arch=source'

type Link = [from: string, type: string, to: string, comment?: string]

function sourceIn(format: 'SPDX' | 'CycloneDX', purls: Record<string, string>, links: Link[]) {
  const body = format === 'SPDX' ? spdx(purls, links) : cyclonedx(purls, links)
  const { components } = readSbom(Buffer.from(JSON.stringify(body)))
  return components.find(({ name }) => name === 'lib')?.source
}

function spdx(purls: Record<string, string>, links: Link[]) {
  return {
    spdxVersion: 'SPDX-2.3',
    packages: Object.entries(purls).map(([name, purl]) => ({
      SPDXID: `SPDXRef-${name}`,
      name,
      externalRefs: [{ referenceType: 'purl', referenceLocator: purl }],
    })),
    relationships: links.map(([from, relationshipType, to, comment]) => ({
      spdxElementId: `SPDXRef-${from}`,
      relationshipType,
      relatedSpdxElement: `SPDXRef-${to}`,
      comment,
    })),
  }
}

function cyclonedx(purls: Record<string, string>, links: Link[]) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: Object.entries(purls).map(([name, purl]) => ({
      type: 'library',
      'bom-ref': name,
      name,
      purl,
    })),
    dependencies: [{ ref: 'lib', dependsOn: links.map(([, , to]) => to) }],
  }
}

const source = { name: 'openssl', version: '3.0.11-1', epoch: null }

describe('the source of a package', () => {
  it.each<[rule: string, purls: Record<string, string>, links: Link[], expected: unknown]>([
    ['generates it', { lib, openssl }, [['openssl', 'GENERATES', 'lib']], source],
    ['is what it was generated from', { lib, openssl }, [['lib', 'GENERATED_FROM', 'openssl']], source],
    [
      'is not what was only used in the build',
      { lib, openssl, golang },
      [
        ['openssl', 'GENERATES', 'lib'],
        ['lib', 'GENERATED_FROM', 'golang', 'built-using'],
      ],
      source,
    ],
    [
      'is not told by several',
      { lib, openssl, golang },
      [
        ['openssl', 'GENERATES', 'lib'],
        ['golang', 'GENERATES', 'lib'],
      ],
      null,
    ],
    ['is no other package', { lib, openssl: lib }, [['openssl', 'GENERATES', 'lib']], null],
    ['is told by no other relationship', { lib, openssl }, [['lib', 'DEPENDS_ON', 'openssl']], null],
    [
      'is what it states itself',
      { lib: `${lib}&upstream=other`, openssl },
      [['openssl', 'GENERATES', 'lib']],
      null,
    ],
    [
      'has its own epoch',
      {
        lib: 'pkg:rpm/rocky/openssl-libs@3.0.7-24.el9?arch=x86_64&epoch=1',
        openssl: 'pkg:rpm/rocky/openssl@3.0.7-24.el9?arch=src&epoch=1',
      },
      [['lib', 'GENERATED_FROM', 'openssl']],
      { name: 'openssl', version: '3.0.7-24.el9', epoch: '1' },
    ],
  ])('in SPDX %s', (_, purls, links, expected) => {
    expect(sourceIn('SPDX', purls, links)).toEqual(expected)
  })

  it('in CycloneDX is the one source that it depends on', () => {
    expect(sourceIn('CycloneDX', { lib, openssl }, [['lib', '', 'openssl']])).toEqual(source)
    const both: Link[] = [
      ['lib', '', 'openssl'],
      ['lib', '', 'golang'],
    ]
    expect(sourceIn('CycloneDX', { lib, openssl, golang }, both)).toBeNull()
  })
})
