import { dayMs } from '#contract/durations.ts'
import type { FamilyHistoryDay } from '#contract/inventory/shapes.ts'

export type Trend = {
  /** An SVG path in a box of 1 000 by 200, stepping at each day. */
  line: string
  area: string
  /** The highest count, at the top of the box. */
  top: number
  firstDay: string
  lastDay: string
}

export const trendWidth = 1000
export const trendHeight = 200

/** The open findings of a family drawn over time until `today`; undefined when nothing was ever found. */
export function drawTrend(days: readonly FamilyHistoryDay[], today: string): Trend | undefined {
  const [first] = days
  const newest = days.at(-1)
  if (first === undefined || newest === undefined) return undefined
  const lastDay = newest.day > today ? newest.day : today
  const start = Date.parse(first.day)
  const span = Math.max(dayMs, Date.parse(lastDay) - start)
  const top = Math.max(1, ...days.map(({ open }) => open))
  const at = (day: string) => round(((Date.parse(day) - start) / span) * trendWidth)
  const height = (open: number) => round(trendHeight - (open / top) * trendHeight)
  const steps = days.map(({ day, open }) => `H${at(day)}V${height(open)}`)
  const line = `M0,${trendHeight}${steps.join('')}H${trendWidth}`
  return { line, area: `${line}V${trendHeight}Z`, top, firstDay: first.day, lastDay }
}

function round(place: number): number {
  return Math.round(place * 10) / 10
}
