import { describe, expect, it } from 'vitest'
import { defectsOf, library, readCyclonedxOf as read, type Fields } from './sample-documents.ts'

describe('the operating system', () => {
  const system = (name: string, version: string | undefined, properties: Record<string, string> = {}) => ({
    type: 'operating-system',
    name,
    version,
    properties: Object.entries(properties).map(([key, value]) => ({ name: key, value })),
  })
  it.each<[string, Fields, unknown]>([
    ['none', { components: [library()] }, null],
    ['a component', { components: [system('debian', '12.5')] }, { name: 'debian', version: '12.5' }],
    ['without a version', { components: [system('wolfi', undefined)] }, { name: 'wolfi', version: null }],
    [
      "syft's own words",
      {
        components: [
          system('Alpine Linux', '3', { 'syft:distro:id': 'alpine', 'syft:distro:versionID': '3.19.1' }),
        ],
      },
      { name: 'alpine', version: '3.19.1' },
    ],
    [
      'the same one twice',
      { components: [system('debian', '12'), system('debian', '12')] },
      { name: 'debian', version: '12' },
    ],
    ['different ones', { components: [system('debian', '12'), system('alpine', '3.19')] }, null],
    ['the product', { metadata: { component: system('rhel', '9.4') } }, { name: 'rhel', version: '9.4' }],
    [
      'a component before the product',
      { metadata: { component: system('rhel', '9.4') }, components: [system('debian', '12')] },
      { name: 'debian', version: '12' },
    ],
  ])('%s', (_name, fields, expected) => {
    expect(read(fields).operatingSystem).toEqual(expected)
  })

  it('several different ones are hinted at', () => {
    const document = read({ components: [system('debian', '12'), system('alpine', '3.19')] })
    expect(defectsOf(document)).toEqual({ several_operating_systems: '1 /components/1' })
  })
})
