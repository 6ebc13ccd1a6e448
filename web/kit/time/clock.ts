import { useSyncExternalStore } from 'react'

const tickMs = 1000
const listeners = new Set<() => void>()
/** What the service's clock says beyond the browser's. A computer that is a day off must not show a legal deadline a day off. */
let aheadMs = 0
let nowMs = Date.now()
let timer: number | undefined

function tick(): void {
  nowMs = serviceNow()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= window.setInterval(tick, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}

/** The current time rounded down to `stepMs`, so that a label showing minutes renders once a minute. All labels share one timer. */
export function useNow(stepMs = tickMs): number {
  return useSyncExternalStore(subscribe, () => Math.floor(nowMs / stepMs) * stepMs)
}

/** The time by the service's clock. */
export function serviceNow(): number {
  return atService(Date.now())
}

/** When something happened by the service's clock; `ms` is by the browser's. */
export function atService(ms: number): number {
  return ms + aheadMs
}

/** The `Date` of an answer, and when it was asked for and came by the browser's clock. */
type Answered = { date: string | null; askedMs: number; cameMs: number }

/** Compares the clocks by an answer of the service. */
export function noteServiceTime(answered: Answered): void {
  const ahead = aheadBy(answered, aheadMs)
  if (ahead === aheadMs) return
  aheadMs = ahead
  tick()
}

/** Clocks of computers differ by seconds, which nobody needs to correct. */
const toleranceMs = 10_000

/** How far the service's clock is ahead; `known` as long as the answer agrees with it, so that no countdown jumps with every answer. */
export function aheadBy({ date, askedMs, cameMs }: Answered, known: number): number {
  const saidMs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(saidMs)) return known
  // said in whole seconds, at some time on the way
  const minMs = saidMs - cameMs - toleranceMs
  const maxMs = saidMs + 1000 - askedMs + toleranceMs
  const fits = (ms: number) => minMs <= ms && ms <= maxMs
  if (fits(0)) return 0
  return fits(known) ? known : Math.round((minMs + maxMs) / 2)
}
