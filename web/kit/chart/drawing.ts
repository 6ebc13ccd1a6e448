import { dayMs } from '#contract/durations.ts'

/** The view box of the plot, whatever its size on screen. */
export const plotWidth = 1000
export const plotHeight = 200

export type Point = { day: string; value: number }

/** From the start of the first day to the end of the last. */
export type Days = { firstDay: string; lastDay: string }

/** How far into the period a day begins, from 0 to 1. */
export function placeOf(day: string, { firstDay, lastDay }: Days): number {
  const start = Date.parse(firstDay)
  const end = Date.parse(lastDay) + dayMs
  return Math.min(1, Math.max(0, (Date.parse(day) - start) / (end - start)))
}

/** How far into the period a day ends, from 0 to 1. */
export function endOf(day: string, days: Days): number {
  return placeOf(following(day), days)
}

export type Drawing = Days & {
  /** The value at the top of the box. */
  top: number
  /** A value is valid until the next one; without this, only for its day, and days without data are left open. */
  holds: boolean
}

/** An SVG path with a step at each day. */
export function drawSteps(points: readonly Point[], { top, holds, ...days }: Drawing): string {
  const at = (day: string) => round(placeOf(day, days) * plotWidth)
  const height = (value: number) => round(plotHeight - (value / top) * plotHeight)
  let path = ''
  let reached: string | undefined
  for (const [place, { day, value }] of points.entries()) {
    const next = points[place + 1]?.day ?? following(days.lastDay)
    const until = holds || next === following(day) ? next : following(day)
    path += reached === day ? `V${height(value)}H${at(until)}` : `M${at(day)},${height(value)}H${at(until)}`
    reached = until
  }
  return path
}

/** Days without data between or after days with some: first day, last day and how many. */
export type Gap = { firstDay: string; lastDay: string; days: number }

/** The gaps between days with data. The last day is never a gap: it is not over. */
export function gapsIn(points: readonly Point[], lastDay: string): Gap[] {
  return points.flatMap(({ day }, at) => {
    const first = following(day)
    const next = points[at + 1]?.day ?? lastDay
    const days = Math.round((Date.parse(next) - Date.parse(first)) / dayMs)
    return days > 0 ? [{ firstDay: first, lastDay: preceding(next), days }] : []
  })
}

/** An SVG path across the gaps, from the last value before each to the first one after it. */
export function drawBridges(points: readonly Point[], { top, ...days }: Omit<Drawing, 'holds'>): string {
  const at = (day: string) => round(placeOf(day, days) * plotWidth)
  const height = (value: number) => round(plotHeight - (value / top) * plotHeight)
  let path = ''
  for (const [place, { day, value }] of points.entries()) {
    const next = points[place + 1]
    if (next === undefined || next.day === following(day)) continue
    path += `M${at(following(day))},${height(value)}L${at(next.day)},${height(next.value)}`
  }
  return path
}

/** The points from a day on, starting with the value in force on it. */
export function pointsSince(points: readonly Point[], day: string): Point[] {
  const before = points.filter((point) => point.day <= day).at(-1)
  const after = points.filter((point) => point.day > day)
  return before === undefined ? after : [{ ...before, day }, ...after]
}

/** A round number that is at least the highest value: 1, 2, 5, 10, 20, 50 … */
export function scaleTop(highest: number): number {
  if (highest <= 1) return 1
  const magnitude = 10 ** Math.floor(Math.log10(highest))
  return ([1, 2, 5].find((step) => step * magnitude >= highest) ?? 10) * magnitude
}

/** Positions of labels beside a chart: as near to their wishes as possible without overlap, in order, all from 0 to 1. */
export function spreadLabels(wishes: readonly number[], room: number): number[] {
  const order = wishes.map((wish, index) => ({ wish, index })).sort((a, b) => a.wish - b.wish)
  const places: number[] = []
  for (const { wish } of order) places.push(Math.max(wish, (places.at(-1) ?? -Infinity) + room))
  let limit = 1
  for (let at = places.length - 1; at >= 0; at--) {
    places[at] = Math.min(places[at] ?? 0, limit)
    limit = (places[at] ?? 0) - room
  }
  const byIndex = new Map(order.map(({ index }, at) => [index, places[at] ?? 0]))
  return wishes.map((_wish, index) => byIndex.get(index) ?? 0)
}

function following(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
}

function preceding(day: string): string {
  return new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10)
}

function round(place: number): number {
  return Math.round(place * 10) / 10
}
