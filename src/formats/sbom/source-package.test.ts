import { describe, expect, it } from 'vitest'
import { library, readCyclonedxOf as read } from './sample-documents.ts'

describe('the source package that a generator records', () => {
  const trivy = 'aquasecurity:trivy:'
  const syft = 'syft:metadata:'
  it.each<[string, Record<string, unknown>, unknown]>([
    ['nothing', { 'cdx:npm:package:path': 'x' }, null],
    [
      'Trivy',
      {
        [`${trivy}SrcName`]: 'openssl',
        [`${trivy}SrcVersion`]: '3.0.2',
        [`${trivy}SrcRelease`]: '0ubuntu1',
        [`${trivy}SrcEpoch`]: '1',
      },
      { name: 'openssl', version: '3.0.2-0ubuntu1', epoch: '1' },
    ],
    [
      'Trivy without release',
      { [`${trivy}SrcName`]: 'zlib', [`${trivy}SrcVersion`]: '1.3' },
      { name: 'zlib', version: '1.3', epoch: null },
    ],
    [
      'Trivy, name only',
      { [`${trivy}SrcName`]: 'zlib', [`${trivy}SrcRelease`]: '1' },
      { name: 'zlib', version: null, epoch: null },
    ],
    [
      'an epoch that is no number',
      { [`${trivy}SrcName`]: 'zlib', [`${trivy}SrcEpoch`]: 'x' },
      { name: 'zlib', version: null, epoch: null },
    ],
    [
      'syft, Debian',
      { [`${syft}source`]: 'libcap2', [`${syft}sourceVersion`]: '1:2.32-1' },
      { name: 'libcap2', version: '2.32-1', epoch: '1' },
    ],
    [
      'syft, Alpine',
      { [`${syft}originPackage`]: 'openssl' },
      { name: 'openssl', version: null, epoch: null },
    ],
    [
      'syft, RPM',
      { [`${syft}sourceRpm`]: 'java-1.8.0-openjdk-1.8.0.392.b08-4.el8.src.rpm' },
      { name: 'java-1.8.0-openjdk', version: '1.8.0.392.b08-4.el8', epoch: null },
    ],
    ['no source RPM', { [`${syft}sourceRpm`]: '(none)' }, null],
    ['a source RPM without version', { [`${syft}sourceRpm`]: 'a-1.src.rpm' }, null],
    ['a source RPM without name', { [`${syft}sourceRpm`]: '-1-1.src.rpm' }, null],
    ['values of the wrong kind', { [`${trivy}SrcName`]: 1, [`${syft}source`]: '' }, null],
  ])('%s', (_name, properties, expected) => {
    const list = Object.entries(properties).map(([name, value]) => ({ name, value }))
    expect(read({ components: [library({ properties: list })] }).components[0]?.source).toEqual(expected)
  })

  it('the first of repeated properties counts', () => {
    const properties = ['first', 'second'].map((value) => ({ name: `${syft}originPackage`, value }))
    expect(read({ components: [library({ properties })] }).components[0]?.source).toMatchObject({
      name: 'first',
    })
  })
})
