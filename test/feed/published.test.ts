import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { downloadAdvisoryVersion } from '../../src/contract/advisories/operations.ts'
import { judgeDocument } from '../../src/advisories/gate/judge-document.ts'
import { sampleContent } from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import { anyText, textWith } from '../support/expected.ts'
import { baseUrl, call } from '../support/http.ts'
import { fieldOf } from '../support/read-as.ts'
import { openFeedScene, sharedHeaders, type FeedScene } from './feed-scene.ts'

let feed: FeedScene
beforeAll(async () => {
  feed = await openFeedScene()
})
afterAll(() => feed.close())

const get: FeedScene['get'] = (...given) => feed.get(...given)

/** The bytes as they are sent. */
async function bytesOf(path: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${feed.url}/acme/${path}`)).arrayBuffer())
}

describe('an advisory from its first publication on', () => {
  const path = 'white/2026/acme-sa-2026-0001.json'
  let id = ''

  test('it is in the feed with its hashes, and the metadata says when', async () => {
    feed.later(5_000)
    const published = await feed.writer.release(sampleContent(feed.scene.products))
    id = published.id
    expect(published).toMatchObject({
      trackingId: 'ACME-SA-2026-0001',
      number: '1.0.0',
      releasedAt: feed.now.toISOString(),
    })
    const answer = await get(path)
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        ...sharedHeaders,
        'content-type': 'application/json; charset=utf-8',
        etag: `"${published.sha256}"`,
        'last-modified': feed.now.toUTCString(),
      },
    })
    const bytes = await bytesOf(path)
    const digest = (name: string) => createHash(name).update(bytes).digest('hex')
    expect(digest('sha256')).toBe(published.sha256)
    expect(await get(`${path}.sha256`)).toMatchObject({
      headers: { ...sharedHeaders, 'content-type': 'text/plain; charset=utf-8' },
      body: `${published.sha256}  acme-sa-2026-0001.json\n`,
    })
    expect(await get(`${path}.sha512`)).toMatchObject({
      headers: { ...sharedHeaders, 'content-type': 'text/plain; charset=utf-8' },
      body: `${digest('sha512')}  acme-sa-2026-0001.json\n`,
    })
    expect(await get('white/index.txt')).toMatchObject({
      body: '2026/acme-sa-2026-0001.json\n',
      headers: sharedHeaders,
    })
    expect(await get('white/changes.csv')).toMatchObject({
      body: `"2026/acme-sa-2026-0001.json","${feed.now.toISOString()}"\n`,
      headers: { ...sharedHeaders, 'content-type': 'text/csv; charset=utf-8' },
    })
    expect((await get('provider-metadata.json')).body).toMatchObject({ last_updated: feed.now.toISOString() })
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
      current_release_date: feed.now.toISOString(),
      generator: { engine: { name: 'SBOM Monitor' } },
      id: 'ACME-SA-2026-0001',
      initial_release_date: feed.now.toISOString(),
      revision_history: [{ date: feed.now.toISOString(), number: '1.0.0', summary: 'First publication.' }],
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
    const [first, second, third] = feed.scene.products.map(({ versionId }) => `CSAFPID-${versionId}`)
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
    const initial = feed.now.toISOString()
    feed.later(60_000)
    const content = sampleContent(feed.scene.products)
    expect(await feed.writer.revise(id, content)).toMatchObject({ number: '1.1.0' })
    feed.later(60_000)
    const corrected = await feed.writer.revise(id, content, {
      kind: 'correction',
      summary: 'A typing error.',
    })
    expect(corrected).toMatchObject({ number: '1.1.1' })
    const { body, headers } = await get(path)
    expect(headers).toMatchObject({ etag: `"${corrected.sha256}"`, 'last-modified': feed.now.toUTCString() })
    expect(fieldOf(body, 'document', 'tracking')).toMatchObject({
      initial_release_date: initial,
      current_release_date: feed.now.toISOString(),
      version: '1.1.1',
      revision_history: [
        { number: '1.0.0' },
        { number: '1.1.0', summary: 'More is known.' },
        { number: '1.1.1' },
      ],
    })
    expect((await get('white/index.txt')).body).toBe('2026/acme-sa-2026-0001.json\n')
    expect((await get('white/changes.csv')).body).toBe(
      `"2026/acme-sa-2026-0001.json","${feed.now.toISOString()}"\n`,
    )
    expect((await get(`${path}.sha256`)).body).toBe(`${corrected.sha256}  acme-sa-2026-0001.json\n`)
    expect(await judgeDocument(body)).toEqual([])
  })

  test('while a new version is written, the published one is served', async () => {
    const before = (await get(path)).headers['etag']
    const revision = await feed.writer.begin(id)
    await feed.writer.save(id, revision, sampleContent(feed.scene.products, 'Another title'))
    expect((await get(path)).headers['etag']).toBe(before)
  })
})

describe('order', () => {
  test('index by first publication, changes by the last one, both the newest first', async () => {
    feed.later(1_000)
    const second = await feed.writer.release(sampleContent(feed.scene.products))
    const secondAt = feed.later(1_000)
    await feed.writer.revise(second.id, sampleContent(feed.scene.products))
    const third = await feed.writer.release(sampleContent(feed.scene.products))
    const secondAgain = feed.later(1_000)
    await feed.writer.revise(second.id, sampleContent(feed.scene.products))
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
    expect(changes).toContain(`"${feed.now.toISOString()}"`)
  })
})

describe('what is not TLP:WHITE', () => {
  test('GREEN is nowhere in the feed and leaves its date alone; WHITE enters with number and history', async () => {
    feed.later(10_000)
    const before = await get('provider-metadata.json')
    const index = (await get('white/index.txt')).body
    const green = { ...sampleContent(feed.scene.products), tlp: 'GREEN' as const }
    const { id } = await feed.writer.release(green)
    const path = 'white/2026/acme-sa-2026-0004.json'
    for (const file of [path, `${path}.sha256`, `${path}.sha512`, 'green/2026/acme-sa-2026-0004.json']) {
      expect(await get(file)).toMatchObject({ status: 404, body: 'Not found' })
    }
    expect((await get('white/index.txt')).body).toBe(index)
    expect((await get('provider-metadata.json')).body).toEqual(before.body)
    feed.later(10_000)
    await feed.writer.revise(id, { ...green, tlp: 'WHITE' })
    const { body } = await get(path)
    expect(body).toMatchObject({
      document: {
        tracking: { version: '1.1.0', revision_history: [{ number: '1.0.0' }, { number: '1.1.0' }] },
      },
    })
    expect((await get('provider-metadata.json')).body).toMatchObject({ last_updated: feed.now.toISOString() })
    expect(String((await get('white/index.txt')).body).split('\n')[0]).toBe('2026/acme-sa-2026-0004.json')
  })

  test('a document that is not WHITE has no reference into the feed', async () => {
    const { id } = await feed.writer.release({ ...sampleContent(feed.scene.products), tlp: 'AMBER' })
    const answer = await feed.scene.owner.ask(downloadAdvisoryVersion, {
      params: { advisory: id, number: '1.0.0' },
    })
    expect(fieldOf(answer.body, 'document', 'references')).toEqual([
      { category: 'external', summary: 'Product page', url: 'https://acme.example/pumps' },
    ])
    expect(answer.headers['content-disposition']).toContain('acme-sa-2026-0005.json')
  })
})

test('nobody else’s feed has it', async () => {
  const other = await call(`${feed.url}/${feed.umbrella.slug}/white/2026/acme-sa-2026-0001.json`)
  expect(other.status).toBe(404)
  expect((await call(`${feed.url}/${feed.umbrella.slug}/white/index.txt`)).body).toBe('')
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
  const workspace = feed.database.db.updateTable('workspace').where('slug', '=', 'acme')
  await workspace.set(dates).execute()
  try {
    expect(await answers()).toEqual(before)
  } finally {
    await workspace.set({ plan: 'core', trial_ends_at: null, suspended_at: null, closed_at: null }).execute()
  }
})
