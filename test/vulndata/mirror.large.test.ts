import { textWith } from '../support/expected.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { inImportTransaction } from '../../src/vulndata/ledger/import-lock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  addIdentity,
  asImportOf,
  emptyStore,
  folderOf,
  importDeps,
  indexOf,
  mirrorOf,
  record,
  serve,
  storedRecords,
  takeJobs,
  wholeFile,
  type TestRecord,
  type WebServer,
} from './support.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase
let server: WebServer

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await emptyStore(database.db)
  server = await serve()
})
afterEach(() => server.close())

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => record(`OSV-2025-${index}`, `npm/package-${index}`))

function offer(...ecosystems: [name: string, records: TestRecord[]][]) {
  for (const [name, records] of ecosystems) {
    for (const [path, content] of Object.entries(mirrorOf(name, records))) server.files.set(path, content)
  }
}

const minutesLater = (minutes: number) => new Date(testNow.getTime() + minutes * 60_000)
const refresh = (minutes = 0) =>
  refreshSource(importDeps(database.db, { osv: server.url }), { source: 'osv', now: minutesLater(minutes) })

async function recordIds(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('vulnerability')
    .select('record_id')
    .where('withdrawn_at', 'is', null)
    .execute()
  return rows.map((row) => row.record_id).sort()
}

async function sourceState(name: string) {
  return (await listSources(database.db)).find((source) => source.name === name)
}

function askedSince(mark: number): string[] {
  return server.asked.slice(mark).sort()
}

test('an address is a mirror with a list of ecosystems, one without, or one ecosystem of it', async () => {
  offer(['npm', many(2)], ['Red Hat', [record('RHSA-2025:1', 'Red Hat:enterprise_linux:9::baseos/openssl')]])
  const load = (url: string) => importVulnerabilityData(importDeps(database.db), { from: url, now: testNow })
  server.files.set('ecosystems.txt', '[EMPTY]\nnpm\nRed Hat\n')
  expect((await load(server.url)).map((report) => report.source)).toEqual(['osv:npm', 'osv:Red Hat'])
  expect(await recordIds()).toEqual(['OSV-2025-0', 'OSV-2025-1', 'RHSA-2025:1'])
  server.files.delete('ecosystems.txt')
  expect((await load(`${server.url}/`)).map((report) => report.source).sort()).toEqual([
    'osv:Red Hat',
    'osv:npm',
  ])
  expect((await load(`${server.url}/Red%20Hat`)).map((report) => report.source)).toEqual(['osv:Red Hat'])
  expect((await load(`${server.url}/npm/all.zip`)).map((report) => report.source)).toEqual(['osv:npm'])
})

test('an address that holds nothing is refused with what was found', async () => {
  const load = (url: string) => importVulnerabilityData(importDeps(database.db), { from: url, now: testNow })
  await expect(load(server.url)).rejects.toThrow(
    'expected vulnerability data at the address, found status 404',
  )
  server.files.set('', '<html>Index</html>')
  await expect(load(server.url)).rejects.toThrow('found an HTML page')
})

test('an ecosystem is loaded when its first component appears, and only then', async () => {
  offer(['npm', many(3)], ['PyPI', [record('PYSEC-1', 'PyPI/snake')]])
  await refresh()
  expect(await recordIds()).toEqual([])
  await addIdentity(database.db, 'npm', 'package-1')
  await addIdentity(database.db, 'cpe', 'a:acme:pump')
  await refresh()
  expect(await recordIds()).toEqual(['OSV-2025-0', 'OSV-2025-1', 'OSV-2025-2'])
  expect(await takeJobs(database.db)).toEqual([
    {
      kind: 'match_packages',
      payload: { packageKeys: ['npm\u001fpackage-0', 'npm\u001fpackage-1', 'npm\u001fpackage-2'] },
    },
  ])
  await addIdentity(database.db, 'PyPI', 'snake')
  await refresh(10)
  expect(await recordIds()).toContain('PYSEC-1')
  expect(await sourceState('osv')).toMatchObject({
    lastSuccessAt: minutesLater(10),
    lastError: null,
    recordCount: 2,
  })
  expect(await sourceState('osv:PyPI')).toMatchObject({
    recordCount: 1,
    reconcile: { lastSuccessAt: minutesLater(10) },
  })
})

