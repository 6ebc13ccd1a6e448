import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdvisoryScene, sampleContent, Writer } from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { fetchBehind, startHttpsFront, type HttpsFront, type Served } from '../support/https-front.ts'
import { createScene } from '../support/scene.ts'
import { checkFeed, type CheckedRequirement } from './standard-consumer.ts'

/** Changes an answer in transit; `path` starts after the slug. */
type Change = (path: string, served: Served) => Served

let database: TestDatabase
let http: TestHttp
let front: HttpsFront
let change: Change = (_path, served) => served
let now = testNow

beforeAll(async () => {
  database = await createTestDatabase()
  front = await startHttpsFront(async (path) =>
    change(path.replace(/^\/(csaf|disclose)\/acme\//, ''), await fetchBehind(http.url + pathBehind(path))),
  )
  http = await startTestHttp({ database, now: () => now, publicUrl: front.origin })
  const [acme] = await createScene(database.db)
  const scene = await createAdvisoryScene(database, http, acme)
  const writer = new Writer(scene)
  const first = await writer.release(sampleContent(scene.products))
  now = new Date(now.getTime() + 60_000)
  await writer.release(sampleContent(scene.products, 'Another one'))
  now = new Date(now.getTime() + 60_000)
  await writer.revise(first.id, sampleContent(scene.products))
  await writer.release({ ...sampleContent(scene.products), tlp: 'AMBER' })
}, 240_000)
afterAll(async () => {
  front.stop()
  await http.stop()
  await database.drop()
})

const withListing: Change = (path, served) =>
  path === 'white/' ? { status: 200, headers: {}, body: '<a href="2026/">2026/</a>' } : served

/** A broken feed may have a document where the service has none. */
let pathBehind = (path: string) => path

async function checked(): Promise<CheckedRequirement[]> {
  const { origin, certificate } = front
  return checkFeed({
    securityTxt: `${origin}/disclose/acme/.well-known/security.txt`,
    metadata: `${origin}/csaf/acme/provider-metadata.json`,
    certificate,
  })
}

describe('a consumer that knows the standard alone', () => {
  test(
    'finds every requirement met but the listings, without which the feed is that of a publisher',
    {
      timeout: 120_000,
    },
    async () => {
      const found = await checked()
      expect(found.map(({ requirement }) => requirement.split(' ')[0])).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 18].map((number) => `7.1.${number}`),
      )
      const directory = `${front.origin}/csaf/acme/white/`
      expect(found.filter(({ problems }) => problems.length > 0)).toEqual([
        { requirement: '7.1.14 Directory listings', problems: [`${directory} is answered 404`] },
      ])
      change = withListing
      const listed = (await checked()).filter(({ problems }) => problems.length > 0)
      change = (_path, served) => served
      expect(listed).toEqual([])
    },
  )

  const first = '2026/acme-sa-2026-0001.json'
  const on =
    (where: string, make: (body: string) => string): Change =>
    (path, served) =>
      path === where ? { ...served, body: make(served.body) } : served
  const everywhere =
    (from: string, to: string): Change =>
    (_path, served) => ({ ...served, body: served.body.replaceAll(from, to) })

  test.each<[requirement: string, fault: string, Change, behind?: [string, string]]>([
    [
      '7.1.1',
      'a document without a title',
      on(`white/${first}`, (body) => body.replace('"title"', '"name"')),
    ],
    [
      '7.1.2',
      'another file name',
      everywhere('acme-sa-2026-0001.json', 'advisory.json'),
      ['advisory.json', 'acme-sa-2026-0001.json'],
    ],
    [
      '7.1.3',
      'an address without TLS',
      on('provider-metadata.json', (body) =>
        body.replace(/"canonical_url": ?"https:/, '"canonical_url":"http:'),
      ),
    ],
    [
      '7.1.4',
      'a document that asks who it is',
      (path, served) => (path === `white/${first}` ? { ...served, status: 401 } : served),
    ],
    ['7.1.5', 'an AMBER document', on(`white/${first}`, (body) => body.replace('"WHITE"', '"AMBER"'))],
    [
      '7.1.6',
      'a redirection',
      (path, served) =>
        path === `white/${first}` ? { status: 302, headers: { location: '/' }, body: '' } : served,
    ],
    [
      '7.1.7',
      'metadata without a publisher',
      on('provider-metadata.json', (body) => body.replace('"publisher"', '"company"')),
    ],
    [
      '7.1.8',
      'a security.txt without the feed',
      on('.well-known/security.txt', (body) => body.replace(/^CSAF:.*$/m, '')),
    ],
    ['7.1.11', 'a folder of another year', everywhere('2026/acme-sa', '2025/acme-sa'), ['2025/', '2026/']],
    [
      '7.1.12',
      'an index without a document',
      on('white/index.txt', (body) => body.replace(`${first}\n`, '')),
    ],
    [
      '7.1.13',
      'changes with the oldest first',
      on('white/changes.csv', (body) => body.trim().split('\n').toReversed().join('\n')),
    ],
    [
      '7.1.18',
      'a hash of other bytes',
      on(`white/${first}.sha512`, (body) => body.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))),
    ],
  ])('%s: %s is found', { timeout: 120_000 }, async (requirement, _fault, broken, behind) => {
    change = broken
    pathBehind = (path) => (behind === undefined ? path : path.replace(...behind))
    try {
      const failed = (await checked()).filter(({ problems }) => problems.length > 0)
      expect(failed.map((one) => one.requirement.split(' ')[0])).toContain(requirement)
    } finally {
      change = (_path, served) => served
      pathBehind = (path) => path
    }
  })
})
