/**
 * Which days and times exist, for everything that reads one: documents, forms, addresses and commands. JavaScript has a year 0 and turns 30
 * February into 2 March; PostgreSQL has no year 0, and neither can read how the other writes a year of more than four digits.
 */

/** A day of the calendar, of the years 1 to 9999: `2026-02-28`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const start = new Date(`${text}T00:00:00.000Z`)
  return isStorable(start) && start.toISOString().startsWith(text)
}

/** What a text that begins with a day means as a time; null where the day does not exist, the rest is no time, or UTC has it outside the years 1 to 9999. */
export function existingTime(text: string): Date | null {
  const at = new Date(text)
  return isDay(text.slice(0, 10)) && isStorable(at) ? at : null
}

/** Whether database and JavaScript mean the same by it: a time of the years 1 to 9999, by UTC. */
export function isStorable(at: Date): boolean {
  const year = at.getUTCFullYear()
  return year >= 1 && year <= 9999
}
