import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleContent } from '../support/advisory-scene.ts'
import { openFeedScene, sharedHeaders, type FeedScene } from './feed-scene.ts'

/** What a consumer says of the copy it has, and of the codings it takes. */

const path = 'white/2026/acme-sa-2026-0001.json'

let feed: FeedScene
beforeAll(async () => {
  feed = await openFeedScene()
  await feed.writer.release(sampleContent(feed.scene.products))
})
afterAll(() => feed.close())

const get: FeedScene['get'] = (...given) => feed.get(...given)

describe('a conditional request', () => {
  test('is answered 304 with the headers of a 200', async () => {
    const { headers } = await get(path)
    const expected = { ...sharedHeaders, etag: headers['etag'], 'last-modified': headers['last-modified'] }
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
    // a tenth into a second that is still to come
    feed.later(6_100 - (feed.now.getTime() % 1_000))
    const { id, trackingId } = await feed.writer.release(sampleContent(feed.scene.products))
    const file = `white/2026/${trackingId.toLowerCase()}.json`
    const since = String((await get(file)).headers['last-modified'])
    feed.later(300)
    const { sha256 } = await feed.writer.revise(id, sampleContent(feed.scene.products))
    const answer = await get(file, { 'if-modified-since': since })
    expect(answer).toMatchObject({ status: 200, headers: { etag: `"${sha256}"` } })
  })
})

test.each(['gzip', 'br'])('%s is negotiated, and the tag stays that of the document', async (coding) => {
  const url = `${feed.url}/acme/${path}`
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('content-encoding')).toBeNull()
  for (let turn = 0; turn < 2; turn += 1) {
    // fetch decodes the content
    const coded = await fetch(url, { headers: { 'accept-encoding': coding } })
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
  const url = `${feed.url}/acme/${path}`
  const answer = await fetch(url, { headers: { 'accept-encoding': accepted } })
  expect(answer.headers.get('content-encoding')).toBe(coding)
})
