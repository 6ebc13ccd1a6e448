import { dayAfter, dayIn, instantOf } from '../platform/local-time.ts'

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

/** When a weekly report is due by a zone's clock: its Monday, the instant of 08:00 on it, and that of the Monday before. */
export type WeeklyTime = { week: string; at: Date; since: Date }

/** The last Monday 08:00 in the zone that has come by `now`. */
export function lastWeeklyTime(now: Date, timeZone: string): WeeklyTime {
  const { day } = lastDigestTime(now, timeZone)
  const daysSinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  const week = dayAfter(day, -daysSinceMonday)
  return { week, at: instantOf(week, hour, timeZone), since: instantOf(dayAfter(week, -7), hour, timeZone) }
}
