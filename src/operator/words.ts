import { shownTime } from '../contract/shown-time.ts'
import { html, type Html } from '../html/html.ts'
import { dayMs, hourMs, minuteMs } from '../contract/durations.ts'

/** How far a time is from now: `in 3 h 12 min`, `2 days ago`. */
export function distance(at: Date, now: Date): string {
  const ms = Math.abs(at.getTime() - now.getTime())
  if (ms < minuteMs) return at > now ? 'in less than a minute' : 'just now'
  const words = span(ms)
  return at > now ? `in ${words}` : `${words} ago`
}

function span(ms: number): string {
  const minutes = Math.floor(ms / minuteMs)
  if (ms < hourMs) return `${minutes} min`
  if (ms < 10 * hourMs)
    return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)} h`
  return `${count(Math.floor(ms / dayMs))} days`
}

/** A time with its distance: `3 h ago (22 Nov 2026, 15:40 UTC)`. */
export function time(at: Date | string, now: Date): Html {
  const moment = new Date(at)
  const iso = moment.toISOString()
  return html`<time datetime="${iso}"
    >${distance(moment, now)} <span class="quiet">(${shownTime(iso)})</span></time
  >`
}

/** `1 284`, with spaces that do not break. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, '\u{00a0}')
}

/** `1 workspace`, `1 284 workspaces`. */
export function counted(number: number, one: string): string {
  return `${count(number)}\u{00a0}${number === 1 ? one : `${one}s`}`
}

const units = ['kB', 'MB', 'GB', 'TB'] as const

/** `512 bytes`, `1.2 MB`, in steps of a thousand. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte')
  let value = bytes / 1000
  let place = 0
  while (value >= 999.95 && place < units.length - 1) {
    value /= 1000
    place += 1
  }
  return `${value < 10 ? value.toFixed(1) : count(Math.round(value))}\u{00a0}${units[place] ?? ''}`
}
