/** A day of the calendar, `2026-02-28`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00.000Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}
