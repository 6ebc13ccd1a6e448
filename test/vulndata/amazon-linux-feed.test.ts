import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { sourceOf } from '../../src/vulndata/sources/all.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { alasMirror, type Alas } from './alas.ts'
import { addIdentity, emptyStore, importDeps, serve, type WebServer } from './support.ts'

let database: TestDatabase
let server: WebServer
const start = new Date('2026-04-03T22:00:00Z')
const later = (hours: number) => new Date(start.getTime() + hours * 3_600_000)

beforeAll(async () => {
  database = await createTestDatabase()
  server = await serve()
})
beforeEach(async () => {
  await emptyStore(database.db)
  server.files.clear()
  server.asked.length = 0
})
afterAll(async () => {
  server.close()
  await database.drop()
})

const notice = (id: string, fixed = '2.0'): Alas => ({
  id,
  cves: [`CVE-2024-${1000 + Number(id.slice(-3))}`],
  packages: [['zlib', fixed, '1.amzn2']],
})
const many = Array.from({ length: 20 }, (_, at) => notice(`ALAS2-2024-${100 + at}`))
const others = {
  '2022': [notice('ALAS2022-2022-300')],
  '2023': [notice('ALAS2023-2023-400')],
  livepatch: [notice('ALAS2023LIVEPATCH-2023-500')],
  'golang1.19': [notice('ALAS2GOLANG1.19-2023-600')],
}

function offer(notices: Record<string, readonly Alas[]>): void {
  server.files.clear()
  for (const [path, content] of Object.entries(alasMirror(notices))) server.files.set(path, content)
}

const refresh = (now = start) =>
  refreshSource(importDeps(database.db, { 'amazon-linux': server.url }), { source: 'amazon-linux', now })
const state = async () => (await listSources(database.db)).find((source) => source.name === 'amazon-linux')
const isAwaited = () => sourceOf('amazon-linux')?.isAwaited?.(database.db)
const downloads = () => server.asked.splice(0).filter((line) => line.endsWith('updateinfo.xml.gz')).length

async function live(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('vulnerability')
    .select('record_id')
    .where('withdrawn_at', 'is', null)
    .orderBy('record_id')
    .execute()
  return rows.map((row) => row.record_id)
}

test('nothing is asked before a component is of Amazon Linux; then all repositories are taken over', async () => {
  offer({ '2': many, ...others })
  await refresh()
  expect(server.asked).toEqual([])
  await addIdentity(database.db, 'npm', 'pump')
  expect(await isAwaited()).toBe(false)
  await addIdentity(database.db, 'Amazon Linux', 'zlib')
  expect(await isAwaited()).toBe(true)
  await refresh()
  expect(downloads()).toBe(5)
  expect(await state()).toMatchObject({
    isWhole: true,
    recordCount: 24,
    lastError: null,
    lastSuccessAt: start,
  })
  expect(await isAwaited()).toBe(false)
})

test('within hours nobody is asked, later only the indexes while they are the same', async () => {
  offer({ '2': many, ...others })
  await addIdentity(database.db, 'Amazon Linux', 'zlib')
  await refresh()
  server.asked.length = 0
  await refresh(later(1))
  expect(server.asked).toEqual([])
  await refresh(later(7))
  expect(server.asked.length).toBeGreaterThan(5)
  expect(downloads()).toBe(0)
  expect(await state()).toMatchObject({ lastOutcome: 'unchanged', lastSuccessAt: later(7) })
})

test('a notice that the publisher takes back is withdrawn, and more than a tenth are not', async () => {
  offer({ '2': many, ...others })
  await addIdentity(database.db, 'Amazon Linux', 'zlib')
  await refresh()
  offer({ '2': many.slice(1), ...others })
  await refresh(later(7))
  expect(await live()).not.toContain('ALAS2-2024-100')
  const before = await live()
  offer({ '2': many.slice(10), ...others })
  await refresh(later(14))
  expect(await live()).toEqual(before)
  expect(await state()).toMatchObject({
    isWhole: true,
    lastOutcome: 'error',
    lastError: expect.stringContaining('a file that withdraws more than 10 %') as string,
    lastSuccessAt: later(7),
  })
})

const broken: [what: string, path: RegExp, content: string | number, says: RegExp][] = [
  [
    'a page in place of a list',
    /^2\/core.*mirror\.list$/,
    '<html><body>moved</body></html>',
    /list of mirrors/,
  ],
  ['no catalogue of topics', /extras-catalog/, 404, /expected status 200, found 404/],
  ['a catalogue without topics', /extras-catalog/, '{"topics":[]}', /expected topics/],
  [
    'a page in place of an index',
    /^2\/core.*repomd\.xml$/,
    '<!doctype html><html></html>',
    /found an HTML page/,
  ],
  ['a file that is not the one of the index', /^2\/core.*updateinfo/, '<updates></updates>', /SHA-256/],
  ['a repository that is gone', /^al2023.*mirror\.list$/, 404, /expected status 200, found 404/],
  [
    'an index that leads elsewhere',
    /^2\/core.*repomd\.xml$/,
    '<repomd><data type="updateinfo"><checksum type="sha256">00</checksum><location href="https://elsewhere.example/x"/></data></repomd>',
    /place and SHA-256/,
  ],
]

test.each(broken)('%s changes nothing', async (_, path, content, says) => {
  offer({ '2': many, ...others })
  await addIdentity(database.db, 'Amazon Linux', 'zlib')
  await refresh()
  const before = await live()
  offer({ '2': [...many, notice('ALAS2-2024-700')], ...others })
  for (const name of server.files.keys()) if (path.test(name)) server.files.set(name, content)
  await refresh(later(7))
  expect(await live()).toEqual(before)
  expect(await state()).toMatchObject({ isWhole: true, lastOutcome: 'error', lastSuccessAt: start })
  expect((await state())?.lastError).toMatch(says)
})

test('switched off it is left alone', async () => {
  await addIdentity(database.db, 'Amazon Linux', 'zlib')
  await refreshSource(importDeps(database.db), { source: 'amazon-linux', now: start })
  expect(await state()).toBeUndefined()
})
