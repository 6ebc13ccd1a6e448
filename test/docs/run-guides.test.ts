import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { VexReceipt } from '../../src/contract/vex/shapes.ts'
import { sampleVex } from '../support/sample-vex.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startInnerService, type InnerService } from '../support/inner-service.ts'
import { readAs } from '../support/read-as.ts'
import { portOf } from '../support/port-of.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'guides-'))
const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)
const hasJq = await run('jq', ['--version']).then(
  () => true,
  () => false,
)

let database: TestDatabase
let service: InnerService
let upload = ''
let results = ''

type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

beforeAll(async () => {
  database = await createTestDatabase()
  service = await startInnerService({ DATABASE_URL: database.url })
  await service.cli(['vulnerabilities', 'import', '--complete', join(root, 'demo/vulnerabilities.ndjson')])
  const tokens = [
    { name: 'ci', kind: 'upload' },
    { name: 'gate', kind: 'results' },
  ]
  const workspace = { slug: 'acme', companyName: 'Acme', securityContactEmail: 'security@acme.example' }
  const { workspaces } = await service.cli<Provisioned>(['provision'], {
    workspaces: [{ ...workspace, plan: 'core', families: [{ name: 'Pump', tokens }] }],
  })
  const [first, second] = workspaces[0]?.families[0]?.tokens ?? []
  upload = first?.token ?? ''
  results = second?.token ?? ''
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(root, name), join(folder, name))
}, 300_000)
afterAll(async () => {
  await service.stop()
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** The shell code of a guide, with placeholder addresses and tokens replaced by those of this service. */
function blocksOf(guide: string): string[] {
  const text = readFileSync(join(root, 'docs', guide), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = '']) =>
    code
      .replace(/SBOM_MONITOR_RESULTS_TOKEN=svc_…/, `SBOM_MONITOR_RESULTS_TOKEN=${results}`)
      .replaceAll('svc_…', upload)
      .replaceAll('https://monitor.example.com', service.baseUrl),
  )
}

/** The client of this checkout, where a guide downloads it from the reader's own server. */
const client = `${process.execPath} ${join(root, 'client/src/main.ts')}`

async function shell(code: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run('sh', ['-euc', code], { cwd: folder, env: { ...process.env, ...env } })
  return stdout
}

const stored = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))

test.skipIf(!hasCurl)('the first upload works as it is written (needs curl)', async () => {
  const blocks = blocksOf('first-upload.md')
  expect(blocks).toHaveLength(5)
  const output = await shell(blocks.join('\n'))
  const receipt = readAs(SbomReceipt, stored('receipt.json'))
  expect(receipt).toMatchObject({ status: 'parsed', version: '2.4.1', duplicate: false })
  expect(output).toContain('"duplicate":true')
  const result = readAs(SbomResult, stored('result.json'))
  expect(result).toMatchObject({ id: receipt.id, status: 'matched' })
  expect(result.matches.coverage.covered).toBeGreaterThan(100)
})

test.skipIf(!hasCurl || !hasJq)('the gate of plain curl passes and stops (needs curl and jq)', async () => {
  const gate = blocksOf('pipelines.md').find((code) => code.startsWith('jq'))
  if (gate === undefined) throw new Error('the guide has no gate')
  const { matches, ...rest } = readAs(SbomResult, stored('result.json'))
  const judge = (changed: Partial<SbomResult['matches']>) => {
    writeFileSync(
      join(folder, 'result.json'),
      JSON.stringify({ ...rest, matches: { ...matches, ...changed } }),
    )
    return shell(gate).then(
      () => 'passes',
      () => 'stops',
    )
  }
  const bySeverity = { ...matches.bySeverity, critical: 0 }
  expect(await judge({ exploited: 0, bySeverity })).toBe('passes')
  expect(await judge({ exploited: 1, bySeverity })).toBe('stops')
  expect(await judge({ exploited: 0, bySeverity: { ...bySeverity, critical: 2 } })).toBe('stops')
  expect(await judge({ exploited: 0, bySeverity, coverage: { ...matches.coverage, covered: 0 } })).toBe(
    'stops',
  )
})

test.skipIf(!hasCurl)('the guide to VEX sends a document (needs curl)', async () => {
  writeFileSync(join(folder, 'vex.json'), sampleVex(1))
  const receipt = readAs(VexReceipt, JSON.parse(await shell(blocksOf('vex.md').join('\n'))))
  expect(receipt).toMatchObject({ version: '2.4.1', statements: 1, duplicate: false })
})

test.skipIf(!hasCurl)('the guide to Dependency-Track copies and exports a BOM (needs curl)', async () => {
  const asked: string[] = []
  const uuid = '3e671687-395b-41f5-a30f-a58921a69b79'
  const projects = [{ uuid, name: 'pump', version: '2.4.1', lastBomImport: 1 }]
  const platform = createServer((request, response) => {
    const address = request.url ?? ''
    asked.push(`${address.replace(/\?.*/, '')} ${String(request.headers['x-api-key'])}`)
    const isList = address.startsWith('/api/v1/project/')
    response.end(isList ? JSON.stringify(projects) : readFileSync(join(root, 'demo/sample.cdx.json')))
  })
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${portOf(platform)}`
  rmSync(join(folder, 'bom.json.gz'), { force: true })
  const variables = { DEPENDENCY_TRACK_KEY: 'odt_key', PROJECT_ID: uuid, SBOM_MONITOR_TOKEN: upload }
  try {
    const [copying = '', exporting = ''] = blocksOf('dependency-track.md').map((code) =>
      code
        .replaceAll(/https:\/\/dtrack(-api)?\.example\.com/g, address)
        .replace(/npx [^]*? -- \\\s+sbom-monitor/, client),
    )
    expect(await shell(copying, variables)).toMatch(/1 project with a BOM: 1 sent, 0 unchanged, 0 failed/)
    expect(await shell(copying, variables)).toMatch(/0 sent, 1 unchanged/)
    const receipt = readAs(SbomReceipt, JSON.parse(await shell(exporting, variables)))
    expect(receipt).toMatchObject({ components: 15, version: '2.4.1', duplicate: false })
  } finally {
    platform.close()
  }
  const bom = `/api/v1/bom/cyclonedx/project/${uuid} odt_key`
  const list = '/api/v1/project/tag/pump odt_key'
  expect(asked).toEqual([list, bom, list, bom])
})
