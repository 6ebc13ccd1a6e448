export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The zones this browser knows; some browsers omit UTC and the zone they report as their own. `also`: the zone already chosen. */
export function timeZones(also: string = ownTimeZone()): string[] {
  return [...new Set(['UTC', ownTimeZone(), also, ...Intl.supportedValuesOf('timeZone')])].sort()
}