test('a delta fetches what changed since the watermark, and nothing else', async () => {
  await addIdentity(database.db, 'npm', 'package-1')
  offer(['npm', many(5)])
  await refresh()
  await takeJobs(database.db)
  let mark = server.asked.length
  await refresh(10)
  expect(askedSince(mark)).toEqual(['GET npm/modified_id.csv'])
  expect(await takeJobs(database.db)).toEqual([])
  const changed = record('OSV-2025-1', 'npm/package-1', {
    fixed: '3.0.0',
    modified: '2025-07-01T00:00:00.5Z',
  })
  const added = record('OSV-2025-9', 'npm/package-9', { modified: '2025-07-02T00:00:00Z' })
  offer(['npm', [...many(5).filter((each) => each.id !== changed.id), changed, added]])
  mark = server.asked.length
  await refresh(20)
  expect(askedSince(mark)).toEqual([
    'GET npm/OSV-2025-1.json',
    'GET npm/OSV-2025-9.json',
    'GET npm/modified_id.csv',
  ])
  expect(await recordIds()).toContain('OSV-2025-9')
  expect(await takeJobs(database.db)).toHaveLength(1)
  expect(await sourceState('osv:npm')).toMatchObject({ recordCount: 6, lastSuccessAt: minutesLater(20) })
})

test('data that an operator imported from elsewhere is no basis for deltas: the ecosystem is loaded whole', async () => {
  await addIdentity(database.db, 'npm', 'package-1')
  const elsewhere = folderOf({ 'npm/all.zip': wholeFile(many(1)) })
  await importVulnerabilityData(importDeps(database.db), { from: elsewhere, now: testNow })
  offer(['npm', many(4)])
  await refresh(10)
  expect(await recordIds()).toHaveLength(4)
})

test('more than 250 changed records are taken from the whole file', async () => {
  await addIdentity(database.db, 'npm', 'package-1')
  offer(['npm', many(3)])
  await refresh()
  const mark = server.asked.length
  offer(['npm', many(260)])
  await refresh(10)
  expect(askedSince(mark)).toEqual(['GET npm/all.zip', 'GET npm/modified_id.csv'])
  expect(await recordIds()).toHaveLength(260)
})

test('once a day the whole file is compared: a record that is gone is withdrawn, an unchanged file is not fetched', async () => {
  await addIdentity(database.db, 'npm', 'package-1')
  const day = 24 * 60
  offer(['npm', many(20)])
  await refresh()
  server.files.set('npm/all.zip', wholeFile(many(19)))
  await refresh(10)
  expect(await recordIds()).toHaveLength(20)
  await refresh(day)
  expect(await recordIds()).toHaveLength(19)
  const mark = server.asked.length
  await refresh(2 * day)
  expect(askedSince(mark)).toEqual(['GET npm/modified_id.csv', 'HEAD npm/all.zip'])
  expect((await sourceState('osv:npm'))?.reconcile).toMatchObject({
    lastSuccessAt: minutesLater(2 * day),
    lastError: null,
  })
})

test('a whole file that lost half its records is refused; deltas go on and it is tried again after an hour', async () => {
  await addIdentity(database.db, 'npm', 'package-1')
  const day = 24 * 60
  offer(['npm', many(20)])
  await refresh()
  const stored = await storedRecords(database.db)
  server.files.set('npm/all.zip', wholeFile(many(10)))
  await refresh(day)
  expect(await storedRecords(database.db)).toEqual(stored)
  const reason =
    'the file of npm lacks 10 of 20 records; a file that withdraws more than 10 % is not imported'
  expect(await sourceState('osv:npm')).toMatchObject({
    lastSuccessAt: minutesLater(day),
    lastError: null,
    reconcile: { lastSuccessAt: testNow, lastError: reason },
  })
  expect(await sourceState('osv')).toMatchObject({ lastSuccessAt: testNow, lastError: `npm: ${reason}` })
  let mark = server.asked.length
  await refresh(day + 10)
  expect(askedSince(mark)).toEqual(['GET npm/modified_id.csv'])
  expect((await sourceState('osv:npm'))?.reconcile?.lastError).toBe(reason)
  server.files.set('npm/all.zip', wholeFile(many(20).reverse()))
  mark = server.asked.length
  await refresh(day + 70)
  expect(askedSince(mark)).toEqual([
    'GET npm/all.zip',
    'GET npm/modified_id.csv',
    'GET npm/modified_id.csv',
    'HEAD npm/all.zip',
  ])
  expect((await sourceState('osv:npm'))?.reconcile).toMatchObject({
    lastSuccessAt: minutesLater(day + 70),
    lastError: null,
  })
})

