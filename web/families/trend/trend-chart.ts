import type { FamilyHistoryDay } from '#contract/inventory/shapes.ts'
import type { Days, Point } from '../../kit/chart/drawing.ts'

/** What the chart shows; the highest count is at the top. */
export type Trend = Days & { points: Point[]; top: number }

/** The open findings of a family until `today`; undefined when nothing was ever found. */
export function trendOf(days: readonly FamilyHistoryDay[], today: string): Trend | undefined {
  const [first] = days
  const newest = days.at(-1)
  if (first === undefined || newest === undefined) return undefined
  return {
    points: days.map(({ day, open }) => ({ day, value: open })),
    top: Math.max(1, ...days.map(({ open }) => open)),
    firstDay: first.day,
    lastDay: newest.day > today ? newest.day : today,
  }
}
