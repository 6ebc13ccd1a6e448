import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDocument, type DocumentSource } from '../../source-files/documents.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import { nvdDocuments } from './feed-documents.ts'
import { checkFeed, readFeedMeta } from './feed-meta.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nvd-feed-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
async function write(content: string | Uint8Array): Promise<string> {
  const path = join(folder, `feed-${(files += 1)}.json`)
  await writeFile(path, content)
  return path
}

async function read(source: DocumentSource, which: 'read' | 'sample' = 'read'): Promise<unknown[]> {
  const values: unknown[] = []
  for await (const document of source[which]()) values.push(parseDocument(document).value)
  await source.close()
  return values
}

const envelope = { startIndex: 0, format: 'NVD_CVE', version: '2.0', timestamp: '2026-01-01T00:00:00.000' }
function feedOf(count: number, more: Record<string, unknown> = {}): string {
  const vulnerabilities = Array.from({ length: count }, (_, index) => ({
    cve: { id: `CVE-2025-${1_000 + index}`, descriptions: [{ lang: 'en', value: 'Naïve “quotes” \\ }]' }] },
  }))
  return JSON.stringify({
    resultsPerPage: count,
    totalResults: count,
    ...envelope,
    ...more,
    vulnerabilities,
  })
}

describe('nvdDocuments', () => {
  it('gives each entry of a feed, plain or gzip', async () => {
    const feed = feedOf(3_000)
    const expected = (JSON.parse(feed) as { vulnerabilities: unknown[] }).vulnerabilities
    expect(await read(nvdDocuments(await write(feed)))).toEqual(expected)
    expect(await read(nvdDocuments(await write(gzipSync(feed))))).toEqual(expected)
  })

  it('gives the first entries as a sample, also of a file that is broken further on', async () => {
    const feed = feedOf(1_000).slice(0, -50)
    expect(await read(nvdDocuments(await write(feed)), 'sample')).toHaveLength(64)
    await expect(read(nvdDocuments(await write(feed)))).rejects.toBeInstanceOf(RefusedData)
  })

  it('reads a page of the API, which is part of a larger result', async () => {
    expect(await read(nvdDocuments(await write(feedOf(2, { totalResults: 2_546 }))))).toHaveLength(2)
  })

  it.each<[what: string, content: string, message: string]>([
    ['another format', feedOf(1, { format: 'NVD_CPE' }), 'found ["NVD_CPE","2.0"]'],
    ['another version', feedOf(1, { version: '3.0' }), 'found ["NVD_CVE","3.0"]'],
    ['a format that is no text', feedOf(1, { format: { toString: 1 } }), 'found [{"toString":1},"2.0"]'],
    ['fewer entries than stated', feedOf(2, { resultsPerPage: 3, totalResults: 3 }), '[3,3], found 2'],
    ['no count', feedOf(2, { resultsPerPage: undefined, totalResults: undefined }), '[null,null], found 2'],
    ['the older format', '{"CVE_data_format":"MITRE","CVE_Items":[{"cve":{}}]}', 'found content beginning'],
  ])('refuses %s', async (_what, content, message) => {
    await expect(read(nvdDocuments(await write(content)))).rejects.toThrow(message)
  })

  it('refuses an entry that is no JSON', async () => {
    const feed = `{"resultsPerPage":1,"format":"NVD_CVE","version":"2.0","vulnerabilities":[{"cve":{]}]}`
    await expect(read(nvdDocuments(await write(feed)))).rejects.toBeInstanceOf(RefusedData)
  })
})

describe('the .meta file', () => {
  const feed = feedOf(10)
  const meta = (content: string, sizeBytes = Buffer.byteLength(content)) =>
    [
      'lastModifiedDate:2026-08-18T03:00:12-04:00',
      `size:${sizeBytes}`,
      'zipSize:1',
      'gzSize:1',
      `sha256:${createHash('sha256').update(content).digest('hex').toUpperCase()}`,
      '',
    ].join('\r\n')

  it('says what the feed is', () => {
    expect(readFeedMeta(meta(feed))).toEqual({
      lastModifiedAt: new Date('2026-08-18T07:00:12Z'),
      sizeBytes: Buffer.byteLength(feed),
      sha256: createHash('sha256').update(feed).digest('hex'),
    })
  })

  it.each(['', '<html></html>', 'sha256:12', meta(feed).replace('size:', 'sise:')])('refuses %j', (text) => {
    expect(() => readFeedMeta(text)).toThrow(RefusedData)
  })

  it('agrees with its feed, plain or gzip', async () => {
    await checkFeed(await write(feed), readFeedMeta(meta(feed)))
    await checkFeed(await write(gzipSync(feed)), readFeedMeta(meta(feed)))
  })

  it('refuses another feed', async () => {
    const other = feed.replace('1000', '1999')
    await expect(checkFeed(await write(other), readFeedMeta(meta(feed)))).rejects.toThrow('SHA-256')
    await expect(checkFeed(await write(feed.slice(1)), readFeedMeta(meta(feed)))).rejects.toThrow('bytes')
    const wrongSize = readFeedMeta(meta(feed, 5))
    await expect(checkFeed(await write(feed), wrongSize)).rejects.toBeInstanceOf(RefusedData)
  })
})
