import { beforeEach, expect, test } from 'vitest'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { oval, type Elsa } from './elsa.ts'
import { addIdentity, emptyStore, importDeps } from './support.ts'
import { serveFeed } from './feed-scene.ts'

const start = new Date('2026-04-03T22:00:00Z')
const file = 'com.oracle.elsa-all.xml.bz2'
const feed = serveFeed('oracle-linux', { start, path: file })
const { later, refresh, state, live, isAwaited } = feed
beforeEach(async () => {
  await addIdentity(feed.db, 'Oracle Linux', 'zlib')
})

const notice = (number: number, fixed = '0:2.0-1.el8'): Elsa => ({
  id: `ELSA-2024-${1000 + number}`,
  cves: [`CVE-2024-${1000 + number}`],
  packages: [['zlib', fixed]],
})
const many = Array.from({ length: 20 }, (_, at) => notice(at))

const asked = () => feed.server.asked.splice(0).map((line) => line.split(' ', 1)[0])

test('nothing is asked before a component is of Oracle Linux', async () => {
  await emptyStore(feed.db)
  await addIdentity(feed.db, 'npm', 'pump')
  await refresh()
  expect(feed.server.asked).toEqual([])
  expect(await isAwaited()).toBe(false)
  await addIdentity(feed.db, 'Oracle Linux', 'zlib')
  expect(await isAwaited()).toBe(true)
})

test('the file is taken over, and asked for again only when its server says that it has changed', async () => {
  feed.server.files.set(file, oval(...many))
  await refresh()
  expect(asked()).toEqual(['HEAD', 'GET'])
  expect(await state()).toMatchObject({ isWhole: true, recordCount: 20, lastOutcome: 'new_data' })
  await refresh(later(1))
  expect(asked()).toEqual([])
  await refresh(later(7))
  expect(asked()).toEqual(['HEAD'])
  expect(await state()).toMatchObject({ lastOutcome: 'unchanged', lastSuccessAt: later(7) })
  await feed.readAgain()
  await refresh(later(14))
  expect(asked()).toEqual(['HEAD', 'GET'])
  expect(await state()).toMatchObject({ lastOutcome: 'unchanged', recordCount: 20 })
})

test('a notice that is taken back is withdrawn', async () => {
  feed.server.files.set(file, oval(...many))
  await refresh()
  feed.server.files.set(file, oval(...many.slice(2)))
  await refresh(later(7))
  expect(await live()).toHaveLength(18)
})

const broken: [what: string, content: string | number, says: RegExp][] = [
  ['a file that lost more than a tenth', oval(...many.slice(3)), /withdraws more than 10 %/],
  ['a file that is cut off', oval(...many, notice(30)).slice(0, -2_000), /cut off/],
  ['a page', '<!doctype html><html></html>', /an HTML page/],
  ['another XML document', '<updates></updates>', /an XML document/],
  ['a file without notices', oval(), /found none/],
  ['bzip2 of something else', 'BZh91AY&SY and no more', /bzip2/],
  ['no answer', 503, /found 503/],
]

test.each(broken)('%s changes nothing', async (_, content, says) => {
  feed.server.files.set(file, oval(...many))
  await refresh()
  feed.server.files.set(file, content)
  await refresh(later(7))
  expect(await live()).toHaveLength(20)
  expect(await state()).toMatchObject({ isWhole: true, lastOutcome: 'error', lastSuccessAt: start })
  expect((await state())?.lastError).toMatch(says)
})

test('switched off it is left alone', async () => {
  await refreshSource(importDeps(feed.db), { source: 'oracle-linux', now: start })
  expect(await state()).toBeUndefined()
})
