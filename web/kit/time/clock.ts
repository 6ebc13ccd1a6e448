import { useSyncExternalStore } from 'react'

const tickMs = 1000
const listeners = new Set<() => void>()
let nowMs = Date.now()
let timer: number | undefined

function tick(): void {
  nowMs = Date.now()
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

/** The present time rounded down to `stepMs`, so that a label that shows minutes is drawn once a minute. One timer serves the page. */
export function useNow(stepMs = tickMs): number {
  return useSyncExternalStore(subscribe, () => Math.floor(nowMs / stepMs) * stepMs)
}
