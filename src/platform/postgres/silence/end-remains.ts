import { askingLimits, isDirect, isOnSame } from './ask-server.ts'
import { BoundedClient, type BoundedConfig } from './bounded-client.ts'
import type { Driven } from './driver.ts'

/** A session that was ended here; times of this process (`performance.now`). */
export type Remains = { session: Driven; openedAt: number; endedAt: number }

/**
 * Ends at the server what is left of sessions that were ended here: it has not heard of it, and would keep their locks until its own limits end them.
 * Those at another host than the primary of now keep nobody waiting, and a pooler's numbers are not the server's. Throws when nobody can be asked.
 */
export async function endRemains(connection: BoundedConfig, remains: readonly Remains[]): Promise<void> {
  const asking = new BoundedClient({ ...connection, ...askingLimits })
  try {
    await asking.connect()
    if (!(await isDirect(asking))) return
    const here = remains.filter(({ session }) => isOnSame(asking, session))
    const now = performance.now()
    // One that was opened later has the number of a session that is gone.
    await asking.query(
      `SELECT pg_terminate_backend(a.pid) FROM unnest($1::int[], $2::float8[]) AS l(pid, seconds) JOIN pg_stat_activity a ON a.pid = l.pid
       WHERE a.backend_start < clock_timestamp() - make_interval(secs => l.seconds)`,
      [here.map(({ session }) => session.processID), here.map(({ openedAt }) => (now - openedAt) / 1_000)],
    )
  } finally {
    ;(asking as unknown as Driven).connection.stream.destroy()
  }
}
