import { Temporal } from 'temporal-polyfill'

/** A length of time as a law says it. */
export type Period = { amount: number; unit: 'hours' | 'days' | 'months' }

/**
 * The instant a period after an anchor, never later than the legal end (Regulation (EEC, Euratom) 1182/71, Art. 3): hours are exact elapsed
 * hours; days and months keep the wall-clock time in `timeZone` (an IANA name), cut to the end of a shorter month. A local time that does
 * not exist or exists twice is the earlier instant. Weekends and holidays count.
 */
export function addPeriod(anchor: Date, { amount, unit }: Period, timeZone: string): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(anchor.getTime())
  if (unit === 'hours') return toDate(start.add({ hours: amount }))
  const local = start.toZonedDateTimeISO(timeZone).toPlainDateTime()
  const end = local.add({ [unit]: amount }, { overflow: 'constrain' })
  return toDate(end.toZonedDateTime(timeZone, { disambiguation: 'earlier' }).toInstant())
}

function toDate(instant: Temporal.Instant): Date {
  return new Date(instant.epochMilliseconds)
}
