import type { Logger } from 'pino'

type Repeated = {
  everyMs: number
  /** Logged with an error; the next turn comes anyway. */
  whenItFails: string
  log: Logger
}

/**
 * Does the work every so many milliseconds, one run at a time, until stopped: `stop` waits for a run under way, which `stopping` asks to end.
 */
export function repeatUntilStopped(
  work: (stopping: AbortSignal) => Promise<unknown>,
  { everyMs, whenItFails, log }: Repeated,
): { turn: () => void; stop: () => Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const turn = () => {
    running ??= work(stopping.signal)
      .then(
        () => undefined,
        (error: unknown) => {
          log.error({ err: error }, whenItFails)
        },
      )
      .finally(() => {
        running = undefined
      })
  }
  const repeating = setInterval(turn, everyMs)
  return {
    turn,
    stop: async () => {
      clearInterval(repeating)
      stopping.abort()
      await running
    },
  }
}
