import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startInnerService, type InnerService } from '../support/inner-service.ts'
import { fieldOf, listIn, objectIn, readAs } from '../support/read-as.ts'
import { sampleSbom } from '../support/sample-sbom.ts'

const checkout = join(import.meta.dirname, '../..')
const main = join(checkout, 'client/src/main.ts')
const demo = (name: string) => join(checkout, 'demo', name)

type Tokens = { upload: string; results: string }
type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

let database: TestDatabase
let service: InnerService
let folder: string
let pump: Tokens
let valve: Tokens
let readOnly: Tokens

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-'))
  database = await createTestDatabase()
  service = await startInnerService({ DATABASE_URL: database.url })
  for (const name of ['vulnerabilities.ndjson', 'kev.json']) {
    await service.cli(['vulnerabilities', 'import', '--complete', demo(name)])
  }
  const tokens = [
    { name: 'ci', kind: 'upload' },
    { name: 'gate', kind: 'results' },
  ]
  const workspace = (slug: string, plan: string, families: string[]) => ({
    slug,
    companyName: slug,
    securityContactEmail: `security@${slug}.example`,
    plan,
    families: families.map((name) => ({ name, tokens })),
  })
  const made = await service.cli<Provisioned>(['provision'], {
    workspaces: [workspace('acme', 'core', ['Pump', 'Valve']), workspace('lapsed', 'free', ['Pump'])],
  })
  const [acme, lapsed] = made.workspaces
  pump = tokensOf(acme?.families[0])
  valve = tokensOf(acme?.families[1])
  readOnly = tokensOf(lapsed?.families[0])
})

afterAll(async () => {
  await service.stop()
  await database.drop()
  rmSync(folder, { recursive: true })
})

function tokensOf(family: { tokens: { token: string }[] } | undefined): Tokens {
  return { upload: family?.tokens[0]?.token ?? '', results: family?.tokens[1]?.token ?? '' }
}

type Ended = { exitCode: number; out: string; err: string }

/** The client as in a pipeline: its own process, which has only this environment. */
function client(
  args: string[],
  { upload, results }: Partial<Tokens>,
  env: Record<string, string> = {},
): Promise<Ended> {
  const tokens = { SBOM_MONITOR_TOKEN: upload ?? '', SBOM_MONITOR_RESULTS_TOKEN: results ?? '' }
  const options = { env: { SBOM_MONITOR_URL: service.baseUrl, ...tokens, ...env } }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], options, (_error, out, err) => {
      resolve({ exitCode: child.exitCode ?? -1, out, err })
    })
  })
}

function file(name: string, bytes: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

describe('an SBOM with exploited findings', () => {
  it('is stored, matched, and stops the pipeline', async () => {
    const args = ['upload', demo('sample.cdx.json'), '--fail-on', 'exploited,critical', '--json']
    const { exitCode, out, err } = await client(args, pump)
    expect(err).toMatch(/^Stored: \d+ components of version/)
    expect(exitCode).toBe(1)
    const ending = objectIn(out)
    const { exploited, total } = readAs(SbomResult.properties.matches, ending['matches'])
    expect(ending['sbom']).toMatchObject({ status: 'matched', duplicate: false })
    expect(exploited).toBeGreaterThan(0)
    expect(total).toBeGreaterThan(exploited)
    expect(listIn(ending, 'policy', 'hits')).toContainEqual({ term: 'exploited', count: exploited })
  })

  it('sent again is said to be stored already', async () => {
    const { exitCode, out, err } = await client(['upload', demo('sample.cdx.json')], { upload: pump.upload })
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(out).toMatch(/^Already stored: .* \(matched\)\nhttp:\/\/127\.0\.0\.1:\d+\/app\/acme\/sboms\//)
  })

  it('can be waited for with an upload token alone, which shows no counts', async () => {
    const args = ['upload', demo('sample.cdx.json'), '--wait']
    const { exitCode, out } = await client(args, { upload: pump.upload })
    expect(exitCode).toBe(0)
    expect(out).toMatch(/Matched\. What was found is not known here/)
  })
})

it('a VEX document changes what the next look at the SBOM finds', async () => {
  const before = await matchesOf(pump)
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://acme.example/vex/1',
    author: 'Acme',
    timestamp: '2026-01-01T00:00:00Z',
    version: 1,
    statements: [
      {
        vulnerability: { name: 'CVE-2021-44228' },
        products: [{ '@id': 'pkg:maven/org.apache.logging.log4j/log4j-core' }],
        status: 'not_affected',
        justification: 'vulnerable_code_not_in_execute_path',
      },
    ],
  }
  const path = file('vex.json', JSON.stringify(document))
  const { exitCode, out, err } = await client(['vex', path], { upload: pump.upload })
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  expect(out).toMatch(/1 statement/)
  await service.cli(['drain'])
  const after = await matchesOf(pump)
  expect(after).toMatchObject({
    total: before.total - 1,
    exploited: before.exploited - 1,
    notAffected: before.notAffected + 1,
  })
})

async function matchesOf(tokens: Tokens) {
  const { out } = await client(['upload', demo('sample.cdx.json'), '--wait', '--json'], tokens)
  return readAs(SbomResult.properties.matches, fieldOf(objectIn(out), 'matches'))
}

it('passes a policy that nothing meets, and says what was not checked', async () => {
  const path = file('clean.json', sampleSbom({ components: 2, serial: 1, version: '9.9.9' }))
  const { exitCode, out } = await client(['upload', path, '--fail-on', 'any'], valve)
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^Checked {8}\d of 2 components$/m)
  expect(out).toMatch(/^Policy {9}any: nothing found( in the \d of 2 components that were checked)?$/m)
})

