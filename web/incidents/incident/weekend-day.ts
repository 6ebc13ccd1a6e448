/** `Saturday` or `Sunday` if a time falls on one in the zone. */
export function weekendDay(at: string, timeZone: string): string | undefined {
  const day = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone }).format(new Date(at))
  return day === 'Saturday' || day === 'Sunday' ? day : undefined
}
