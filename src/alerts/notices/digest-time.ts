import { dayAfter, dayIn, instantOf } from '../../platform/calendar/local-time.ts'

/** When a digest is due by a zone's clock: the calendar day, and the instant of 08:00 on it. */
export type DigestTime = { day: string; at: Date }

const hour = 8

/** The last 08:00 in the zone that has come by `now`. Days on which clocks change are as long as they are. */
export function lastDigestTime(now: Date, timeZone: string): DigestTime {
  const today = dayIn(now, timeZone)
  const at = instantOf(today, hour, timeZone)
  if (at <= now) return { day: today, at }
  const yesterday = dayAfter(today, -1)
  return { day: yesterday, at: instantOf(yesterday, hour, timeZone) }
}
