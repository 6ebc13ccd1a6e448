import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { feedsOff } from '../support/feeds.ts'
import { startInnerService, type InnerService } from '../support/inner-service.ts'
import { anyNumber } from '../support/expected.ts'
import { readAs } from '../support/read-as.ts'
import { configuredSources } from '../../src/vulndata/sources/all.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { SbomResult } from '../../src/contract/sbom/result.ts'

const root = join(import.meta.dirname, '../..')
const shared = resolve('../shared/data')
const files = {
  'PyPI/all.zip': 'osv/PyPI/all.zip',
  'kev.json': 'kev/known_exploited_vulnerabilities.json',
  'eukev.json': 'kev/eukev.json',
}
const hasData = Object.values(files).every((path) => existsSync(join(shared, path)))

let database: TestDatabase
let service: InnerService
let folder: string

beforeAll(async () => {
  if (!hasData) return
  database = await createTestDatabase()
  // every source is off, as the guide says first
  service = await startInnerService({ DATABASE_URL: database.url })
  folder = mkdtempSync(join(tmpdir(), 'offline-'))
  mkdirSync(join(folder, 'PyPI'))
  for (const [path, from] of Object.entries(files)) cpSync(join(shared, from), join(folder, path))
}, 300_000)
afterAll(async () => {
  if (!hasData) return
  await service.stop()
  await database.drop()
  rmSync(folder, { recursive: true })
})

type Listed = { sources: { name: string; state: string; recordCount: number }[] }
type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

/** Uses the service's settings. */
function command<T>(...words: string[]): Promise<T> {
  const { url } = database
  return runCommand<T>({ ...process.env, ...feedsOff, DATABASE_URL: url, BASE_URL: service.baseUrl }, words)
}

const states = async () =>
  Object.fromEntries((await command<Listed>('sources')).sources.map(({ name, state }) => [name, state]))

test('the guide switches off every source that is fetched', () => {
  const text = readFileSync(join(root, 'docs/offline.md'), 'utf8')
  const off = [...text.matchAll(/(\w+_URL)=off/g)].map(([, variable]) => variable)
  expect(off.sort()).toEqual(configuredSources.map(({ variable }) => variable).sort())
})

const hasJq = spawnSync('jq', ['--version']).status === 0

test.skipIf(!hasJq)('updates of Fedora have their file only when all are there (needs jq)', () => {
  const text = readFileSync(join(root, 'docs/offline.md'), 'utf8')
  const [code = ''] = [...text.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) =>
    block.includes('bodhi.') ? block : [],
  )
  const place = mkdtempSync(join(tmpdir(), 'fedora-'))
  // answers one update on each of two pages, then none; page 2 cannot be fetched while BREAKS is set
  const curl = `#!/bin/sh
case "$*" in
*page=1) echo '{"updates":[{"alias":"one"}]}' ;;
*page=2) [ -z "$BREAKS" ] || exit 22; echo '{"updates":[{"alias":"two"}]}' ;;
*) echo '{"updates":[]}' ;;
esac
`
  writeFileSync(join(place, 'curl'), curl, { mode: 0o755 })
  const fetchAll = (breaks: string) => {
    const env = { ...process.env, PATH: `${place}:${process.env['PATH'] ?? ''}`, BREAKS: breaks }
    expect(spawnSync('sh', ['-c', code], { cwd: place, env }).status).toBe(0)
  }
  const file = join(place, 'fedora.ndjson')
  const whole = '{"alias":"one"}\n{"alias":"two"}\n'
  fetchAll('yes')
  expect(existsSync(file)).toBe(false)
  fetchAll('')
  expect(readFileSync(file, 'utf8')).toBe(whole)
  fetchAll('')
  expect(readFileSync(file, 'utf8')).toBe(whole)
  rmSync(place, { recursive: true })
})

test.skipIf(!hasData)(
  'a service without any source takes over carried files and judges by them (needs the sample data)',
  async () => {
    expect(new Set(Object.values(await states()))).toEqual(new Set(['off']))
    const tokens = [
      { name: 'ci', kind: 'upload' },
      { name: 'gate', kind: 'results' },
    ]
    const workspace = { slug: 'acme', companyName: 'Acme', securityContactEmail: 'security@acme.example' }
    const { workspaces } = await service.cli<Provisioned>(['provision'], {
      workspaces: [{ ...workspace, plan: 'core', families: [{ name: 'Pump', tokens }] }],
    })
    const [upload, results] = workspaces[0]?.families[0]?.tokens.map(({ token }) => token) ?? []
    const sent = await fetch(`${service.baseUrl}/api/v1/sboms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${upload ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        components: [{ type: 'library', name: 'django', version: '3.2.0', purl: 'pkg:pypi/django@3.2.0' }],
      }),
    })
    const { id } = readAs(SbomReceipt, await sent.json())
    const result = async () => {
      const answer = await fetch(`${service.baseUrl}/api/v1/sboms/${id}?wait=30`, {
        headers: { authorization: `Bearer ${results ?? ''}` },
      })
      return readAs(SbomResult, await answer.json())
    }
    expect((await result()).matches.coverage).toMatchObject({ covered: 0, dataNotLoaded: 1 })
    await command('vulnerabilities', 'import', folder)
    for (const file of ['kev.json', 'eukev.json'])
      await command('vulnerabilities', 'import', join(folder, file))
    expect(await states()).toMatchObject({
      'osv:PyPI': 'ok',
      kev: 'ok',
      eukev: 'ok',
      nvd: 'off',
      epss: 'off',
    })
    await expect
      .poll(async () => (await result()).matches, { timeout: 60_000, interval: 1_000 })
      .toMatchObject({ coverage: { covered: 1, dataNotLoaded: 0 }, total: anyNumber })
    await expect
      .poll(async () => (await result()).matches.total, { timeout: 60_000, interval: 1_000 })
      .toBeGreaterThan(5)
  },
  300_000,
)

test.skipIf(!hasData).each(['offline', 'air-gapped'])('the guide is found by searching %s', async (word) => {
  const page = await (await fetch(`${service.baseUrl}/docs/search?q=${word}`)).text()
  expect(page).toContain('<a href="/docs/offline')
})
