import { describe, expect, it } from 'vitest'
import { drawTrend } from './trend-chart.ts'

const day = (name: string, open: number) => ({
  day: name,
  opened: 0,
  reopened: 0,
  closed: 0,
  settled: 0,
  open,
})

describe('drawTrend', () => {
  it('draws nothing of nothing', () => {
    expect(drawTrend([], '2026-01-10')).toBeUndefined()
  })

  it('steps at each day and goes on until today', () => {
    expect(drawTrend([day('2026-01-01', 2), day('2026-01-06', 4)], '2026-01-11')).toEqual({
      line: 'M0,200H0V100H500V0H1000',
      area: 'M0,200H0V100H500V0H1000V200Z',
      top: 4,
      firstDay: '2026-01-01',
      lastDay: '2026-01-11',
    })
  })

  it('draws a family of one day, and one without open findings', () => {
    expect(drawTrend([day('2026-01-01', 1)], '2026-01-01')?.line).toBe('M0,200H0V0H1000')
    expect(drawTrend([day('2026-01-01', 0)], '2026-01-02')).toMatchObject({
      line: 'M0,200H0V200H1000',
      top: 1,
    })
  })

  it('does not draw beyond its box when the browser lives a day behind', () => {
    expect(drawTrend([day('2026-01-01', 1), day('2026-01-03', 1)], '2026-01-02')?.lastDay).toBe('2026-01-03')
  })
})
