import { expect, test } from 'vitest'
import { formatCountdown } from './until.ts'

const minute = 60_000
const hour = 60 * minute

test.each([
  [0, '0 s'],
  [9_999, '9 s'],
  [42 * minute + 10_000, '42 min 10 s'],
  [-(5 * minute + 1_000), '5 min 01 s'],
  [24 * hour - 1, '23 h 59 min'],
  [31 * hour + 5 * minute, '31 h 05 min'],
  [95 * hour + 59 * minute, '95 h 59 min'],
  [96 * hour, '4 d 0 h'],
  [13 * 24 * hour + 7 * hour, '13 d 7 h'],
])('%d ms are told as %s', (ms, words) => {
  expect(formatCountdown(ms)).toBe(words)
})
