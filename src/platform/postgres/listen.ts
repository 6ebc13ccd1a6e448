import type { ClientConfig } from 'pg'
import { pause } from './pause.ts'
import { openSession, type Session } from './session.ts'
import type { StoreLog } from './server.ts'

type Listening = {
  channel: string
  /** Called at every notification, and whenever listening begins again: something may have been said meanwhile. */
  onNotification: () => void
  log: Pick<StoreLog, 'warn'>
}

export type Listener = { stop: () => Promise<void> }

const shortestPauseMs = 100
const longestPauseMs = 5_000

/**
 * Listens to a channel on one session, which is opened again, with growing pauses, whenever it is lost. One loop owns it, so that
 * there are never two. Begins in the background.
 */
export function listenTo(connection: ClientConfig, { channel, onNotification, log }: Listening): Listener {
  const stopping = new AbortController()
  let session: Session | null = null
  let pauseMs = shortestPauseMs

  const listen = async () => {
    session = await openSession(connection, { applicationName: 'sbom-monitor listen', log })
    try {
      session.client.on('notification', onNotification)
      await session.client.query(`LISTEN ${channel}`)
      pauseMs = shortestPauseMs
      onNotification()
      if (!stopping.signal.aborted) await session.ended
    } finally {
      await session.client
        .end()
        .catch((error: unknown) => log.warn({ err: error }, 'closing the session that listens'))
      session = null
    }
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await listen().catch((error: unknown) => log.warn({ err: error, channel }, 'cannot listen'))
      await pause(pauseMs, stopping.signal)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await session?.client.end()
      await running
    },
  }
}
