import { dayMs, hourMs, minuteMs, secondMs } from '#contract/durations.ts'

/** Time until a deadline, in a compact form: `4 d 7 h`, `31 h 05 min`, `42 min 10 s`, `9 s`. */
export function formatCountdown(distanceMs: number): string {
  const ms = Math.abs(distanceMs)
  const part = (unitMs: number, withinMs: number) => Math.floor((ms % withinMs) / unitMs)
  if (ms >= 4 * dayMs) return `${Math.floor(ms / dayMs)} d ${part(hourMs, dayMs)} h`
  if (ms >= hourMs) return `${Math.floor(ms / hourMs)} h ${two(part(minuteMs, hourMs))} min`
  if (ms >= minuteMs) return `${Math.floor(ms / minuteMs)} min ${two(part(secondMs, minuteMs))} s`
  return `${Math.floor(ms / secondMs)} s`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
