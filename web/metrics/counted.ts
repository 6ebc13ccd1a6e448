import type { CountedDay, Metrics } from '#contract/metrics/shapes.ts'
import { formatDate } from '../kit/text/format.ts'

export const countedNote =
  'Counted once on each day. Days on which the service did not run or monitoring was paused have no figures; the line is dotted across them.'

/** Since when there are counts, and what the chart says about the days before. */
export function countedSince({ countedSince: since, today }: Pick<Metrics, 'countedSince' | 'today'>): {
  since: string
  before: string
} {
  const first = since ?? today
  return { since: first, before: `Known since ${formatDate(first)}` }
}

/** Days whose figures differ from the day before, newest first: a table need not repeat the others. */
export function changedDays(
  days: readonly CountedDay[],
  figures: readonly (keyof Omit<CountedDay, 'day'>)[],
): CountedDay[] {
  const changed = days.filter((day, at) => {
    const before = days[at - 1]
    return before === undefined || figures.some((figure) => day[figure] !== before[figure])
  })
  return changed.reverse()
}
