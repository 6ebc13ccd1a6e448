import { describe, expect, it } from 'vitest'
import type { CountedDay, Metrics } from '#contract/metrics/shapes.ts'
import { coverageNow, coverageTitle, exposureTitle, openTitle, timesTitle } from './words.ts'

const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 }
const firstDay = '2026-01-01'

describe('a title says what its chart shows', () => {
  it.each([
    [[0, 0], firstDay, '0 findings are open, as many as on 1 Jan 2026'],
    [[0, 1], firstDay, '1 finding is open, 1 more than on 1 Jan 2026'],
    [[7, 3], '2025-06-01', '3 findings are open, 4 fewer than on 1 Jan 2026'],
    [[0, 3], '2026-01-02', '3 findings are open'],
  ])('open %j known since %s', ([before = 0, now = 0], knownSince, title) => {
    const open = [
      { day: firstDay, open: { ...none, high: before } },
      { day: '2026-01-05', open: { ...none, low: now } },
    ]
    const judged = [{ day: '2026-01-05', kev: 0, euvd: 0, exploited: 0, covered: 1, components: 1 }]
    expect(openTitle({ open, firstDay, knownSince, counted: judged })).toBe(title)
  })

  it.each([
    [9, '100 % of the components covered'],
    [3, '33 % of the components covered'],
    [0, '0 % of the components covered'],
  ])('says beside the counts that %i of 9 components are covered', (covered, words) => {
    const said = coverageNow({ counted: [counted('2026-01-04', 9, 9), counted('2026-01-05', covered, 9)] })
    expect(said?.replaceAll(/\s/g, ' ')).toBe(words)
  })

  it('nothing found where nothing could be checked is not a zero', () => {
    const open = [{ day: firstDay, open: none }]
    const unjudged = [counted('2026-01-05', 0, 9)]
    expect(openTitle({ open, firstDay, knownSince: firstDay, counted: unjudged })).toBe(
      'Open findings are not known: no component could be checked',
    )
    expect(exposureTitle({ counted: unjudged })).toBe('Exposure is not known: no component could be checked')
  })

  const counted = (day: string, covered: number, components: number, exploited = 0): CountedDay => {
    return { day, kev: 0, euvd: exploited, exploited, covered, components }
  }

  it.each([
    [[], 'There are no components to cover'],
    [[counted('2026-01-05', 0, 0)], 'There are no components to cover'],
    [[counted('2026-01-05', 94, 100)], '94\u202f% of the components are covered'],
    [
      [counted('2026-01-03', 0, 0), counted('2026-01-04', 1, 2), counted('2026-01-05', 9999, 10_000)],
      '99.9\u202f% of the components are covered, 50\u202f% on 4 Jan 2026',
    ],
  ])('coverage %#', (days, title) => {
    expect(coverageTitle({ counted: days })).toBe(title)
  })

  it.each([
    [0, 'No open finding is known to be exploited'],
    [1, '1 open finding is known to be exploited'],
    [2, '2 open findings are known to be exploited'],
  ])('%i exploited', (exploited, title) => {
    expect(exposureTitle({ counted: [counted('2026-01-05', 1, 1, exploited)] })).toBe(title)
  })

  const took = (seconds: number | null) => {
    return { count: seconds === null ? 0 : 1, medianSeconds: seconds, p90Seconds: seconds }
  }
  const all = (verdict: number | null, fix: number | null): Metrics['all'] => {
    return { verdict: took(verdict), verdictBefore: 0, fix: took(fix), waiting: took(null) }
  }

  it.each([
    [all(2 * 86_400, 14 * 86_400), 'Half of the verdicts came within 2 d, half of the fixes within 14 d'],
    [all(3600, null), 'Half of the verdicts came within 1 h; nothing was fixed'],
    [all(null, 3600), 'Half of the fixes came within 1 h; no verdict was given'],
    [all(null, null), 'No verdict was given and nothing was fixed in this period'],
  ])('times %#', (times, title) => {
    expect(timesTitle({ all: times })).toBe(title)
  })
})