test.each([
  [
    'an HTML index',
    'npm/modified_id.csv',
    '<html>Moved</html>',
    'expected an index of times and ids, found an HTML page',
  ],
  ['a missing index', 'npm/modified_id.csv', 404, 'the source has no index of the ecosystem "npm"'],
  [
    'an index that cannot be had',
    'npm/modified_id.csv',
    503,
    'npm/modified_id.csv: expected status 200, found 503',
  ],
])(
  'a delta with %s is refused whole, and taken over when the source is well again',
  async (_, path, content, message) => {
    await addIdentity(database.db, 'npm', 'package-1')
    offer(['npm', many(3)])
    await refresh()
    const stored = await storedRecords(database.db)
    const changed = many(3).map((each) => ({
      ...each,
      modified: '2025-08-01T00:00:00Z',
      aliases: ['CVE-2025-1'],
    }))
    offer(['npm', changed])
    server.files.set(path, content)
    await refresh(10)
    expect(await storedRecords(database.db)).toEqual(stored)
    const state = await sourceState('osv:npm')
    expect(state?.lastError).toContain(message)
    expect(state).toMatchObject({ lastSuccessAt: testNow, lastAttemptAt: minutesLater(10) })
    offer(['npm', changed])
    await refresh(20)
    expect(await storedRecords(database.db)).not.toEqual(stored)
    expect(await sourceState('osv:npm')).toMatchObject({ lastSuccessAt: minutesLater(20), lastError: null })
  },
)

test.each([
  [
    'an HTML record',
    'npm/OSV-2025-1.json',
    '<html>Moved</html>',
    'OSV-2025-1.json: expected JSON, found an HTML page',
  ],
  [
    'a truncated record',
    'npm/OSV-2025-1.json',
    '{"id":"OSV-2025-1","mod',
    'OSV-2025-1.json: expected JSON, found a mistake',
  ],
  [
    'another record',
    'npm/OSV-2025-1.json',
    JSON.stringify(record('OSV-7', 'npm/x')),
    'expected the record OSV-2025-1',
  ],
])(
  'a delta with %s brings all others, says so, and asks for that one again ever more rarely',
  async (_, path, content, message) => {
    await addIdentity(database.db, 'npm', 'package-1')
    offer(['npm', many(3)])
    await refresh()
    const changed = many(3).map((each) => ({ ...each, modified: '2025-08-01T00:00:00Z', summary: 'changed' }))
    offer(['npm', changed])
    server.files.set(path, content)
    await refresh(10)
    const isChanged = async () =>
      ((await storedRecords(database.db)) as { summary: string }[]).map(
        ({ summary }) => summary === 'changed',
      )
    expect(await isChanged()).toEqual([true, false, true])
    const failing = { failingSince: minutesLater(10), lastError: textWith(message) }
    expect(await sourceState('osv:npm')).toMatchObject({ ...failing, lastSuccessAt: minutesLater(10) })
    const mark = server.asked.length
    await refresh(20)
    expect(askedSince(mark)).toEqual(['GET npm/modified_id.csv'])
    expect(await sourceState('osv:npm')).toMatchObject({ ...failing, lastSuccessAt: minutesLater(20) })
    offer(['npm', changed])
    await refresh(75)
    expect(await isChanged()).toEqual([true, true, true])
    expect(await sourceState('osv:npm')).toMatchObject({ lastSuccessAt: minutesLater(75), lastError: null })
  },
)

test('records that all have one time are told apart by what is stored', async () => {
  const undated = many(4).map((each) => ({ ...each, modified: '0001-01-01T00:00:00Z' }))
  await addIdentity(database.db, 'npm', 'package-1')
  offer(['npm', undated.slice(0, 3)])
  await refresh()
  const mark = server.asked.length
  offer(['npm', undated])
  await refresh(10)
  expect(askedSince(mark)).toEqual(['GET npm/OSV-2025-3.json', 'GET npm/modified_id.csv'])
})

test('a listed record that is gone meanwhile is left to the comparison with the whole file', async () => {
  await addIdentity(database.db, 'npm', 'package-1')
  offer(['npm', many(3)])
  await refresh()
  const listed = [...many(3), record('OSV-GONE', 'npm/x', { modified: '2025-09-01T00:00:00Z' })]
  server.files.set('npm/modified_id.csv', indexOf(listed))
  await refresh(10)
  expect(await sourceState('osv:npm')).toMatchObject({
    lastSuccessAt: minutesLater(10),
    lastError: null,
    recordCount: 3,
  })
})

