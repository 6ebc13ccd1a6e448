import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guides } from '../../src/docs-site/guide-list.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'

let store: TestDatabase
let http: TestHttp
const { readFile } = fs
const guidesRead: string[] = []

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  // a guide is parsed when it is first read
  fs.readFile = ((path: string, ...options: [BufferEncoding]) => {
    if (path.endsWith('.md')) guidesRead.push(path)
    return readFile(path, ...options)
  }) as typeof readFile
  syncBuiltinESMExports()
})
afterAll(async () => {
  fs.readFile = readFile
  syncBuiltinESMExports()
  await http.stop()
  await store.drop()
})

const read = async (path: string) => (await fetch(`${http.url}${path}`)).text()

test('each guide is read once, however often anybody searches and reads', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    await read(`/docs/search?q=token+${turn}`)
    await read('/docs/search.json')
    await Promise.all(guides.map(({ name }) => read(`/docs/${name}`)))
  }
  // other tests in this process may have read some already
  expect(guidesRead.length).toBeLessThanOrEqual(guides.length)
  expect(new Set(guidesRead).size).toBe(guidesRead.length)
})

test('of a query eight words count, so that one of many costs no more', async () => {
  const commonWords = 'the a of to is in and it'
  expect(await read(`/docs/search?q=${encodeURIComponent(`${commonWords} zebra`)}`)).not.toMatch(
    />\s*0 found/,
  )
  const letters = Array.from({ length: 100 }, (_, at) => 'etaoinshr'[at % 9]).join(' ')
  const startedAt = performance.now()
  for (let turn = 0; turn < 20; turn += 1) await read(`/docs/search?q=${encodeURIComponent(letters)}`)
  expect((performance.now() - startedAt) / 20).toBeLessThan(2_000)
})
