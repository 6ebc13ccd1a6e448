import { expect, it } from 'vitest'
import { inZoneAndUtc, shownDay, shownSecond, shownTime } from './shown-time.ts'

it.each([
  ['2025-11-21T13:02:11.325Z', 'Europe/Oslo', '21 Nov 2025, 14:02 CET'],
  ['2025-07-01T23:30:00.000Z', 'UTC', '1 Jul 2025, 23:30 UTC'],
])('%s in %s is %s', (at, zone, words) => {
  expect(shownTime(at, zone)).toBe(words)
  expect(shownTime(new Date(at), zone)).toBe(words)
})

it('is in UTC where no zone is given, and never finer than a second', () => {
  expect(shownTime('2025-11-21T13:02:11.325Z')).toBe('21 Nov 2025, 13:02 UTC')
  expect(shownSecond('2025-11-21T13:02:11.325Z')).toBe('21 Nov 2025, 13:02:11 UTC')
})

it.each([
  ['2021-12-10', '10 Dec 2021'],
  ['soon', 'soon'],
])('%s as a day is %s', (isoDate, words) => {
  expect(shownDay(isoDate)).toBe(words)
})

it.each([
  ['de', '21. Sept. 2025, 13:02 UTC'],
  ['nb', '21. sep. 2025, 13:02 UTC'],
])('in %s it is %s', (language, words) => {
  expect(shownTime('2025-09-21T13:02:11.325Z', 'UTC', language)).toBe(words)
})

it.each([
  ['Europe/Oslo', '2026-11-30T01:19:57.000Z', '30 Nov 2026, 02:19 CET (01:19 UTC)'],
  ['Europe/Oslo', '2026-11-29T23:19:57.000Z', '30 Nov 2026, 00:19 CET (29 Nov 2026, 23:19 UTC)'],
  ['Asia/Kathmandu', '2026-11-30T01:19:57.000Z', '30 Nov 2026, 07:04 GMT+5:45 (01:19 UTC)'],
  ['UTC', '2026-11-30T01:19:57.000Z', '30 Nov 2026, 01:19 UTC'],
])('for people in %s %s is %s', (zone, at, words) => {
  expect(inZoneAndUtc(zone)(at)).toBe(words)
})
