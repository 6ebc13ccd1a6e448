import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { downloadAdvisoryVersion } from '../../src/contract/advisories/operations.ts'
import { judgeDocument } from '../../src/advisories/gate/judge-document.ts'
import { createAdvisoryScene, sampleContent, Writer, type AdvisoryScene } from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { anyText, textWith } from '../support/expected.ts'
import { fieldOf } from '../support/read-as.ts'

let database: TestDatabase
let http: TestHttp
let now = testNow
let scene: AdvisoryScene
let writer: Writer
let umbrella: TestWorkspace

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => now })
  const [acme, other] = await createScene(database.db)
  umbrella = other
  scene = await createAdvisoryScene(database, http, acme)
  writer = new Writer(scene)
})
afterAll(() => endBoth(http, database))

const shared = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300, stale-while-revalidate=60',
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Encoding',
}

const get = (path: string, headers: Record<string, string> = {}) =>
  call(`${http.url}/csaf/acme/${path}`, { headers })
const later = (ms: number) => (now = new Date(now.getTime() + ms))

/** The bytes as they are sent. */
async function bytesOf(path: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${http.url}/csaf/acme/${path}`)).arrayBuffer())
}

describe('an advisory from its first publication on', () => {
  const path = 'white/2026/acme-sa-2026-0001.json'
  let id = ''

  test('it is in the feed with its hashes, and the metadata says when', async () => {
    later(5_000)
    const published = await writer.release(sampleContent(scene.products))
    id = published.id
    expect(published).toMatchObject({
      trackingId: 'ACME-SA-2026-0001',
      number: '1.0.0',
      releasedAt: now.toISOString(),
    })
    const answer = await get(path)
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        ...shared,
        'content-type': 'application/json; charset=utf-8',
        etag: `"${published.sha256}"`,
        'last-modified': now.toUTCString(),
      },
    })
    const bytes = await bytesOf(path)
    const digest = (name: string) => createHash(name).update(bytes).digest('hex')
    expect(digest('sha256')).toBe(published.sha256)
    expect(await get(`${path}.sha256`)).toMatchObject({
      headers: { ...shared, 'content-type': 'text/plain; charset=utf-8' },
      body: `${published.sha256}  acme-sa-2026-0001.json\n`,
    })
    expect(await get(`${path}.sha512`)).toMatchObject({
      headers: { ...shared, 'content-type': 'text/plain; charset=utf-8' },
      body: `${digest('sha512')}  acme-sa-2026-0001.json\n`,
    })
    expect(await get('white/index.txt')).toMatchObject({
      body: '2026/acme-sa-2026-0001.json\n',
      headers: shared,
    })
    expect(await get('white/changes.csv')).toMatchObject({
      body: `"2026/acme-sa-2026-0001.json","${now.toISOString()}"\n`,
      headers: { ...shared, 'content-type': 'text/csv; charset=utf-8' },
    })
    expect((await get('provider-metadata.json')).body).toMatchObject({ last_updated: now.toISOString() })
  })

  test('the document says what the interface promises and passes every test', async () => {
    const { body } = await get(path)
    expect(await judgeDocument(body)).toEqual([])
    const metadata = (await get('provider-metadata.json')).body
    const document = fieldOf(body, 'document')
    expect(fieldOf(document, 'publisher')).toEqual(fieldOf(metadata, 'publisher'))
    expect(fieldOf(document, 'distribution')).toEqual({
      tlp: { label: 'WHITE', url: 'https://www.first.org/tlp/' },
    })
    expect(fieldOf(document, 'references')).toEqual([
      { category: 'self', summary: anyText, url: `${baseUrl}/csaf/acme/${path}` },
      { category: 'external', summary: 'Product page', url: 'https://acme.example/pumps' },
    ])
    expect(fieldOf(document, 'tracking')).toEqual({
      current_release_date: now.toISOString(),
      generator: { engine: { name: 'SBOM Monitor' } },
      id: 'ACME-SA-2026-0001',
      initial_release_date: now.toISOString(),
      revision_history: [{ date: now.toISOString(), number: '1.0.0', summary: 'First publication.' }],
      status: 'final',
      version: '1.0.0',
    })
    expect(body).toMatchObject({
      document: {
        acknowledgments: [{ names: ['Ada'], organization: 'Lab', urls: ['https://lab.example/'] }],
        category: 'csaf_vex',
        csaf_version: '2.0',
        lang: 'en',
      },
      product_tree: {
        branches: [
          {
            category: 'vendor',
            name: 'acme company',
            branches: [
              { category: 'product_name', name: 'Pump 1', branches: [{ name: '1.0' }, { name: '2.0' }] },
              { category: 'product_name', name: 'Pump 2', branches: [{ name: '7' }] },
            ],
          },
        ],
      },
    })
    const [first, second, third] = scene.products.map(({ versionId }) => `CSAFPID-${versionId}`)
    expect(fieldOf(body, 'vulnerabilities')).toEqual([
      {
        cve: 'CVE-2026-1234',
        flags: [{ label: 'vulnerable_code_not_present', product_ids: [third] }],
        ids: [{ system_name: 'European Vulnerability Database', text: 'EUVD-2026-77' }],
        notes: [{ category: 'description', text: 'A long header is written past its buffer.' }],
        product_status: { fixed: [second], known_affected: [first], known_not_affected: [third] },
        references: [
          {
            category: 'external',
            summary: 'CVE-2026-1234',
            url: 'https://www.cve.org/CVERecord?id=CVE-2026-1234',
          },
          {
            category: 'external',
            summary: 'CISA Known Exploited Vulnerabilities catalogue',
            url: 'https://www.cisa.gov/known-exploited-vulnerabilities-catalog?search_api_fulltext=CVE-2026-1234',
          },
          {
            category: 'external',
            summary: 'EUVD-2026-77',
            url: 'https://euvd.enisa.europa.eu/vulnerability/EUVD-2026-77',
          },
          { category: 'external', summary: 'Analysis', url: 'https://acme.example/analysis' },
        ],
        remediations: [
          {
            category: 'vendor_fix',
            details: 'Update to 2.0.',
            product_ids: [first],
            url: 'https://acme.example/2.0',
          },
        ],
        threats: [
          {
            category: 'exploit_status',
            date: '2026-01-02T00:00:00.000Z',
            details: textWith('KEV'),
            product_ids: [first],
          },
        ],
        title: 'Overflow in the parser',
      },
    ])
  })

  test('an update and a correction replace the file at its address, with their numbers and the whole history', async () => {
    const initial = now.toISOString()
    later(60_000)
    const content = sampleContent(scene.products)
    expect(await writer.revise(id, content)).toMatchObject({ number: '1.1.0' })
    later(60_000)
    const corrected = await writer.revise(id, content, { kind: 'correction', summary: 'A typing error.' })
    expect(corrected).toMatchObject({ number: '1.1.1' })
    const { body, headers } = await get(path)
    expect(headers).toMatchObject({ etag: `"${corrected.sha256}"`, 'last-modified': now.toUTCString() })
    expect(fieldOf(body, 'document', 'tracking')).toMatchObject({
      initial_release_date: initial,
      current_release_date: now.toISOString(),
      version: '1.1.1',
      revision_history: [
        { number: '1.0.0' },
        { number: '1.1.0', summary: 'More is known.' },
        { number: '1.1.1' },
      ],
    })
    expect((await get('white/index.txt')).body).toBe('2026/acme-sa-2026-0001.json\n')
    expect((await get('white/changes.csv')).body).toBe(
      `"2026/acme-sa-2026-0001.json","${now.toISOString()}"\n`,
    )
    expect((await get(`${path}.sha256`)).body).toBe(`${corrected.sha256}  acme-sa-2026-0001.json\n`)
    expect(await judgeDocument(body)).toEqual([])
  })

  test('while a new version is written, the published one is served', async () => {
    const before = (await get(path)).headers['etag']
    const revision = await writer.begin(id)
    await writer.save(id, revision, sampleContent(scene.products, 'Another title'))
    expect((await get(path)).headers['etag']).toBe(before)
  })
})

describe('order', () => {
  test('index by first publication, changes by the last one, both the newest first', async () => {
    later(1_000)
    const second = await writer.release(sampleContent(scene.products))
    const secondAt = later(1_000)
    await writer.revise(second.id, sampleContent(scene.products))
    const third = await writer.release(sampleContent(scene.products))
    const secondAgain = later(1_000)
    await writer.revise(second.id, sampleContent(scene.products))
    expect(secondAgain > secondAt).toBe(true)
    expect(third.trackingId).toBe('ACME-SA-2026-0003')
    const index = String((await get('white/index.txt')).body)
    expect(index.split('\n')).toEqual([
      '2026/acme-sa-2026-0003.json',
      '2026/acme-sa-2026-0002.json',
      '2026/acme-sa-2026-0001.json',
      '',
    ])
    const changes = String((await get('white/changes.csv')).body)
    expect(changes.split('\n').map((line) => line.slice(1, 28))).toEqual([
      '2026/acme-sa-2026-0002.json',
      '2026/acme-sa-2026-0003.json',
      '2026/acme-sa-2026-0001.json',
      '',
    ])
    expect(changes).toContain(`"${now.toISOString()}"`)
  })
})

describe('what is not TLP:WHITE', () => {
  test('GREEN is nowhere in the feed and leaves its date alone; WHITE enters with number and history', async () => {
    later(10_000)
    const before = await get('provider-metadata.json')
    const index = (await get('white/index.txt')).body
    const green = { ...sampleContent(scene.products), tlp: 'GREEN' as const }
    const { id } = await writer.release(green)
    const path = 'white/2026/acme-sa-2026-0004.json'
    for (const file of [path, `${path}.sha256`, `${path}.sha512`, 'green/2026/acme-sa-2026-0004.json']) {
      expect(await get(file)).toMatchObject({ status: 404, body: 'Not found' })
    }
    expect((await get('white/index.txt')).body).toBe(index)
    expect((await get('provider-metadata.json')).body).toEqual(before.body)
    later(10_000)
    await writer.revise(id, { ...green, tlp: 'WHITE' })
    const { body } = await get(path)
    expect(body).toMatchObject({
      document: {
        tracking: { version: '1.1.0', revision_history: [{ number: '1.0.0' }, { number: '1.1.0' }] },
      },
    })
    expect((await get('provider-metadata.json')).body).toMatchObject({ last_updated: now.toISOString() })
    expect(String((await get('white/index.txt')).body).split('\n')[0]).toBe('2026/acme-sa-2026-0004.json')
  })

  test('a document that is not WHITE has no reference into the feed', async () => {
    const { id } = await writer.release({ ...sampleContent(scene.products), tlp: 'AMBER' })
    const answer = await scene.owner.ask(downloadAdvisoryVersion, {
      params: { advisory: id, number: '1.0.0' },
    })
    expect(fieldOf(answer.body, 'document', 'references')).toEqual([
      { category: 'external', summary: 'Product page', url: 'https://acme.example/pumps' },
    ])
    expect(answer.headers['content-disposition']).toContain('acme-sa-2026-0005.json')
  })
})

test('nobody else’s feed has it', async () => {
  const other = await call(`${http.url}/csaf/${umbrella.slug}/white/2026/acme-sa-2026-0001.json`)
  expect(other.status).toBe(404)
  expect((await call(`${http.url}/csaf/${umbrella.slug}/white/index.txt`)).body).toBe('')
})

describe('a conditional request', () => {
  const path = 'white/2026/acme-sa-2026-0001.json'

  test('is answered 304 with the headers of a 200', async () => {
    const { headers } = await get(path)
    const expected = { ...shared, etag: headers['etag'], 'last-modified': headers['last-modified'] }
    for (const known of [
      { 'if-none-match': String(headers['etag']) },
      { 'if-modified-since': String(headers['last-modified']) },
      { 'if-modified-since': new Date(Date.parse(String(headers['last-modified'])) + 60_000).toUTCString() },
      // two obsolete date formats
      { 'if-modified-since': 'Friday, 01-Jan-27 00:00:00 GMT' },
      { 'if-modified-since': 'Fri Jan  1 00:00:00 2027' },
    ]) {
      expect(await get(path, known)).toMatchObject({ status: 304, body: '', headers: expected })
    }
  })

  test('for another state than the file is in is answered 412, which nobody keeps', async () => {
    const { headers } = await get(path)
    const [tag, date] = [String(headers['etag']), String(headers['last-modified'])]
    const before = new Date(Date.parse(date) - 1_000).toUTCString()
    const others: Record<string, string>[] = [
      { 'if-match': '"x"' },
      { 'if-match': '' },
      // a weak tag promises no equal bytes
      { 'if-match': `W/${tag}` },
      { 'if-match': '"x"', 'if-none-match': tag },
      { 'if-unmodified-since': before },
      { 'if-unmodified-since': before, 'if-none-match': tag },
    ]
    const expected = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' }
    for (const condition of others) {
      const answer = { status: 412, body: 'Precondition failed', headers: expected }
      expect(await get(path, { ...condition, 'accept-encoding': 'gzip' })).toMatchObject(answer)
    }
    const same: Record<string, string>[] = [
      { 'if-match': '*' },
      { 'if-match': `"x", ${tag}`, 'if-unmodified-since': before },
      { 'if-unmodified-since': date },
      { 'if-unmodified-since': 'yesterday' },
    ]
    for (const condition of same) expect((await get(path, condition)).status).toBe(200)
    expect((await get(path, { 'if-match': tag, 'if-none-match': tag })).status).toBe(304)
    expect((await get('white/index.txt', { 'if-unmodified-since': before })).status).toBe(200)
    expect((await get('white/index.txt', { 'if-match': tag })).status).toBe(412)
    expect((await get('white/2026/none.json', { 'if-match': tag })).status).toBe(404)
  })

  test.each([
    'yesterday',
    '2100-01-01T00:00:00Z',
    '4102444800000',
    'Fri, 01 Jan 2100 00:00:00',
    'Fri, 01 Jan 2100 00:00:00 +0000',
    'Sat, 01 Jan 2100 00:00:00 GMT',
    'Tue, 30 Feb 2100 00:00:00 GMT',
    'Friday, 01-Jan-99 00:00:00 GMT',
  ])('does not go by a date that is not a later HTTP date: %s', async (since) => {
    expect((await get(path, { 'if-modified-since': since })).status).toBe(200)
  })

  test('goes by the tag alone where it names one, and never by an older or malformed date', async () => {
    const { headers } = await get(path)
    const since = String(headers['last-modified'])
    for (const known of [
      { 'if-none-match': '"x"', 'if-modified-since': since },
      { 'if-modified-since': new Date(Date.parse(since) - 1_000).toUTCString() },
    ]) {
      expect((await get(path, known)).status).toBe(200)
    }
  })

  test('by date tells two versions of one second apart', async () => {
    now = new Date(Math.ceil(now.getTime() / 1000) * 1000 + 5_100)
    const { id, trackingId } = await writer.release(sampleContent(scene.products))
    const file = `white/2026/${trackingId.toLowerCase()}.json`
    const since = String((await get(file)).headers['last-modified'])
    later(300)
    const { sha256 } = await writer.revise(id, sampleContent(scene.products))
    const answer = await get(file, { 'if-modified-since': since })
    expect(answer).toMatchObject({ status: 200, headers: { etag: `"${sha256}"` } })
  })
})

test.each(['gzip', 'br'])('%s is negotiated, and the tag stays that of the document', async (coding) => {
  const path = `${http.url}/csaf/acme/white/2026/acme-sa-2026-0001.json`
  const plain = await fetch(path, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('content-encoding')).toBeNull()
  for (let turn = 0; turn < 2; turn += 1) {
    // fetch decodes the content
    const coded = await fetch(path, { headers: { 'accept-encoding': coding } })
    expect(coded.headers.get('content-encoding')).toBe(coding)
    expect(coded.headers.get('etag')).toBe(plain.headers.get('etag'))
    const digest = createHash('sha256')
      .update(Buffer.from(await coded.arrayBuffer()))
      .digest('hex')
    expect(`"${digest}"`).toBe(plain.headers.get('etag'))
  }
})

test.each([
  ['gzip;q=0.5, br;q=0.1', 'gzip'],
  ['br;q=0.1, gzip;q=0.5;x=1', 'gzip'],
  ['gzip, br', 'br'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity, gzip;q=0.5', null],
  ['gzip;q=0, br;q=0.000', null],
  ['deflate, *', null],
])('of %s the coding that weighs most is sent: %s', async (accepted, coding) => {
  const path = `${http.url}/csaf/acme/white/2026/acme-sa-2026-0001.json`
  const answer = await fetch(path, { headers: { 'accept-encoding': accepted } })
  expect(answer.headers.get('content-encoding')).toBe(coding)
})

test.each([
  ['on Free', { plan: 'free' }],
  ['whose trial has ended', { plan: 'trial', trial_ends_at: testNow }],
  ['that is suspended', { suspended_at: testNow }],
  ['that is closed', { closed_at: testNow }],
] as const)('what a workspace has published stays in the feed of one %s', async (_state, dates) => {
  const files = ['white/index.txt', 'white/changes.csv', 'white/2026/acme-sa-2026-0001.json']
  const answers = async () => {
    const all = await Promise.all(files.map((file) => get(file)))
    return all.map(({ status, body }) => ({ status, body }))
  }
  const before = await answers()
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200])
  const workspace = database.db.updateTable('workspace').where('slug', '=', 'acme')
  await workspace.set(dates).execute()
  try {
    expect(await answers()).toEqual(before)
  } finally {
    await workspace.set({ plan: 'core', trial_ends_at: null, suspended_at: null, closed_at: null }).execute()
  }
})
