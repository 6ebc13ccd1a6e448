import { untilAborted } from '../concurrency/until-aborted.ts'
import { OutboundError } from './outbound-error.ts'

/** Watches one request: aborts when it takes too long in all or makes no progress. */
export type Deadline = {
  signal: AbortSignal
  /** A step was made, or so many bytes of the answer arrived: restarts the stall timer, bytes once they are enough. */
  progress: (bytes?: number) => void
  /** The work's result, or `timeout` at the deadline, whatever the work is waiting for. */
  race: <T>(work: Promise<T>) => Promise<T>
  stop: () => void
}

/** Starts the clock of a request: `totalMs` from now, and `stallMs` from the last progress, which are `minBytes` of an answer. */
export function startDeadline(totalMs: number, stallMs: number | null, minBytes = 1): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort(new OutboundError('timeout'))
  // a process that was blocked sees the timer before an answer that came in time
  const expire = () => void setImmediate(abort)
  const total = setTimeout(expire, totalMs)
  const stall = stallMs === null ? null : setTimeout(expire, stallMs)
  let arrivedBytes = 0
  return {
    signal: controller.signal,
    progress: (bytes = minBytes) => {
      arrivedBytes += bytes
      if (arrivedBytes < minBytes) return
      arrivedBytes = 0
      stall?.refresh()
    },
    race: (work) => untilAborted(work, controller.signal),
    stop: () => {
      clearTimeout(total)
      if (stall !== null) clearTimeout(stall)
    },
  }
}
