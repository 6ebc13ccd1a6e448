export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The zones this browser knows; some leave out UTC and the one they report as their own. `also`: one that is chosen already. */
export function timeZones(also: string = ownTimeZone()): string[] {
  return [...new Set(['UTC', ownTimeZone(), also, ...Intl.supportedValuesOf('timeZone')])].sort()
}
