import { describe, expect, it } from 'vitest'
import { drawSteps } from '../../kit/chart/drawing.ts'
import { trendOf } from './trend-chart.ts'

const day = (name: string, open: number) => ({
  day: name,
  opened: 0,
  reopened: 0,
  closed: 0,
  settled: 0,
  open,
})

function drawn(days: ReturnType<typeof day>[], today: string) {
  const trend = trendOf(days, today)
  if (trend === undefined) return undefined
  const { points, ...drawing } = trend
  return { line: drawSteps(points, { ...drawing, holds: true }), ...drawing }
}

describe('drawTrend', () => {
  it('draws nothing without days', () => {
    expect(drawn([], '2026-01-10')).toBeUndefined()
  })

  it('steps at each day and goes on until today', () => {
    expect(drawn([day('2026-01-01', 2), day('2026-01-06', 4)], '2026-01-10')).toEqual({
      line: 'M0,100H500V0H1000',
      top: 4,
      firstDay: '2026-01-01',
      lastDay: '2026-01-10',
    })
  })

  it('draws a family of one day, and one without open findings', () => {
    expect(drawn([day('2026-01-01', 1)], '2026-01-01')?.line).toBe('M0,0H1000')
    expect(drawn([day('2026-01-01', 0)], '2026-01-02')).toMatchObject({
      line: 'M0,200H1000',
      top: 1,
    })
  })

  it('does not draw beyond its box when the browser lives a day behind', () => {
    expect(drawn([day('2026-01-01', 1), day('2026-01-03', 1)], '2026-01-02')?.lastDay).toBe('2026-01-03')
  })
})
