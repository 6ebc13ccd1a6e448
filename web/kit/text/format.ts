import { dayMs, hourMs, minuteMs, secondMs } from '#contract/durations.ts'
import { shownDay, shownSecond, shownTime } from '#contract/shown-time.ts'

const grouping = new Intl.NumberFormat('en')
const narrowSpace = '\u202f'

/** 12 840 with narrow spaces between the thousands. */
export function formatCount(count: number): string {
  return grouping.format(count).replaceAll(',', narrowSpace)
}

/** `1 finding`, `2 findings`. */
export function formatNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`
}

/**
 * A share in percent that never claims all or nothing unless it is: 9 999 of 10 000 are 99.9 %, 1 of 10 000 is 0.1 %. Nothing of nothing is
 * shown as –.
 */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–'
  const percent = (part / whole) * 100
  if (part === 0 || part === whole) return `${percent}${narrowSpace}%`
  if (percent > 99 || percent < 1)
    return `${Math.min(99.9, Math.max(0.1, Math.floor(percent * 10) / 10))}${narrowSpace}%`
  return `${Math.floor(percent)}${narrowSpace}%`
}

export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1024) return `${sizeBytes}${narrowSpace}B`
  if (sizeBytes < 1024 * 1024) return `${(sizeBytes / 1024).toFixed(1)}${narrowSpace}kB`
  if (sizeBytes < 1024 ** 3) return `${(sizeBytes / 1024 ** 2).toFixed(1)}${narrowSpace}MB`
  return `${(sizeBytes / 1024 ** 3).toFixed(1)}${narrowSpace}GB`
}

/** A time span in its one or two largest units: `12 s`, `5 min`, `3 h 12 min`, `4 d 3 h`, `17 d`. */
export function formatDistance(distanceMs: number): string {
  const ms = Math.abs(distanceMs)
  if (ms < minuteMs) return `${Math.floor(ms / secondMs)} s`
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`
  if (ms < dayMs) return units(Math.floor(ms / hourMs), 'h', Math.floor((ms % hourMs) / minuteMs), 'min')
  const days = Math.floor(ms / dayMs)
  return days < 7 ? units(days, 'd', Math.floor((ms % dayMs) / hourMs), 'h') : `${formatCount(days)} d`
}

function formatElapsed(ms: number): string {
  if (ms < hourMs || ms >= 7 * dayMs) return formatDistance(ms)
  return ms < dayMs ? `${Math.floor(ms / hourMs)} h` : `${Math.floor(ms / dayMs)} d`
}

function units(large: number, largeName: string, small: number, smallName: string): string {
  return small === 0 ? `${large} ${largeName}` : `${large} ${largeName} ${small} ${smallName}`
}

/** `3 h ago`, `in 3 h 12 min`: the future is more precise. A clock slightly behind the server's shows `0 s ago`. */
export function formatAge(iso: string, nowMs: number): string {
  const distanceMs = Date.parse(iso) - nowMs
  if (distanceMs > 5 * secondMs) return `in ${formatDistance(distanceMs)}`
  return `${formatElapsed(-Math.min(distanceMs, 0))} ago`
}

/** The absolute time in the person's zone, and UTC: `21 Nov 2025, 14:02:11 CET · 21 Nov 2025, 13:02:11 UTC`. */
export function formatAbsolute(iso: string, timeZone = ownTimeZone()): string {
  return [...new Set([shownSecond(iso, timeZone), shownSecond(iso)])].join(' · ')
}

/** The time in the person's zone, with its name: `21 Nov 2025, 14:02 CET`. For records that may serve as evidence. */
export function formatZoned(iso: string, timeZone = ownTimeZone()): string {
  return shownTime(iso, timeZone)
}

/** Shorter the nearer it is: `14:02 CET today`, `21 Nov, 14:02 CET`, `21 Nov 2024`. */
export function formatMoment(iso: string, nowMs: number, timeZone = ownTimeZone()): string {
  const [day = '', clock = ''] = shownTime(iso, timeZone).split(', ')
  const [today = ''] = shownTime(new Date(nowMs), timeZone).split(', ')
  if (day === today) return `${clock} today`
  const year = / \d+$/
  return year.exec(day)?.[0] === year.exec(today)?.[0] ? `${day.replace(year, '')}, ${clock}` : day
}

/** `21 Nov 2025` for a calendar date without a time, such as a catalogue's. */
export const formatDate = shownDay

function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
