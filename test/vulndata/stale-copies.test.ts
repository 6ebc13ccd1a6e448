import { afterAll, beforeAll, expect, test } from 'vitest'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { later } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addIdentity, importDeps, mirrorOf, record, serve, type WebServer } from './support.ts'

let database: TestDatabase
let server: WebServer
beforeAll(async () => {
  database = await createTestDatabase()
  server = await serve()
})
afterAll(async () => {
  server.close()
  await database.drop()
})

const at = (minutes: number) => later(minutes)
const part = (id: string, minutes: number, summary = '') =>
  record(id, 'npm/part', { modified: at(minutes).toISOString(), summary })

/** Refreshes at a time; what was asked for, without `npm/`. */
async function refresh(minutes: number): Promise<string[]> {
  server.asked.length = 0
  await refreshSource(importDeps(database.db, { osv: server.url }), { source: 'osv', now: at(minutes) })
  return server.asked.filter((line) => line.includes('OSV-')).map((line) => line.replace(/.*npm\//, ''))
}

async function summaries(): Promise<string[]> {
  const rows = await database.db.selectFrom('vulnerability').select(['record_id', 'summary']).execute()
  return rows.map((row) => `${row.record_id} ${row.summary}`.trim()).sort()
}

const offer = (...records: ReturnType<typeof part>[]) => {
  for (const [path, content] of Object.entries(mirrorOf('npm', records))) server.files.set(path, content)
}

test('a copy of a record that is older than its line in the index is left out, and asked for again until the new one comes', async () => {
  await addIdentity(database.db, 'npm', 'part')
  const old = part('OSV-CACHED', -60, 'old')
  offer(old)
  await refresh(0)
  expect(await summaries()).toEqual(['OSV-CACHED old'])

  offer(part('OSV-OTHER', 9), part('OSV-CACHED', 5, 'new'))
  server.files.set('npm/OSV-CACHED.json', JSON.stringify(old))
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
  const all = [part('OSV-OTHER', 9), part('OSV-CACHED', 5, 'new'), part('OSV-LATE', 45, 'late')]
  offer(...all)
  server.files.delete('npm/OSV-LATE.json')
  expect(await refresh(50)).toEqual(['OSV-LATE.json'])
  expect(await refresh(60)).toEqual(['OSV-LATE.json'])
  offer(...all)
  expect(await refresh(70)).toEqual(['OSV-LATE.json'])
  expect(await summaries()).toEqual(['OSV-CACHED new', 'OSV-LATE late', 'OSV-OTHER'])
  expect(await refresh(80)).toEqual([])
})
