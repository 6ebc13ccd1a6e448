import { expect, test } from 'vitest'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { alasMirror, type Alas } from './alas.ts'
import { addIdentity, importDeps } from './support.ts'
import { serveFeed } from './feed-scene.ts'
import { textWith } from '../support/expected.ts'

const start = new Date('2026-04-03T22:00:00Z')
const feed = serveFeed('amazon-linux', { start })
const { later, refresh, state, live, isAwaited } = feed

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
  nvidia: [notice('ALAS2023NVIDIA-2025-001')],
  'golang1.19': [notice('ALAS2GOLANG1.19-2023-600')],
}

function offer(notices: Record<string, readonly Alas[]>): void {
  feed.server.files.clear()
  for (const [path, content] of Object.entries(alasMirror(notices))) feed.server.files.set(path, content)
}

const downloads = () =>
  feed.server.asked.splice(0).filter((line) => line.endsWith('updateinfo.xml.gz')).length

test('nothing is asked before a component is of Amazon Linux; then all repositories are taken over', async () => {
  offer({ '2': many, ...others })
  await refresh()
  expect(feed.server.asked).toEqual([])
  await addIdentity(feed.db, 'npm', 'pump')
  expect(await isAwaited()).toBe(false)
  await addIdentity(feed.db, 'Amazon Linux', 'zlib')
  expect(await isAwaited()).toBe(true)
  await refresh()
  expect(downloads()).toBe(6)
  expect(await state()).toMatchObject({
    isWhole: true,
    recordCount: 25,
    lastError: null,
    lastSuccessAt: start,
  })
  expect(await isAwaited()).toBe(false)
})

test('within hours nobody is asked, later only the indexes while they are the same', async () => {
  offer({ '2': many, ...others })
  await addIdentity(feed.db, 'Amazon Linux', 'zlib')
  await refresh()
  feed.server.asked.length = 0
  await refresh(later(1))
  expect(feed.server.asked).toEqual([])
  await refresh(later(7))
  expect(feed.server.asked.length).toBeGreaterThan(5)
  expect(downloads()).toBe(0)
  expect(await state()).toMatchObject({ lastOutcome: 'unchanged', lastSuccessAt: later(7) })
})

test('a notice that the publisher takes back is withdrawn, and more than a tenth are not', async () => {
  offer({ '2': many, ...others })
  await addIdentity(feed.db, 'Amazon Linux', 'zlib')
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
    lastError: textWith('a file that withdraws more than 10 %'),
    lastSuccessAt: later(7),
  })
})

test('a topic that cannot be had keeps no other repository back, and nothing is withdrawn meanwhile', async () => {
  const before = { '2': many, ...others }
  const topic = '2/extras/golang1.19/latest/x86_64/mirror.list'
  offer(before)
  await addIdentity(feed.db, 'Amazon Linux', 'zlib')
  await refresh()
  offer({ ...before, '2': [...many.slice(1), notice('ALAS2-2024-700')] })
  const list = feed.server.files.get(topic) ?? 404
  feed.server.files.set(topic, 404)
  await refresh(later(7))
  expect(await live()).toEqual(expect.arrayContaining(['ALAS2-2024-100', 'ALAS2-2024-700']))
  expect(await state()).toMatchObject({
    lastSuccessAt: later(7),
    lastError: textWith(`${topic}: expected status 200`),
  })
  feed.server.files.set(topic, list)
  await refresh(later(14))
  expect(await live()).not.toContain('ALAS2-2024-100')
  expect(await state()).toMatchObject({ lastError: null, isWhole: true })
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
  await addIdentity(feed.db, 'Amazon Linux', 'zlib')
  await refresh()
  const before = await live()
  offer({ '2': [...many, notice('ALAS2-2024-700')], ...others })
  for (const name of feed.server.files.keys()) if (path.test(name)) feed.server.files.set(name, content)
  await refresh(later(7))
  expect(await live()).toEqual(before)
  expect(await state()).toMatchObject({ isWhole: true, lastOutcome: 'error', lastSuccessAt: start })
  expect((await state())?.lastError).toMatch(says)
})

test('switched off it is left alone', async () => {
  await addIdentity(feed.db, 'Amazon Linux', 'zlib')
  await refreshSource(importDeps(feed.db), { source: 'amazon-linux', now: start })
  expect(await state()).toBeUndefined()
})
