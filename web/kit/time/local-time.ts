import { dayMs } from '#contract/durations.ts'
import { serviceNow } from './clock.ts'

/** The value of a date and time input: `2026-11-02T09:00:00`, without a zone; browsers omit seconds that are 0. */
const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?/

/** Behind a time that comes twice because the clocks go back: the second one. An input shows what is before it. */
const second = ' second'

export function secondTime(local: string): string {
  return `${shownInInput(local)}${second}`
}

export function isSecondTime(local: string): boolean {
  return local.endsWith(second)
}

export function shownInInput(local: string): string {
  return local.replace(second, '')
}

/** A local time of a zone as an instant in UTC; a time that comes twice is the earlier one unless it is said to be the second. */
export function instantOf(local: string, timeZone: string): string | undefined {
  const asUtc = asUtcOf(local)
  if (asUtc === undefined) return undefined
  const found = timesOf(local, timeZone)
  const known = isSecondTime(local) ? found.at(-1) : found[0]
  if (known !== undefined) return known
  // a local time that the clocks skip has the offset after the change: the instant is before it, and a deadline that follows early
  return new Date(asUtc - offsetMs(asUtc + dayMs, timeZone)).toISOString()
}

/** The instant in such an input that showed another one before, which keeps its milliseconds where it was left as it was. */
export function instantAfter(
  local: string,
  { before, timeZone }: { before: string; timeZone: string },
): string | undefined {
  return local === localTime(before, timeZone) ? before : instantOf(local, timeZone)
}

/** The instants that have this local time, the earlier first: two where the clocks go back, none where they skip it. */
export function timesOf(local: string, timeZone: string): string[] {
  const asUtc = asUtcOf(local)
  if (asUtc === undefined) return []
  const found = [asUtc - dayMs, asUtc + dayMs]
    .map((near) => asUtc - offsetMs(near, timeZone))
    .filter((at) => at + offsetMs(at, timeZone) === asUtc)
    .toSorted((left, right) => left - right)
  return [...new Set(found)].map((at) => new Date(at).toISOString())
}

/** Whether the clocks of the zone go forward past this time, so that no clock ever showed it. */
export function isSkipped(local: string, timeZone: string): boolean {
  return asUtcOf(local) !== undefined && timesOf(local, timeZone).length === 0
}

/** What was typed into an input, which may still be in the second of two hours. */
export function afterTyping(
  typed: string,
  { before, timeZone }: { before: string; timeZone: string },
): string {
  return isSecondTime(before) && timesOf(typed, timeZone).length > 1 ? secondTime(typed) : typed
}

function asUtcOf(local: string): number | undefined {
  const parts = form.exec(local)
  if (parts === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, seconds = 0] = parts
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0))
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, seconds)
  return Number.isNaN(asUtc) ? undefined : asUtc
}

/** An instant as local time of a zone, for such an input; it leads back to that instant, to the second. */
export function localTime(iso: string, timeZone: string): string {
  const at = Date.parse(iso)
  const local = new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 19)
  const [, later] = timesOf(local, timeZone)
  return later !== undefined && Date.parse(later) <= at ? secondTime(local) : local
}

/** The calendar day of an instant in a zone: `2026-11-02`. */
export function dayOf(iso: string, timeZone: string): string {
  return localTime(iso, timeZone).slice(0, 10)
}

/** The initial value of such an input. */
export function localTimeNow(timeZone: string): string {
  return localTime(new Date(serviceNow()).toISOString(), timeZone)
}

function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(at / 1_000) * 1_000
}
