import { expect, test } from 'vitest'
import { later, testNow } from '../support/clock.ts'
import { serveFeed } from './feed-scene.ts'
import { addIdentity, mirrorOf, record } from './support.ts'

const feed = serveFeed('osv', { start: testNow })

const part = (id: string, minutes: number, summary = '') =>
  record(id, 'npm/part', { modified: later(minutes).toISOString(), summary })

/** Refreshes at a time; what was asked for, without `npm/`. */
async function refresh(minutes: number): Promise<string[]> {
  feed.server.asked.length = 0
  await feed.refresh(later(minutes))
  return feed.server.asked.filter((line) => line.includes('OSV-')).map((line) => line.replace(/.*npm\//, ''))
}

async function summaries(): Promise<string[]> {
  const rows = await feed.db.selectFrom('vulnerability').select(['record_id', 'summary']).execute()
  return rows.map((row) => `${row.record_id} ${row.summary}`.trim()).sort()
}

const offer = (...records: ReturnType<typeof part>[]) => {
  for (const [path, content] of Object.entries(mirrorOf('npm', records))) feed.server.files.set(path, content)
}

test('a copy of a record that is older than its line in the index is left out, and asked for again until the new one comes', async () => {
  await addIdentity(feed.db, 'npm', 'part')
  const old = part('OSV-CACHED', -60, 'old')
  offer(old)
  await refresh(0)
  expect(await summaries()).toEqual(['OSV-CACHED old'])

  offer(part('OSV-OTHER', 9), part('OSV-CACHED', 5, 'new'))
  feed.server.files.set('npm/OSV-CACHED.json', JSON.stringify(old))
  expect((await refresh(10)).sort()).toEqual(['OSV-CACHED.json', 'OSV-OTHER.json'])
  expect(await summaries()).toEqual(['OSV-CACHED old', 'OSV-OTHER'])
  expect(await refresh(20)).toEqual(['OSV-CACHED.json'])
  expect(await summaries()).toEqual(['OSV-CACHED old', 'OSV-OTHER'])

  offer(part('OSV-OTHER', 9), part('OSV-CACHED', 5, 'new'))
  expect(await refresh(30)).toEqual(['OSV-CACHED.json'])
  expect(await summaries()).toEqual(['OSV-CACHED new', 'OSV-OTHER'])
  expect(await refresh(40)).toEqual([])
})

test('a record that is listed before it is there is asked for again until it is', async () => {
  await addIdentity(feed.db, 'npm', 'part')
  const other = part('OSV-OTHER', -60)
  const late = part('OSV-LATE', 5, 'late')
  offer(other)
  await refresh(0)
  offer(other, late)
  feed.server.files.delete('npm/OSV-LATE.json')
  expect(await refresh(10)).toEqual(['OSV-LATE.json'])
  expect(await refresh(20)).toEqual(['OSV-LATE.json'])
  offer(other, late)
  expect(await refresh(30)).toEqual(['OSV-LATE.json'])
  expect(await summaries()).toEqual(['OSV-LATE late', 'OSV-OTHER'])
  expect(await refresh(40)).toEqual([])
})
