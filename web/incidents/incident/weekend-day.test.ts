import { expect, test } from 'vitest'
import { weekendDay } from './weekend-day.ts'

test.each([
  ['2026-11-27T22:59:00Z', undefined],
  ['2026-11-27T23:00:00Z', 'Saturday'],
  ['2026-11-29T22:59:00Z', 'Sunday'],
  ['2026-11-29T23:00:00Z', undefined],
])('%s in Oslo: %s', (at, day) => {
  expect(weekendDay(at, 'Europe/Oslo')).toBe(day)
})
