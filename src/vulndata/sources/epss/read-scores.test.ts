import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RefusedData } from '../../../source-files/refused-data.ts'
import { readScores, type EpssHeader, type EpssScore } from './read-scores.ts'
import { isEpssHeader } from './header.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'epss-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
async function read(
  content: string | Uint8Array,
): Promise<{ header: EpssHeader | null; scores: EpssScore[] }> {
  const path = join(folder, `scores-${(files += 1)}.csv`)
  await writeFile(path, content)
  const scores: EpssScore[] = []
  const headers: EpssHeader[] = []
  for await (const score of readScores(path, (found) => headers.push(found))) scores.push(score)
  return { header: headers[0] ?? null, scores }
}

const first = '#model_version:v2026.06.15,score_date:2026-07-12T12:00:00Z'
const second = 'cve,epss,percentile'
const file = (...rows: string[]) => [first, second, ...rows, ''].join('\n')

const small = file('CVE-1999-0001,0.01141,0.78', 'CVE-2021-44228,0.97565,1', 'CVE-2025-1234567,4.3e-04,0')
const expected = {
  header: { modelVersion: 'v2026.06.15', scoredOn: '2026-07-12' },
  scores: [
    { cveId: 'CVE-1999-0001', score: 0.01141, percentile: 0.78 },
    { cveId: 'CVE-2021-44228', score: 0.97565, percentile: 1 },
    { cveId: 'CVE-2025-1234567', score: 0.00043, percentile: 0 },
  ],
}

describe('readScores', () => {
  it('reads plain and gzip files, whatever ends their lines', async () => {
    expect(await read(small)).toEqual(expected)
    expect(await read(gzipSync(small))).toEqual(expected)
    expect(await read(small.replaceAll('\n', '\r\n'))).toEqual(expected)
  })

  it('reads more than fits one piece of the file', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `CVE-2024-${10_000 + index},0.5,0.25`)
    const { scores } = await read(gzipSync(file(...rows)))
    expect(scores).toHaveLength(100_000)
    expect(scores.at(-1)).toEqual({ cveId: 'CVE-2024-109999', score: 0.5, percentile: 0.25 })
  })

  it.each(['2024-01-15', '2026-09-25T00:00:00+0000', '2026-09-25T00:00:00.000+00:00'])(
    'takes %s for a day',
    async (date) => {
      const { header } = await read(small.replace('2026-07-12T12:00:00Z', date))
      expect(header?.scoredOn).toBe(date.slice(0, 10))
    },
  )

  it('gives no scores of a file that has none', async () => {
    expect((await read(file())).scores).toEqual([])
  })

  it.each<[what: string, content: string | Uint8Array, message: string]>([
    ['nothing', '', 'a file of 0 lines'],
    ['a header alone', `${first}\n`, 'a file of 1 lines'],
    ['a page', '<!DOCTYPE html>\n<p></p>\n', 'found an HTML page'],
    ['no header', small.slice(first.length + 1), 'expected model and day'],
    ['a day that is none', small.replace('2026-07-12', '2026-13-12'), 'expected model and day'],
    ['other columns', small.replace(second, 'cve,percentile,epss'), `expected the line ${second}`],
    ['a row cut off', small.slice(0, -2), 'cut off inside a line'],
    ['a whole row without its end', small.slice(0, -1), 'cut off inside a line'],
    ['a row without percentile', file('CVE-2024-1000,0.5'), 'line 3: a CVE id and two numbers'],
    ['a row too many', file('CVE-2024-1000,0.5,0.5,0.5'), 'line 3: '],
    ['another id', file('GHSA-jfh8-c2jp-5v3q,0.5,0.5'), 'line 3: '],
    ['a score above 1', file('CVE-2024-1000,1.01,0.5'), 'line 3: '],
    ['a score below 0', file('CVE-2024-1000,-0.1,0.5'), 'line 3: '],
    ['a percentage', file('CVE-2024-1000,0.5,99.8'), 'line 3: '],
    ['no number', file('CVE-2024-1000,e,0.5'), 'line 3: '],
    ['an empty line', file('CVE-2024-1000,0.5,0.5', '', 'CVE-2024-1001,0.5,0.5'), 'line 4: '],
    ['a line without end', `${first}\n${'x'.repeat(3_000_000)}`, 'expected a line'],
    ['a gzip file cut off', gzipSync(small).subarray(0, -5), 'broken or cut off'],
  ])('refuses %s', async (_what, content, message) => {
    await expect(read(content)).rejects.toThrow(message)
    await expect(read(content)).rejects.toBeInstanceOf(RefusedData)
  })
})

describe('isEpssHeader', () => {
  it('tells the file by its first line', () => {
    expect(isEpssHeader(`${first}\r\n`)).toBe(true)
    for (const line of ['', second, '#model_version:', `x${first}`]) expect(isEpssHeader(line)).toBe(false)
  })
})
