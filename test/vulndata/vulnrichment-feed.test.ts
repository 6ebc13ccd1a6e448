import { beforeEach, expect, test } from 'vitest'
import { addIdentity, emptyStore, zipOf } from './support.ts'
import { serveFeed } from './feed-scene.ts'

const start = new Date('2026-04-03T22:00:00Z')
const file = 'cisagov/vulnrichment/zip/refs/heads/develop'
const feed = serveFeed('vulnrichment', { start, path: file })
const { later, refresh, state, isAwaited } = feed
beforeEach(async () => {
  await addIdentity(feed.db, 'npm', 'pump')
})

/** Packed like GitHub's archive of the repository: below one folder, with other files beside the records. */
function archiveOf(...numbers: number[]): Buffer {
  const records = numbers.map((number): [string, string] => [
    `vulnrichment-develop/2025/1xxx/CVE-2025-${number}.json`,
    recordOf(`CVE-2025-${number}`),
  ])
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'https://cisa.example/ssvc' }
  return zipOf({
    'vulnrichment-develop/README.md': '# Vulnrichment',
    'vulnrichment-develop/assets/schema.json': JSON.stringify(schema),
    ...Object.fromEntries(records),
  })
}

function recordOf(cveId: string): string {
  const metric = {
    cvssV3_1: { version: '3.1', vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
  }
  return JSON.stringify({
    dataType: 'CVE_RECORD',
    dataVersion: '5.1',
    cveMetadata: { cveId, state: 'PUBLISHED', dateUpdated: '2025-04-03T20:53:22.977Z' },
    containers: {
      cna: { affected: [] },
      adp: [{ providerMetadata: { shortName: 'CISA-ADP' }, metrics: [metric] }],
    },
  })
}

const many = Array.from({ length: 30 }, (_, at) => 1_000 + at)
const asked = () => feed.server.asked.splice(0).map((line) => line.split(' ', 1)[0])

test('nothing is asked before there is a component', async () => {
  await emptyStore(feed.db)
  await refresh()
  expect(feed.server.asked).toEqual([])
  expect(await isAwaited()).toBe(false)
  await addIdentity(feed.db, 'npm', 'pump')
  expect(await isAwaited()).toBe(true)
})

test('the repository is taken over whole, once a day and only when it has changed', async () => {
  feed.server.files.set(file, archiveOf(...many))
  await refresh()
  expect(asked()).toEqual(['HEAD', 'GET'])
  expect(await state()).toMatchObject({ isWhole: true, recordCount: 30, lastOutcome: 'new_data' })
  await refresh(later(23))
  expect(asked()).toEqual([])
  await refresh(later(24))
  expect(asked()).toEqual(['HEAD'])
  expect(await state()).toMatchObject({ lastOutcome: 'unchanged', lastSuccessAt: later(24) })
  feed.server.files.set(file, archiveOf(...many, 1_100))
  await refresh(later(48))
  expect(asked()).toEqual(['HEAD', 'GET'])
  expect(await state()).toMatchObject({ recordCount: 31, lastOutcome: 'new_data' })
  await feed.readAgain()
  await refresh(later(72))
  expect(asked()).toEqual(['HEAD', 'GET'])
})

test.each<[what: string, content: string | number | Buffer, says: RegExp]>([
  ['a page', '<!doctype html><html></html>', /zip/],
  ['an error', 404, /expected status 200, found 404/],
  ['an archive that is cut off', archiveOf(...many).subarray(0, -40), /zip/],
  ['an archive without most of the records', archiveOf(1_000, 1_001), /withdraws more than 10 %/],
])('%s is refused, and the last good data stays', async (_what, content, says) => {
  feed.server.files.set(file, archiveOf(...many))
  await refresh()
  feed.server.files.set(file, content)
  await refresh(later(24))
  const row = await state()
  expect(row).toMatchObject({ isWhole: true, recordCount: 30, lastSuccessAt: start, lastOutcome: 'error' })
  expect(row?.lastError).toMatch(says)
})
