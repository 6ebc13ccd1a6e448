/** The name of the day when a time falls on a Saturday or Sunday of a zone. */
export function weekendDay(at: string, timeZone: string): string | undefined {
  const day = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone }).format(new Date(at))
  return day === 'Saturday' || day === 'Sunday' ? day : undefined
}
