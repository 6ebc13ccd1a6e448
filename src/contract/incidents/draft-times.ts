import { existingTime } from '../calendar.ts'

const utcTime =
  /^(?<day>\d{4}-\d{2}-\d{2})T(?<time>\d{2}:\d{2})(?<seconds>:\d{2})?(?:\.\d{1,9})?(?:Z|\+00:00)$/

/** Whether a text is an instant that exists, in ISO 8601 and UTC. */
export function isUtcTime(text: string): boolean {
  const { day, time, seconds = ':00' } = utcTime.exec(text)?.groups ?? {}
  if (day === undefined || time === undefined) return false
  const written = `${day}T${time}${seconds}`
  return existingTime(`${written}Z`)?.toISOString().startsWith(written) === true
}
