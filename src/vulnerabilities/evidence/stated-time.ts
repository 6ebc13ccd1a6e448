/** Records that give no time are stored with the start of 1970, and some say the year 1: both say nothing. */
const firstTime = new Date('1970-01-02T00:00:00Z')

/** A time that a record gives, as text; null when it gives none. */
export function statedTime(time: Date | null): string | null {
  return time === null || time < firstTime ? null : time.toISOString()
}
