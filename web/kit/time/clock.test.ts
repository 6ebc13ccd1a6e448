import { describe, expect, it } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import { aheadBy } from './clock.ts'
const at = Date.parse('2026-11-29T12:00:00.400Z')

describe('aheadBy', () => {
  it.each([
    ['clocks that agree', { date: 'Sun, 29 Nov 2026 12:00:00 GMT', cameMs: at + 90 }, 0, 0],
    ['an answer that took a minute', { date: 'Sun, 29 Nov 2026 12:00:59 GMT', cameMs: at + 60_000 }, 0, 0],
    ['a few seconds', { date: 'Sun, 29 Nov 2026 12:00:08 GMT', cameMs: at + 90 }, 0, 0],
    ['a browser set right again', { date: 'Sun, 29 Nov 2026 12:00:00 GMT', cameMs: at + 90 }, dayMs, 0],
    ['an answer without a time', { date: null, cameMs: at }, dayMs, dayMs],
    ['a time that is none', { date: 'yesterday', cameMs: at }, 0, 0],
    ['what is known already', { date: 'Mon, 30 Nov 2026 12:00:02 GMT', cameMs: at + 4000 }, dayMs, dayMs],
  ])('%s', (_case, { date, cameMs }, known, ahead) => {
    expect(aheadBy({ date, askedMs: at, cameMs }, known)).toBe(ahead)
  })

  it.each([
    ['a browser that is a day late', 'Mon, 30 Nov 2026 12:00:00 GMT', dayMs],
    ['one that is a day early', 'Sat, 28 Nov 2026 12:00:00 GMT', -dayMs],
  ])('%s, to the second', (_case, date, ahead) => {
    const found = aheadBy({ date, askedMs: at, cameMs: at + 90 }, 0)
    expect(Math.abs(found - ahead)).toBeLessThan(1000)
  })
})
