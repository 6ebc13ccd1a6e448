import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import type { Deps } from './deps.ts'

/** How often a log line counts the connections that were turned away. */
const tellEveryMs = 10_000

/**
 * How many files and connections this process may open (`ulimit -n`): Linux says it, and Node has raised it as far as it may. Null: it is not said.
 * `path`: where.
 */
export function readFileLimit(path = '/proc/self/limits'): number | null {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync(path, 'utf8')) ?? []
    return limit === undefined ? null : Number(limit)
  } catch {
    // not Linux
    return null
  }
}

type Bounded = Pick<Deps, 'log'> & { limit: number | null }

/**
 * Gives clients at most half of the files that the process may open: the rest is for the database, alerts and files. Without this those fail,
 * and Node turns clients away without a word.
 */
export function boundConnections(server: Server, { limit, log }: Bounded): void {
  if (limit === null) return
  const max = Math.max(1, Math.floor(limit / 2))
  server.maxConnections = max
  let turnedAway = 0
  let toldAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    turnedAway += 1
    const now = performance.now()
    if (now - toldAt < tellEveryMs) return
    log.warn(
      { connections: turnedAway, max, limit },
      'connections were turned away: half of the files that this process may open are clients; raise ulimit -n (LimitNOFILE)',
    )
    toldAt = now
    turnedAway = 0
  })
}
