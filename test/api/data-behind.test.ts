import { afterAll, beforeAll, expect, test } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { createFamilyToken } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { testNow } from '../support/clock.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { readAs } from '../support/read-as.ts'

/** A component stays covered when its source fails or becomes outdated; the result names the data it rests on. */

const hour = 3_600_000
const before = (hours: number) => new Date(testNow.getTime() - hours * hour)

let scene: UploadScene
let id: string

type Row = { lastSuccessAt?: Date; isWhole?: boolean; lastError?: string; failingSince?: Date }

async function setSource(name: string, row: Row = {}): Promise<void> {
  const { lastSuccessAt = testNow, isWhole = true, lastError = null, failingSince = null } = row
  const values = {
    address: null,
    last_attempt_at: testNow,
    last_success_at: lastSuccessAt,
    is_whole: isWhole,
    last_error: lastError,
    failing_since: failingSince,
    watermark: null,
    content_hash: null,
  }
  await scene.database.db
    .insertInto('data_source')
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute()
}

const library = (name: string, fields: Record<string, unknown>) => ({ type: 'library', name, ...fields })

beforeAll(async () => {
  scene = await UploadScene.open()
  for (const name of ['osv:npm', 'osv:PyPI', 'osv:Go', 'kev', 'eukev', 'euvd', 'nvd', 'cve-list'])
    await setSource(name, name === 'osv:Go' ? { isWhole: false } : {})
  const components = [
    library('a', { version: '1.0.0', purl: 'pkg:npm/a@1.0.0' }),
    library('b', { version: '1.0.0', purl: 'pkg:npm/b@1.0.0' }),
    library('c', { version: '1.0', purl: 'pkg:pypi/c@1.0' }),
    library('d', { version: '1.0', cpe: 'cpe:2.3:a:acme:d:1.0:*:*:*:*:*:*:*' }),
    // partly loaded, not covered, and without a version
    library('e', { version: 'v1.0.0', purl: 'pkg:golang/example.com/e@v1.0.0' }),
    library('f', { version: '1.0', purl: 'pkg:conda/f@1.0' }),
    library('g', { purl: 'pkg:npm/g' }),
  ]
  id = (await scene.uploaded(cyclonedx({ components }))).id
  await drain(scene.database.db, testNow)
})
afterAll(() => scene.close())

async function result(): Promise<SbomResult> {
  const { secret } = await createFamilyToken(scene.database.db, scene.company, { kind: 'results' })
  const { body } = await call(`${scene.http.url}/api/v1/sboms/${id}`, { token: secret })
  return readAs(SbomResult, body)
}

/** Each source on one line, except up-to-date lists of exploited vulnerabilities. */
async function behind(): Promise<string[]> {
  const { data, matches } = await result()
  const told = data.sources.filter(({ brings, state }) => brings === 'records' || state !== 'current')
  const words = told.map(({ label, state, components }) => `${label} ${state} ${components}`)
  return [`${data.stale} of ${matches.coverage.covered}`, ...words]
}

test('current data, of the sources that decide about covered components alone', async () => {
  expect(await behind()).toEqual([
    '0 of 4',
    'CVE list current 1',
    'NVD current 1',
    'OSV: npm current 2',
    'OSV: PyPI current 1',
  ])
})

test('a source that fails, and one that has not been fetched for a day', async () => {
  await setSource('osv:npm', {
    lastSuccessAt: before(30),
    lastError: 'It answered 503.',
    failingSince: before(29),
  })
  await setSource('osv:PyPI', { lastSuccessAt: before(25) })
  expect(await behind()).toEqual([
    '3 of 4',
    'CVE list current 1',
    'NVD current 1',
    'OSV: npm failing 2',
    'OSV: PyPI old 1',
  ])
  const { sources } = (await result()).data
  expect(sources.find(({ name }) => name === 'osv:npm')).toEqual({
    name: 'osv:npm',
    label: 'OSV: npm',
    brings: 'records',
    state: 'failing',
    components: 2,
    lastSuccessAt: before(30).toISOString(),
    failingSince: before(29).toISOString(),
  })
  await setSource('osv:npm')
  await setSource('osv:PyPI')
})

test('one of several that decide together', async () => {
  await setSource('cve-list', { lastSuccessAt: before(49) })
  expect(await behind()).toContain('CVE list old 1')
  expect((await result()).data.stale).toBe(1)
  await setSource('cve-list')
})

test('the comparison with the whole file of an ecosystem fails', async () => {
  await setSource('osv-reconcile:npm', { lastError: 'It would withdraw too many.', failingSince: before(2) })
  expect(await behind()).toContain('OSV: npm failing 2')
  await setSource('osv-reconcile:npm')
})

test('a list of exploited vulnerabilities is behind every count, and of no component', async () => {
  await setSource('kev', {
    lastSuccessAt: before(72),
    lastError: 'It answered 403.',
    failingSince: before(71),
  })
  expect(await behind()).toContain('CISA KEV failing null')
  expect((await result()).data.stale).toBe(0)
  await setSource('kev')
})

test('another company is told of its own components', async () => {
  const { secret } = await createFamilyToken(scene.database.db, scene.other, { kind: 'results' })
  const answer = await call(`${scene.http.url}/api/v1/sboms/${id}`, { token: secret })
  expect(answer.status).toBe(404)
})
