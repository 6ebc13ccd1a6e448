import { describe, expect, it } from 'vitest'
import { listFiles, type ExportFile } from './export-file.ts'

const row = { text: 'x'.repeat(1024 * 1024) }

/** Counts the pages that were asked for. */
async function* pagesOf(count: number, onRead: () => void) {
  for (let page = 0; page < count; page += 1) {
    onRead()
    yield await Promise.resolve([row])
  }
}

async function read(files: AsyncIterable<ExportFile>): Promise<ExportFile[]> {
  const all = []
  for await (const file of files) all.push(file)
  return all
}

describe('a list of the export', () => {
  it('goes on in another file behind a few megabytes, and loses no row', async () => {
    const files = await read(
      listFiles(
        'findings',
        pagesOf(9, () => undefined),
      ),
    )
    expect(files.map(({ name }) => name)).toEqual([
      'findings.ndjson',
      'findings-2.ndjson',
      'findings-3.ndjson',
    ])
    const text = files.map(({ bytes }) => bytes.toString()).join('')
    expect(text).toBe(`${JSON.stringify(row)}\n`.repeat(9))
  })

  it('is read no further than the file that is taken', async () => {
    let reads = 0
    const files = listFiles(
      'findings',
      pagesOf(1_000, () => (reads += 1)),
    )
    expect((await files.next()).value).toMatchObject({ name: 'findings.ndjson' })
    expect(reads).toBeLessThan(8)
    await files.return(undefined)
  })

  it.each([
    ['no row', 0, ['findings.ndjson']],
    ['rows that fill one file', 4, ['findings.ndjson']],
  ])('with %s is one file', async (_what, rows, names) => {
    const files = await read(
      listFiles(
        'findings',
        pagesOf(rows, () => undefined),
      ),
    )
    expect(files.map(({ name }) => name)).toEqual(names)
  })
})
