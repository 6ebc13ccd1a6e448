import { expect, it } from 'vitest'
import type { CountedDay } from '#contract/metrics/shapes.ts'
import { changedDays } from './counted.ts'

const counted = (day: string, kev: number, covered: number): CountedDay => {
  return { day, kev, euvd: 0, exploited: kev, covered, components: 10 }
}

it('a table has the days on which its own figures changed, the newest first', () => {
  const days = [
    counted('2026-01-01', 1, 5),
    counted('2026-01-02', 1, 6),
    counted('2026-01-03', 2, 6),
    counted('2026-01-04', 2, 6),
  ]
  expect(changedDays(days, ['kev', 'euvd']).map(({ day }) => day)).toEqual(['2026-01-03', '2026-01-01'])
  expect(changedDays(days, ['covered', 'components']).map(({ day }) => day)).toEqual([
    '2026-01-02',
    '2026-01-01',
  ])
  expect(changedDays([], ['kev'])).toEqual([])
})
