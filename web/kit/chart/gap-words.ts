import { formatCount, formatDate } from '../text/format.ts'
import type { Gap } from './drawing.ts'

/** Further gaps are only counted. */
const namedGaps = 4

/** The days without data: `No figures for 4 days: 4–6 Nov 2026, 13 Nov 2026`. Undefined if there are none. */
export function gapWords(gaps: readonly Gap[]): string | undefined {
  if (gaps.length === 0) return undefined
  const named = gaps.slice(0, namedGaps).map(rangeWords)
  const others = countDays(gaps.slice(namedGaps))
  if (others > 0) named.push(`and ${daysWords(others)} more`)
  return `No figures for ${daysWords(countDays(gaps))}: ${named.join(', ')}`
}

function rangeWords({ firstDay, lastDay, days }: Gap): string {
  if (days === 1) return formatDate(firstDay)
  const isOneMonth = firstDay.slice(0, 7) === lastDay.slice(0, 7)
  return isOneMonth
    ? `${Number(firstDay.slice(8))}–${formatDate(lastDay)}`
    : `${formatDate(firstDay)} – ${formatDate(lastDay)}`
}

function countDays(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, { days }) => sum + days, 0)
}

function daysWords(days: number): string {
  return days === 1 ? 'one day' : `${formatCount(days)} days`
}
