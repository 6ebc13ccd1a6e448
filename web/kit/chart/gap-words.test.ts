import { expect, it } from 'vitest'
import { gapWords } from './gap-words.ts'

const gap = (firstDay: string, lastDay: string, days: number) => ({ firstDay, lastDay, days })

it.each([
  [[], undefined],
  [[gap('2026-11-04', '2026-11-06', 3)], 'No figures for 3 days: 4–6 Nov 2026'],
  [[gap('2026-11-04', '2026-11-04', 1)], 'No figures for one day: 4 Nov 2026'],
  [
    [gap('2026-10-30', '2026-11-02', 4), gap('2026-11-13', '2026-11-13', 1)],
    'No figures for 5 days: 30 Oct 2026 – 2 Nov 2026, 13 Nov 2026',
  ],
  [
    ['01', '03', '05', '07', '09', '11'].map((day) => gap(`2026-11-${day}`, `2026-11-${day}`, 1)),
    'No figures for 6 days: 1 Nov 2026, 3 Nov 2026, 5 Nov 2026, 7 Nov 2026, and 2 days more',
  ],
])('%j in words is %s', (gaps, words) => {
  expect(gapWords(gaps)).toBe(words)
})
