/** Times and days in words, the same on pages, in mail, in the bell, in chat and in refusals: with the zone, and never finer than a second. */

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

/** `21 Nov 2025, 14:02 CET`. */
export function shownTime(at: string | Date, timeZone = 'UTC'): string {
  return wordsOf(at, { ...day, ...clock }, timeZone)
}

/** `21 Nov 2025, 14:02:11 CET`, for what may be held against someone later. */
export function shownSecond(at: string | Date, timeZone = 'UTC'): string {
  return wordsOf(at, { ...day, ...clock, second: '2-digit' }, timeZone)
}

/** `21 Nov 2025` of a calendar date without a time, such as a catalogue's; what is no date stays as it is. */
export function shownDay(isoDate: string): string {
  return Number.isNaN(Date.parse(isoDate)) ? isoDate : wordsOf(isoDate, day, 'UTC')
}

function wordsOf(at: string | Date, format: Intl.DateTimeFormatOptions, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { ...format, timeZone }).format(new Date(at))
}
