import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identify } from '../../src/identities/identify.ts'
import { surroundingsIn } from '../../src/identities/surroundings.ts'
import { readSbom } from '../../src/formats/sbom/read-sbom.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { loadRecords, matchesIn } from './match-support.ts'

const external = (fields: Record<string, unknown>) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.7',
  components: [{ type: 'library', name: 'pump', isExternal: true, ...fields }],
})

function stateOf(fields: Record<string, unknown>): string {
  const document = readSbom(Buffer.from(JSON.stringify(external(fields))))
  const [component] = document.components
  if (component === undefined) throw new Error('no component was read')
  const { decidability, version, reason } = identify(component, surroundingsIn(document))
  return [decidability, version, reason].filter((text) => text !== null && text !== '').join(' | ')
}

describe('what the environment provides', () => {
  it.each<[rule: string, fields: Record<string, unknown>, expected: string]>([
    [
      'a range',
      { purl: 'pkg:npm/pump', versionRange: 'vers:npm/>=2.0.0|<3.0.0' },
      'covered | vers:npm/>=2.0.0|<3.0.0',
    ],
    ['a version', { purl: 'pkg:npm/pump@1.0.0' }, 'covered | 1.0.0'],
    [
      'a version counts before a range',
      { version: '1.0.0', purl: 'pkg:npm/pump', versionRange: 'vers:npm/*' },
      'covered | 1.0.0',
    ],
    [
      'neither',
      { purl: 'pkg:npm/pump' },
      'not_covered | The environment provides the component, and the document states neither its version nor a range.',
    ],
    [
      'a range of another order',
      { purl: 'pkg:npm/pump', versionRange: 'vers:pypi/>=1' },
      'uncomparable | vers:pypi/>=1 | The range of versions cannot be read by the semver rules.',
    ],
    [
      'a range too long to keep',
      { purl: 'pkg:npm/pump', versionRange: `vers:npm/${'1.0.0|'.repeat(100)}2.0.0` },
      'not_covered | The environment provides the component, and the document states neither its version nor a range.',
    ],
  ])('%s', (_, fields, expected) => {
    expect(stateOf(fields)).toBe(expected)
  })
})

describe('a range of versions', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
    const affected = (ecosystem: string, name: string, type: string) => ({
      package: { ecosystem, name },
      ranges: [{ type, events: [{ introduced: '1.0.0' }, { fixed: '2.0.0' }] }],
      versions: ['3.1.0'],
    })
    await loadRecords(
      database.db,
      { id: 'GHSA-1', modified: '2025-06-01T00:00:00Z', affected: [affected('npm', 'pump', 'SEMVER')] },
      {
        id: 'GHSA-2',
        modified: '2025-06-01T00:00:00Z',
        affected: [affected('Maven', 'acme:pump', 'ECOSYSTEM')],
      },
    )
  })
  afterAll(() => database.drop())

  it.each<[purl: string, versionRange: string, expected: string[]]>([
    ['pkg:npm/pump', 'vers:npm/>=1.5.0|<3.0.0', ['GHSA-1 possible version_range']],
    ['pkg:npm/pump', 'vers:npm/>=2.0.0|<3.0.0', []],
    ['pkg:npm/pump', 'vers:npm/<1.0.0', []],
    ['pkg:npm/pump', 'vers:npm/>=3.0.0', ['GHSA-1 possible version_range']],
    ['pkg:npm/pump', 'vers:npm/*', ['GHSA-1 possible version_range']],
    ['pkg:maven/acme/pump', 'vers:maven/>=1.5', ['GHSA-2 possible version_range']],
    ['pkg:maven/acme/pump', 'vers:maven/>=2.0.0|<3', []],
  ])('%s %s', async (purl, versionRange, expected) => {
    expect(await matchesIn(database.db, external({ purl, versionRange }))).toEqual(expected)
  })
})
