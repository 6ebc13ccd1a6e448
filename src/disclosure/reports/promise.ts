import type { ReportState } from '../../contract/disclosure/shapes.ts'
import { dayMs } from '../../contract/durations.ts'

/** Calendar days, counted as hours: the clocks' change shortens or lengthens no promise. */
export function acknowledgeBy(receivedAt: Date, promiseDays: number | null): Date | null {
  return promiseDays === null ? null : new Date(receivedAt.getTime() + promiseDays * dayMs)
}

/** Members are told a day before the promise ends, of a shorter one half of it before. */
export function firstReminder(receivedAt: Date, until: Date | null): Date | null {
  if (until === null) return null
  const leadMs = Math.min(dayMs, (until.getTime() - receivedAt.getTime()) / 2)
  return new Date(until.getTime() - leadMs)
}

/** After one at `now`: when the promise ends, then each day until the report is answered. */
export function nextReminder(until: Date, now: Date): Date {
  return now < until ? until : new Date(now.getTime() + dayMs)
}

/** When an answer is due; null once there is one, and where there will be none: the report is closed or erased. */
export function waitsUntil(row: {
  state: ReportState
  acknowledge_by: Date | null
  answered_at: Date | null
  erased_at: Date | null
}): string | null {
  if (row.state === 'closed' || row.answered_at !== null || row.erased_at !== null) return null
  return row.acknowledge_by?.toISOString() ?? null
}
