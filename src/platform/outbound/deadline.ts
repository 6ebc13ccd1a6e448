import { untilAborted } from '../concurrency/until-aborted.ts'
import { OutboundError } from './outbound-error.ts'

/** Watches one request: aborts when it takes too long in all or makes no progress. */
export type Deadline = {
  signal: AbortSignal
  /** Something arrived: restarts the stall timer. */
  progress: () => void
  /** The work's result, or `timeout` at the deadline, whatever the work is waiting for. */
  race: <T>(work: Promise<T>) => Promise<T>
  stop: () => void
}

/** Starts the clock of a request: `totalMs` from now, and `stallMs` from the last progress. */
export function startDeadline(totalMs: number, stallMs: number | null): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort(new OutboundError('timeout'))
  // a process that was blocked sees the timer before an answer that came in time
  const expire = () => void setImmediate(abort)
  const total = setTimeout(expire, totalMs)
  const stall = stallMs === null ? null : setTimeout(expire, stallMs)
  return {
    signal: controller.signal,
    progress: () => void stall?.refresh(),
    race: (work) => untilAborted(work, controller.signal),
    stop: () => {
      clearTimeout(total)
      if (stall !== null) clearTimeout(stall)
    },
  }
}