it('sends what GitHub Actions says of the run, and the given version', async () => {
  const path = file('github.json', sampleSbom({ components: 1, serial: 2 }))
  const { exitCode } = await client(['upload', path, '--product-version', '3.0 \u03b2'], valve, {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/valve',
    GITHUB_RUN_ID: '7',
    GITHUB_SHA: '9f3c1ab',
    GITHUB_REF: 'refs/heads/gr\u00fcn',
  })
  expect(exitCode).toBe(0)
  const row = await database.db
    .selectFrom('sbom as s')
    .innerJoin('product_version as v', 'v.id', 's.version_id')
    .select(['s.source', 's.commit_id', 's.branch', 's.repository', 's.run_url', 'v.name'])
    .where('s.repository', '=', 'acme/valve')
    .executeTakeFirstOrThrow()
  expect(row).toEqual({
    source: 'hosted_ci',
    commit_id: '9f3c1ab',
    branch: 'gr\u00fcn',
    repository: 'acme/valve',
    run_url: 'https://github.com/acme/valve/actions/runs/7',
    name: '3.0 \u03b2',
  })
})

describe('what the service refuses', () => {
  const wrong = `svc_${'x'.repeat(43)}`

  it.each<[string, () => Partial<Tokens>, () => string, string[], RegExp]>([
    ['a wrong token', () => ({ upload: wrong }), () => demo('sample.cdx.json'), [], /401 unauthorized/],
    ['a read-only workspace', () => readOnly, () => demo('sample.cdx.json'), [], /402 billing_lapsed/],
    ['XML', () => valve, () => file('bom.xml', '<bom/>'), [], /415 xml_unsupported/],
    [
      'another format, with what was found',
      () => valve,
      () => file('old.json', '{"bomFormat":"CycloneDX","specVersion":"1.3"}'),
      [],
      /415 unsupported_format: .*CycloneDX 1\.3/,
    ],
    [
      'a results token of another family',
      () => ({ upload: pump.upload, results: valve.results }),
      () => demo('sample.cdx.json'),
      ['--wait'],
      /404 not_found[^]*another product family/,
    ],
    [
      'an upload token where a results token belongs',
      () => ({ upload: pump.upload, results: pump.upload }),
      () => demo('sample.cdx.json'),
      ['--wait'],
      /401 unauthorized[^]*must be a results token/,
    ],
  ])('%s', async (_name, tokens, path, options, message) => {
    const { exitCode, err, out } = await client(['upload', path(), ...options], tokens())
    expect(err).toMatch(message)
    expect(exitCode).toBe(3)
    expect(out + err).not.toMatch(/svc_[\w-]{43}/)
  })
})
