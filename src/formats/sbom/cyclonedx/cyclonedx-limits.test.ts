import { describe, expect, it } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { defectsOf, library, readCyclonedxOf as read, refusalOf, type Fields } from '../sample-documents.ts'

describe('limits', () => {
  const many = (count: number) => Array.from({ length: count }, () => library())

  it('50 000 components are read, wherever they are', () => {
    const parts = many(limits.components / 2 - 1)
    expect(
      read({ components: [library({ components: parts }), ...many(limits.components / 2)] }).components,
    ).toHaveLength(limits.components)
  })

  it.each<[string, Fields]>([
    ['in one list', { components: many(limits.components + 1) }],
    ['nested', { components: [library({ components: many(limits.components) })] }],
    [
      'in the product and beside it',
      { metadata: { component: { components: many(1) } }, components: many(limits.components) },
    ],
    [
      'before their structure is judged',
      { components: Array.from({ length: limits.components + 1 }, () => ({})) },
    ],
  ])('one more is refused: %s', (_name, fields) => {
    expect(refusalOf(() => read(fields))).toBe('too_many_components')
  })

  it('texts are cleaned and cut', () => {
    const long = '\u0000x'.repeat(5_000)
    const [component] = read({
      components: [
        {
          type: long,
          'bom-ref': long,
          name: long,
          group: long,
          version: long,
          purl: long,
          cpe: long,
          licenses: [{ license: { name: long } }],
          supplier: { name: long },
        },
      ],
    }).components
    const lengths = Object.fromEntries(
      Object.entries(component ?? {}).map(([key, value]) => [
        key,
        typeof value === 'string' ? value.length : value,
      ]),
    )
    expect(lengths).toEqual({
      ref: 2_000,
      type: 500,
      group: 500,
      name: 500,
      version: 200,
      purl: 2_000,
      otherPurls: [],
      cpe: 500,
      licence: 4_000,
      supplier: 500,
      hashes: [],
      source: null,
    })
    expect(component?.name).toBe('x'.repeat(500))
  })

  it('a purl that is too long loses its last qualifiers, so that it can still be read', () => {
    const purl = `pkg:npm/left@1.0.0?arch=x64&download_url=${encodeURIComponent('https://example.com/?'.repeat(100))}`
    const evidence = { identity: [{ field: 'purl', concludedValue: purl.replace('left', 'right') }] }
    const [component] = read({ components: [library({ purl, evidence })] }).components
    expect(component).toMatchObject({
      purl: 'pkg:npm/left@1.0.0?arch=x64',
      otherPurls: ['pkg:npm/right@1.0.0?arch=x64'],
    })
  })

  it('the licences of a package of Debian are whole', () => {
    const licenses = Array.from({ length: 30 }, (_, place) => ({
      license: { name: `A licence of its own ${place}` },
    }))
    const [component] = read({ components: [library({ licenses })] }).components
    expect(component?.licence?.split(', ')).toHaveLength(30)
  })

  it('of each component the first eight hashes are kept', () => {
    const hashes = Array.from({ length: 20 }, () => ({ alg: 'MD5', content: 'a'.repeat(32) }))
    expect(read({ components: [library({ hashes })] }).components[0]?.hashes).toHaveLength(8)
  })

  it('200 000 dependencies are kept', () => {
    const components = Array.from({ length: 500 }, (_, index) => library({ 'bom-ref': `${index}` }))
    const refs = components.map((component) => component['bom-ref'])
    const document = read({ components, dependencies: refs.map((ref) => ({ ref, dependsOn: refs })) })
    expect(document.dependencies).toHaveLength(200_000)
    expect(defectsOf(document)).toHaveProperty('dependencies_cut')
  })
})
