import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { emptyStore } from '../vulndata/support.ts'
import { loadNvd, matchesOf } from './match-support.ts'

/** Products named by CPE whose version is a snapshot of their repository: the commits since its tag may hold a fix or not. */

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(() => emptyStore(database.db))
afterAll(() => database.drop())

const named = (version: string, update = '*', target = '*') =>
  `cpe:2.3:a:acme:x:${version}:${update}:*:*:*:${target}:*:*`

const upTo = (end: string) => ({ criteria: named('*'), versionEndIncluding: end })
const below = (end: string) => ({ criteria: named('*'), versionEndExcluding: end })
const from = (start: string, end: string) => ({
  criteria: named('*'),
  versionStartIncluding: start,
  versionEndExcluding: end,
})
const snapshot = ['possible snapshot']

type Case = [rule: string, criterion: Record<string, unknown>, cpe: string, expected: string[]]

const cases: Case[] = [
  ['behind the last affected version', upTo('2.0'), named('2.0-5-gabcdef0'), snapshot],
  ['on the way to the fix', below('2.0'), named('1.9-14-gabcdef0'), snapshot],
  ['behind the fix', below('2.0'), named('2.0-5-gabcdef0'), []],
  ['behind the version before the first', from('2.0.1', '3.0'), named('2.0-5-gabcdef0'), []],
  ['more commits than the next release counts', from('2.0', '2.0.3'), named('2.0-500-gabcdef0'), snapshot],
  ['at the tag', upTo('2.0'), named('2.0-0-gabcdef0'), ['exact']],
  ['at the tag of the fix', below('2.0'), named('2.0-0-gabcdef0'), []],
  ['changed since the tag', upTo('2.0'), named('2.0-dirty'), snapshot],
  ['by date', upTo('2.0'), named('2.0+git20240101'), snapshot],
  ['between tags, as Go writes it', upTo('1.2.3'), named('v1.2.4-0.20240101120000-abcdef012345'), snapshot],
  ['behind a candidate', below('2.0'), named('2.0-rc1-3-gabcdef0'), snapshot],
  ['behind a listed version', { criteria: named('2.0') }, named('2.0-5-gabcdef0'), snapshot],
  ['listed itself', { criteria: named('2.0-5-gabcdef0') }, named('2.0-5-gabcdef0'), ['exact']],
  [
    'listed itself, in other letters',
    { criteria: named('2.0-5-gABCDEF0') },
    named('v2.0-5-gabcdef0'),
    ['exact'],
  ],
  ['another one is listed', { criteria: named('2.0-6-gabcdef1') }, named('2.0-5-gabcdef0'), []],
  ['every version', { criteria: named('*') }, named('2.0-5-gabcdef0'), ['possible any_version']],
  [
    'for the same target',
    { ...upTo('2.0'), criteria: named('*', '*', 'wordpress') },
    named('2.0-5-gabcdef0', '*', 'wordpress'),
    snapshot,
  ],
  [
    'for another target',
    { ...upTo('2.0'), criteria: named('*', '*', 'wordpress') },
    named('2.0-5-gabcdef0', '*', 'drupal'),
    [],
  ],
  ['a tag without order', upTo('2.0'), named('trunk2-5-gabcdef0'), []],
  ['a count behind the version is none', upTo('2.0'), named('2.0-5'), []],
]

describe('a snapshot named by CPE', () => {
  it.each(cases)('%s', async (_, criterion, cpe, expected) => {
    await loadNvd(database.db, criterion)
    expect(await matchesOf(database.db, { cpe })).toEqual(
      expected.map((match) => `NVD:CVE-2025-1000 ${match}`),
    )
  })

  it('states it beside a CPE without a version', async () => {
    await loadNvd(database.db, upTo('2.0'))
    const component = { cpe: named('*'), version: '2.0-5-gabcdef0' }
    expect(await matchesOf(database.db, component)).toEqual(['NVD:CVE-2025-1000 possible guessed_cpe'])
  })
})