test.each([
  ['with a list', 'npm\n'],
  ['without a list', null],
])(
  'an ecosystem that the mirror, %s, does not have is not a failure, and is loaded once it has',
  async (_, list) => {
    await addIdentity(database.db, 'PyPI', 'snake')
    await addIdentity(database.db, 'npm', 'package-1')
    offer(['npm', many(3)])
    if (list !== null) server.files.set('ecosystems.txt', list)
    await refresh()
    expect(await recordIds()).toHaveLength(3)
    const absent = { lastSuccessAt: null, lastOutcome: 'unchanged', lastError: null, absentSince: testNow }
    expect(await sourceState('osv:PyPI')).toMatchObject(absent)
    expect(await sourceState('osv')).toMatchObject({ lastSuccessAt: testNow, lastError: null })
    await refresh(10)
    expect(await sourceState('osv:PyPI')).toMatchObject(absent)
    offer(['PyPI', [record('PYSEC-2025-1', 'PyPI/snake')]])
    if (list !== null) server.files.set('ecosystems.txt', `${list}PyPI\n`)
    await refresh(20)
    expect(await sourceState('osv:PyPI')).toMatchObject({ isWhole: true, lastError: null, absentSince: null })
  },
)

test('an ecosystem that the mirror had and ended no longer covers, keeps its records, and is loaded again once it is back', async () => {
  await addIdentity(database.db, 'PyPI', 'snake')
  offer(['npm', many(3)], ['PyPI', [record('PYSEC-2025-1', 'PyPI/snake')]])
  server.files.set('ecosystems.txt', 'npm\nPyPI\n')
  await refresh()
  expect(await sourceState('osv:PyPI')).toMatchObject({ isWhole: true, absentSince: null })
  for (const file of ['all.zip', 'modified_id.csv', 'PYSEC-2025-1.json']) server.files.delete(`PyPI/${file}`)
  // while it is still listed, its files fail
  await refresh(10)
  expect(await sourceState('osv:PyPI')).toMatchObject({
    isWhole: true,
    absentSince: null,
    failingSince: minutesLater(10),
  })
  server.files.set('ecosystems.txt', 'npm\n')
  await refresh(20)
  const ended = { isWhole: false, lastError: null, absentSince: minutesLater(20), lastSuccessAt: testNow }
  expect(await sourceState('osv:PyPI')).toMatchObject(ended)
  await refresh(30 * 60)
  expect(await sourceState('osv:PyPI')).toMatchObject(ended)
  expect(await recordIds()).toContain('PYSEC-2025-1')
  offer(['PyPI', [record('PYSEC-2025-1', 'PyPI/snake'), record('PYSEC-2025-2', 'PyPI/snake')]])
  server.files.set('ecosystems.txt', 'npm\nPyPI\n')
  await refresh(31 * 60)
  expect(await sourceState('osv:PyPI')).toMatchObject({ isWhole: true, lastError: null, absentSince: null })
  expect(await recordIds()).toContain('PYSEC-2025-2')
})

test('an ecosystem that the mirror names and does not serve has failed, and so has all of an address that serves none', async () => {
  await addIdentity(database.db, 'PyPI', 'snake')
  const failed = { lastSuccessAt: null, lastError: 'the source has no ecosystem "PyPI"', absentSince: null }
  await refresh()
  expect(await sourceState('osv:PyPI')).toMatchObject({ ...failed, failingSince: testNow })
  offer(['npm', many(3)])
  server.files.set('ecosystems.txt', 'npm\nPyPI\n')
  await refresh(10)
  expect(await sourceState('osv:PyPI')).toMatchObject({ ...failed, failingSince: testNow })
  expect(await sourceState('osv')).toMatchObject({ lastError: `PyPI: ${failed.lastError}` })
})

test('while one process imports, a refresh waits, and so does a command, which says so', async () => {
  await addIdentity(database.db, 'npm', 'package-1')
  offer(['npm', many(3)])
  const began = Promise.withResolvers<undefined>()
  const released = Promise.withResolvers<undefined>()
  const held = inImportTransaction(database.db, asImportOf('records'), () => {
    began.resolve(undefined)
    return released.promise
  })
  await began.promise
  const refreshed = refresh()
  const labels: string[] = []
  const waiting = importVulnerabilityData(importDeps(database.db), {
    from: `${server.url}/npm/all.zip`,
    now: testNow,
    onProgress: ({ label }) => {
      labels.push(label)
      if (label === 'waiting for another import') released.resolve(undefined)
    },
  })
  await Promise.all([held, waiting, refreshed])
  expect(labels).toContain('waiting for another import')
  expect(await recordIds()).toHaveLength(3)
})
