import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSbom } from '../../src/formats/sbom/read-sbom.ts'
import { selectPaths } from '../../src/sbom/components/component-paths.ts'
import { storeSbom } from '../../src/sbom/store-sbom.ts'
import { uploadDetails } from '../../src/sbom/upload-details.ts'
import { createCompany, createFamilyToken, type Company } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase
let company: Company

beforeAll(async () => {
  database = await createTestDatabase()
  company = await createCompany(database.db, 'acme')
})
afterAll(() => database.drop())

async function store(product: string, dependencies: Record<string, string[]>): Promise<void> {
  const { id: tokenId } = await createFamilyToken(database.db, company)
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { type: 'application', name: product, 'bom-ref': 'root' } },
    components: ['web', 'json', 'log'].map((name) => ({
      type: 'library',
      name,
      version: '1',
      'bom-ref': name,
    })),
    dependencies: Object.entries(dependencies).map(([ref, dependsOn]) => ({ ref, dependsOn })),
  }
  const body = Buffer.from(JSON.stringify(document))
  await storeSbom(
    database.db,
    {
      sender: { ...company, tokenId, name: 'ci' },
      details: uploadDetails({
        productVersion: null,
        source: null,
        commit: null,
        branch: null,
        repository: null,
        runUrl: null,
      }),
      contentEncoding: undefined,
      requestId: 'test',
      address: '127.0.0.1',
    },
    { body, sha256: hash('sha256', body, 'buffer'), sizeBytes: body.length, document: readSbom(body) },
    { clock: () => testNow, storeBeside: () => Promise.resolve() },
  )
}

async function ways(): Promise<Record<string, string>> {
  const components = await database.db.selectFrom('component').select(['number', 'name']).execute()
  const slot = { ...company, versionId: null }
  const paths = await selectPaths(
    database.db,
    slot,
    components.map(({ number }) => number),
  )
  return Object.fromEntries(
    components.map(({ number, name }) => [
      name,
      paths
        .get(number)
        ?.map((step) => `${step.name} ${step.version}`)
        .join(', ') ?? 'not said',
    ]),
  )
}

it('tells through which components one comes into the product, by the active SBOM', async () => {
  await store('first', { root: ['web'], web: ['json'], json: ['log'] })
  expect(await ways()).toEqual({ web: '', json: 'web 1', log: 'web 1, json 1' })
  await store('second', { root: ['log'] })
  expect(await ways()).toEqual({ web: 'not said', json: 'not said', log: '' })
})
