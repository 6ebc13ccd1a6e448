/** When a digest is due by a zone's clock: the calendar day, and the instant of 08:00 on it. */
export type DigestTime = { day: string; at: Date }

const hour = 8
const dayMs = 24 * 3_600_000

/** The last 08:00 in the zone that has come by `now`. Days on which clocks change are as long as they are. */
export function lastDigestTime(now: Date, timeZone: string): DigestTime {
  const today = dayIn(now, timeZone)
  const at = instantOf(today, timeZone)
  if (at <= now) return { day: today, at }
  const yesterday = new Date(Date.parse(`${today}T00:00:00Z`) - dayMs).toISOString().slice(0, 10)
  return { day: yesterday, at: instantOf(yesterday, timeZone) }
}

/** `2026-03-29` */
function dayIn(instant: Date, timeZone: string): string {
  return localTime(instant, timeZone).slice(0, 10)
}

/** The first instant at which the zone's clock shows 08:00, or what follows it where the clock leaps over it. */
function instantOf(day: string, timeZone: string): Date {
  const wanted = Date.parse(`${day}T0${hour}:00:00Z`)
  // the offset at the instant looked for is found in two steps, because it is looked up by the instant
  const first = wanted - offsetMs(new Date(wanted), timeZone)
  return new Date(wanted - offsetMs(new Date(first), timeZone))
}

function offsetMs(instant: Date, timeZone: string): number {
  const wholeSeconds = Math.floor(instant.getTime() / 1000) * 1000
  return Date.parse(`${localTime(instant, timeZone)}Z`) - wholeSeconds
}

/** `2026-03-29T08:00:00` by the zone's clock. */
function localTime(instant: Date, timeZone: string): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (format === undefined) {
    const numeric = '2-digit'
    format = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric' },
      ...{ month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric },
    })
    formats.set(timeZone, format)
  }
  return format
}
