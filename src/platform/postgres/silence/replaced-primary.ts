import type { Client } from 'pg'
import { BoundedClient, type BoundedConfig } from './bounded-client.ts'
import { hostOf, type Driven } from './driver.ts'

/**
 * Whether a standby of this server has been promoted, which the server itself does not know: whatever was to stop it died before it did. Its
 * commits wait for that standby in vain, until somebody takes it off the list; then they count, and are nowhere else. The one that was
 * promoted later is on a later timeline. A primary of an earlier one, started by mistake, is never gone to.
 */
export async function isReplaced(asked: BoundedClient, connection: BoundedConfig): Promise<boolean> {
  if (!asked.seeksWriter) return false
  const other = new BoundedClient({ ...connection, besides: hostOf(asked) })
  try {
    const isFound = await other.connect().then(
      () => true,
      () => false,
    )
    if (!isFound) return false
    const isLater = (await timelineOf(other)) > (await timelineOf(asked))
    if (isLater) other.succeed(asked)
    return isLater
  } finally {
    ;(other as unknown as Driven).connection.stream.destroy()
  }
}

/** Fails on a standby, which writes no log. */
async function timelineOf(session: Client): Promise<number> {
  const { rows } = await session.query<{ timeline: string }>(
    'SELECT left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline',
  )
  return Number.parseInt(rows[0]?.timeline ?? '', 16)
}
