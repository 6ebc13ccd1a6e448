import { expect, test } from 'vitest'
import { cleanedEntry, distinctEntries, readDate, type CatalogueEntry } from './entry.ts'

test.each([
  ['2025-04-16', '2025-04-16'],
  ['2025/04/16', '2025-04-16'],
  ['25/04/16', '2025-04-16'],
  ['2025/4/6', '2025-04-06'],
  ['2025-04-16T07:00:16Z', '2025-04-16'],
  ['2025-04-16 07:00', '2025-04-16'],
  ['Apr 16, 2025, 7:00:16 AM', '2025-04-16'],
  ['September 1, 2025', '2025-09-01'],
  ['2025-02-30', null],
  ['2025-13-01', null],
  ['16.04.2025', null],
  ['Foo 16, 2025', null],
  ['20250416', null],
  ['', null],
  [null, null],
])('the date %j is %j', (text, expected) => {
  expect(readDate(text)).toBe(expected)
})

test('entries are cleaned in every depth, keys included', () => {
  const hostile: unknown = JSON.parse(
    '{"a\\u0000":"b\\u0000","list":["\\ud800x",1,null],"__proto__":{"a":1},"deep":{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}}',
  )
  const cleaned = cleanedEntry(hostile)
  expect(JSON.stringify(cleaned)).toBe(
    '{"a":"b","list":["x",1,null],"__proto__":{"a":1},"deep":{"a":{"b":{"c":{"d":{"e":null}}}}}}',
  )
  expect(cleanedEntry([1])).toEqual({})
})

test('a vulnerability that is listed twice is one entry, of the earlier date', () => {
  const entry = (cveId: string | null, euvdId: string | null, listedOn: string | null): CatalogueEntry => ({
    cveId,
    euvdId,
    name: '',
    listedOn,
    raw: {},
  })
  const list = [
    entry('CVE-1', null, '2025-02-01'),
    entry('CVE-1', null, '2025-01-01'),
    entry('CVE-1', null, null),
    entry(null, 'EUVD-1', null),
    entry(null, 'EUVD-2', null),
    entry('CVE-2', 'EUVD-2', null),
  ]
  expect(distinctEntries(list).map((each) => [each.cveId, each.euvdId, each.listedOn])).toEqual([
    ['CVE-1', null, '2025-01-01'],
    [null, 'EUVD-1', null],
    ['CVE-2', 'EUVD-2', null],
  ])
})
