/** In milliseconds. A day has 24 hours here; the days of a calendar, which clocks' changes shorten and lengthen, are in `local-time.ts`. */
export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
