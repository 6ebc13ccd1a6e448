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
  const isCut = hints.some(({ code, pointer }) => code === 'purls_left_out' && pointer === '/packages/0')
  return { purl: component?.purl, otherPurls: component?.otherPurls, cpe: component?.cpe, isCut }
}

describe('the references of a package', () => {
  it('the first package URL is the component’s, the others name it as well', () => {
    expect(
      read([
        ['purl', 'pkg:npm/left@1.0'],
        ['http://spdx.org/rdf/references/purl', 'pkg:pypi/left@1.0'],
      ]),
    ).toMatchObject({ purl: 'pkg:npm/left@1.0', otherPurls: ['pkg:pypi/left@1.0'], isCut: false })
  })

  it('the same one twice counts once', () => {
    expect(
      read([
        ['purl', 'pkg:npm/left@1.0'],
        ['purl', ' pkg:npm/left@1.0'],
      ]),
    ).toMatchObject({ purl: 'pkg:npm/left@1.0', otherPurls: [] })
  })

  it('of many twenty further ones are kept, and a hint says so', () => {
    const references = Array.from({ length: 22 }, (_, at): [string, string] => ['purl', `pkg:npm/left@${at}`])
    const { otherPurls, isCut } = read(references)
    expect([otherPurls?.length, isCut]).toEqual([20, true])
    expect(read(references.slice(1)).isCut).toBe(false)
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
    ).toEqual({ purl: 'pkg:npm/left@1.0', otherPurls: [], cpe: 'cpe:/a:left:left:1.0', isCut: false })
  })

  it('where none can be read, the first one is shown', () => {
    expect(read([['purl', 'left@1.0']])).toEqual({
      purl: 'left@1.0',
      otherPurls: [],
      cpe: null,
      isCut: false,
    })
  })

  it.each([
    ['npm', 'http-server@0.3.0', 'pkg:npm/http-server@0.3.0'],
    ['npm', '@angular/core@12.0.0', 'pkg:npm/%40angular/core@12.0.0'],
    ['npm', 'http-server', 'pkg:npm/http-server'],
    [
      'http://spdx.org/rdf/references/maven-central',
      'org.apache.tomcat:tomcat:9.0.0.M4',
      'pkg:maven/org.apache.tomcat/tomcat@9.0.0.M4',
    ],
    ['nuget', 'Microsoft.AspNet.MVC/5.0.0', 'pkg:nuget/Microsoft.AspNet.MVC@5.0.0'],
    ['npm', 'a b', null],
    ['maven-central', 'tomcat', null],
    ['bower', 'modernizr#2.6.2', null],
    ['advisory', 'https://example.com/@1', null],
  ])('a reference of the type %s, %s, means %s', (type, locator, purl) => {
    expect(read([[type, locator]]).purl).toBe(purl)
  })

  it('a package URL goes before it', () => {
    expect(
      read([
        ['npm', 'right@1.0'],
        ['purl', 'pkg:npm/left@1.0'],
      ]),
    ).toMatchObject({ purl: 'pkg:npm/left@1.0', otherPurls: [] })
  })
})
