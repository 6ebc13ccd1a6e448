import { dayMs } from '../contract/durations.ts'

/** The calendar day of an instant by a zone's clock: `2026-03-29`. */
export function dayIn(instant: Date, timeZone: string): string {
  return localTime(instant, timeZone).slice(0, 10)
}

/** The calendar day so many days after another one, or before it. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

/** The first instant at which the zone's clock shows the hour on a day, or what follows it where the clock leaps over it. */
export function instantOf(day: string, hour: number, timeZone: string): Date {
  const wanted = Date.parse(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)
  // two steps, because the offset at the wanted instant is looked up by an instant
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
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    })
    formats.set(timeZone, format)
  }
  return format
}
