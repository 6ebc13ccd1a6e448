/** Times and days in words, the same on pages, in mail, in the bell, in chat and in refusals: with the zone, and never finer than a second. */

/** The application's own: the day before the month, and 24 hours. */
const english = 'en-GB'
const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
const finenesses = {
  day,
  minute: { ...day, ...clock },
  second: { ...day, ...clock, second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
type Fineness = keyof typeof finenesses

/** `21 Nov 2025, 14:02 CET`; on a public page in its language (BCP 47), in the same order. */
export function shownTime(at: string | Date, timeZone = 'UTC', language = english): string {
  return wordsOf(at, 'minute', timeZone, language)
}

/** How a text writes its times. */
export type ShowTime = (at: string | Date) => string

/** `21 Nov 2025, 14:02 CET (13:02 UTC)`, with the day of UTC where that is another: for texts that leave the pages, where nothing shows UTC on hover. */
export function inZoneAndUtc(timeZone: string): ShowTime {
  return (at) => {
    const [local, utc] = [shownTime(at, timeZone), shownTime(at)]
    if (local === utc) return local
    const [day = '', clock] = utc.split(', ')
    return `${local} (${local.startsWith(`${day}, `) ? clock : utc})`
  }
}

/** `21 Nov 2025, 14:02:11 CET`, where the second may matter as evidence. */
export function shownSecond(at: string | Date, timeZone = 'UTC'): string {
  return wordsOf(at, 'second', timeZone)
}

/** `21 Nov 2025` of a calendar date without a time, such as a catalogue's; anything else stays as it is. */
export function shownDay(isoDate: string): string {
  return Number.isNaN(Date.parse(isoDate)) ? isoDate : wordsOf(isoDate, 'day', 'UTC')
}

function wordsOf(at: string | Date, fineness: Fineness, timeZone: string, language = english): string {
  return formatOf(fineness, timeZone, language).format(new Date(at))
}

/** Making one takes fifty times as long as using it, and a page has hundreds of times. */
const kept = new Map<string, Intl.DateTimeFormat>()
/** More than are in use at once; names of zones may be spelt in many ways. */
const maxKept = 100

function formatOf(fineness: Fineness, timeZone: string, language: string): Intl.DateTimeFormat {
  const key = `${fineness} ${timeZone} ${language}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(language, { ...finenesses[fineness], timeZone })
  if (kept.size >= maxKept) kept.clear()
  kept.set(key, made)
  return made
}
