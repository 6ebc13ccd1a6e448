/** The value of a date and time input: `2026-11-02T09:00:00`, without a zone; browsers omit seconds that are 0. */
const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?/

/** A local time of a zone as an instant in UTC; an ambiguous time at a clock change is the earlier one. */
export function instantOf(local: string, timeZone: string): string | undefined {
  const parts = form.exec(local)
  if (parts === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0))
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second)
  if (Number.isNaN(asUtc)) return undefined
  const hours = 3_600_000
  const found = [asUtc - 24 * hours, asUtc + 24 * hours]
    .map((near) => asUtc - offsetMs(near, timeZone))
    .filter((at) => at + offsetMs(at, timeZone) === asUtc)
  // a local time skipped by a clock change uses the offset before the change
  const at = found.length > 0 ? Math.min(...found) : asUtc - offsetMs(asUtc + 24 * hours, timeZone)
  return new Date(at).toISOString()
}

/** An instant as local time of a zone, for such an input. */
export function localTime(iso: string, timeZone: string): string {
  const at = Date.parse(iso)
  return new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 19)
}

/** The initial value of such an input. */
export function localTimeNow(timeZone: string): string {
  return localTime(new Date().toISOString(), timeZone)
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
