import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call } from '../support/http.ts'
import { startInnerService, type InnerService } from '../support/inner-service.ts'
import { readAs } from '../support/read-as.ts'

const root = join(import.meta.dirname, '../..')
/** In CI: npm vulnerability data (a file or folder for `vulnerabilities import`); otherwise a small sample. */
const data = process.env['VULNERABILITY_DATA'] ?? join(root, 'demo/vulnerabilities.ndjson')

let database: TestDatabase
let service: InnerService
let tokens: { upload: string; results: string }

type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

beforeAll(async () => {
  database = await createTestDatabase()
  service = await startInnerService({ DATABASE_URL: database.url })
  await service.cli(['vulnerabilities', 'import', '--complete', data])
  const { workspaces } = await service.cli<Provisioned>(['provision'], {
    workspaces: [
      {
        slug: 'own',
        companyName: 'Own',
        securityContactEmail: 'security@own.example',
        plan: 'core',
        families: [
          {
            name: 'The service',
            tokens: [
              { name: 'ci', kind: 'upload' },
              { name: 'gate', kind: 'results' },
            ],
          },
        ],
      },
    ],
  })
  const [upload, results] = workspaces[0]?.families[0]?.tokens ?? []
  tokens = { upload: upload?.token ?? '', results: results?.token ?? '' }
}, 300_000)
afterAll(async () => {
  await service.stop()
  await database.drop()
})

type Lock = { packages: Record<string, { version?: string; dev?: boolean }> }
type Sbom = { components: { name: string; version: string; purl: string }[] }

test('the service takes its own SBOM, knows every package that it ships with, and says what is known of them', async () => {
  const { status, stdout } = spawnSync('npm', ['run', '-s', 'sbom'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 32 * 1024 * 1024,
  })
  expect(status).toBe(0)
  const { components } = JSON.parse(stdout) as Sbom
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const shipped = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version = '' }]) => `${path.split('node_modules/').at(-1) ?? ''}@${version}`)
  expect(new Set(components.map(({ name, version }) => `${name}@${version}`))).toEqual(new Set(shipped))

  const sent = await call(`${service.baseUrl}/api/v1/sboms`, {
    method: 'POST',
    token: tokens.upload,
    headers: { 'Content-Type': 'application/json' },
    body: stdout,
  })
  expect(sent).toMatchObject({ status: 202, body: { components: components.length } })
  const { id } = readAs(SbomReceipt, sent.body)
  let result: SbomResult
  do {
    const answer = await call(`${service.baseUrl}/api/v1/sboms/${id}?wait=30`, { token: tokens.results })
    result = readAs(SbomResult, answer.body)
  } while (result.status === 'parsed')
  expect(result).toMatchObject({ status: 'matched' })
  const { total, exploited, coverage } = result.matches
  expect(coverage.covered).toBeGreaterThan(100)
  console.log(
    `own SBOM: ${components.length} components, ${coverage.covered} could be judged, ${total} findings, ${exploited} exploited`,
  )
  expect(exploited).toBe(0)
})
