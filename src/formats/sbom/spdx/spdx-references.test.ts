import { describe, expect, it } from 'vitest'
import { readSbom } from '../read-sbom.ts'

const read = (references: [type: string, locator: string][]) => {
  const externalRefs = references.map(([referenceType, referenceLocator]) => ({
    referenceType,
    referenceLocator,
  }))
  const packages = [{ SPDXID: 'SPDXRef-1', name: 'left', versionInfo: '1.0', externalRefs }]
  const { components, hints } = readSbom(Buffer.from(JSON.stringify({ spdxVersion: 'SPDX-2.3', packages })))
  const [component] = components
  const isSeveral = hints.some(({ code, pointer }) => code === 'several_purls' && pointer === '/packages/0')
  return { purl: component?.purl, cpe: component?.cpe, isSeveral }
}

describe('the references of a package', () => {
  it('several package URLs are a hint, because only the first one is matched', () => {
    expect(
      read([
        ['purl', 'pkg:npm/left@1.0'],
        ['http://spdx.org/rdf/references/purl', 'pkg:pypi/left@1.0'],
      ]),
    ).toMatchObject({ purl: 'pkg:npm/left@1.0', isSeveral: true })
  })

  it('the same one twice is none', () => {
    expect(
      read([
        ['purl', 'pkg:npm/left@1.0'],
        ['purl', ' pkg:npm/left@1.0'],
      ]),
    ).toMatchObject({ purl: 'pkg:npm/left@1.0', isSeveral: false })
  })

  it('one that can be read goes before one that cannot', () => {
    expect(
      read([
        ['purl', ''],
        ['purl', 'left@1.0'],
        ['purl', 'pkg:npm/left@1.0'],
        ['cpe23Type', 'a:left:left:1.0'],
        ['cpe22Type', 'cpe:/a:left:left:1.0'],
      ]),
    ).toEqual({ purl: 'pkg:npm/left@1.0', cpe: 'cpe:/a:left:left:1.0', isSeveral: true })
  })

  it('where none can be read, the first one is shown', () => {
    expect(read([['purl', 'left@1.0']])).toEqual({ purl: 'left@1.0', cpe: null, isSeveral: false })
  })
})
