import { describe, expect, it } from 'vitest'
import {
  formatAbsolute,
  formatAge,
  formatBytes,
  formatCount,
  formatDate,
  formatMoment,
  formatNoun,
  formatShare,
  formatZoned,
} from './format.ts'

const plain = (words: string) => words.replaceAll('\u202f', ' ')
const now = Date.parse('2026-01-01T12:00:00.000Z')

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1284, '1 284'],
    [50000, '50 000'],
    [1234567, '1 234 567'],
  ])('%d → %s', (count, words) => {
    expect(plain(formatCount(count))).toBe(words)
  })

  it.each([
    [1, '1 finding'],
    [0, '0 findings'],
    [2, '2 findings'],
  ])('%d with its noun → %s', (count, words) => {
    expect(formatNoun(count, 'finding')).toBe(words)
  })
})

describe('formatShare never rounds up to all or down to none', () => {
  it.each([
    [0, 0, '–'],
    [0, 10, '0 %'],
    [10, 10, '100 %'],
    [9999, 10000, '99.9 %'],
    [49999, 50000, '99.9 %'],
    [1, 50000, '0.1 %'],
    [995, 1000, '99.5 %'],
    [983, 1000, '98 %'],
    [1, 3, '33 %'],
  ])('%d of %d → %s', (part, whole, words) => {
    expect(plain(formatShare(part, whole))).toBe(words)
  })
})

describe('formatBytes', () => {
  it.each([
    [12, '12 B'],
    [2048, '2.0 kB'],
    [5 * 1024 * 1024, '5.0 MB'],
    [1024 ** 3, '1.0 GB'],
    [5.5 * 1024 ** 3, '5.5 GB'],
  ])('%d → %s', (sizeBytes, words) => {
    expect(plain(formatBytes(sizeBytes))).toBe(words)
  })
})

describe('formatAge', () => {
  it.each([
    ['2026-01-01T11:59:48.000Z', '12 s ago'],
    ['2026-01-01T12:00:03.000Z', '0 s ago'],
    ['2026-01-01T11:55:00.000Z', '5 min ago'],
    ['2026-01-01T08:48:00.000Z', '3 h ago'],
    ['2026-01-01T09:00:00.000Z', '3 h ago'],
    ['2025-12-28T09:00:00.000Z', '4 d ago'],
    ['2025-12-15T09:00:00.000Z', '17 d ago'],
    ['2026-01-30T12:00:00.000Z', 'in 29 d'],
    ['2026-01-01T15:12:30.000Z', 'in 3 h 12 min'],
  ])('%s → %s', (iso, words) => {
    expect(formatAge(iso, now)).toBe(words)
  })
})

describe('absolute times', () => {
  it('names the local time with its zone, and UTC', () => {
    expect(formatAbsolute('2025-11-21T13:02:11.000Z', 'Europe/Oslo')).toBe(
      '21 Nov 2025, 14:02:11 CET · 21 Nov 2025, 13:02:11 UTC',
    )
  })

  it.each([
    ['2026-01-01T09:05:00.000Z', '10:05 CET today'],
    ['2026-01-03T09:05:00.000Z', '3 Jan, 10:05 CET'],
    ['2025-11-21T13:02:11.000Z', '21 Nov 2025'],
  ])('%s as a moment → %s', (iso, words) => {
    expect(formatMoment(iso, now, 'Europe/Oslo')).toBe(words)
  })

  it.each([
    ['2021-12-10', '10 Dec 2021'],
    ['soon', 'soon'],
  ])('%s as a date → %s', (isoDate, words) => {
    expect(formatDate(isoDate)).toBe(words)
  })
})

it.each([
  ['2025-11-21T13:02:11.000Z', 'Europe/Oslo', '21 Nov 2025, 14:02 CET'],
  ['2025-07-01T23:30:00.000Z', 'UTC', '1 Jul 2025, 23:30 UTC'],
])('%s in %s with its zone → %s', (at, zone, words) => {
  expect(formatZoned(at, zone)).toBe(words)
})
