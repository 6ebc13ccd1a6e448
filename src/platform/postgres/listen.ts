import type { ClientConfig } from 'pg'
import { pause } from './pause.ts'
import { openSession, type Session } from './session.ts'
import type { StoreLog } from './server.ts'

type Listening = {
  /**
   * What to do, by the name of the channel (a plain identifier): at every notification of it, and of all of them whenever listening begins
   * again, because something may have been said meanwhile.
   */
  channels: Readonly<Record<string, () => unknown>>
  log: Pick<StoreLog, 'warn'>
}

/**
 * Waits for the end of a session that says nothing by itself. It asks now and then: a host that dies does not tell, and what is not
 * answered ends (silence/silence-watch.ts).
 */
async function endOf({ client, ended }: Session): Promise<void> {
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    // A question that fails does so with its session, whose end is awaited.
    await client.query('SELECT 1').catch(() => undefined)
    isAsking = false
  }
  const asking = setInterval(() => void ask(), beatEveryMs)
  await ended
  clearInterval(asking)
}

export type Listener = { stop: () => Promise<void> }

const shortestPauseMs = 100
const longestPauseMs = 2_000
/** Shorter than for others: whoever listens comes back soon after a host that was silent. */
const openTimeoutMs = 5_000
const beatEveryMs = 2_000

/**
 * Listens to channels on one session, which is opened again, with growing pauses, whenever it is lost. One loop owns it, so that
 * there are never two. Begins in the background.
 */
export function listenTo(connection: ClientConfig, { channels, log }: Listening): Listener {
  const names = Object.keys(channels)
  const stopping = new AbortController()
  let session: Session | null = null
  let pauseMs = shortestPauseMs

  const listen = async () => {
    session = await openSession(connection, { applicationName: 'sbom-monitor listen', log, openTimeoutMs })
    try {
      session.client.on('notification', ({ channel }) => channels[channel]?.())
      await session.client.query(names.map((name) => `LISTEN ${name}`).join('; '))
      pauseMs = shortestPauseMs
      for (const act of Object.values(channels)) act()
      if (!stopping.signal.aborted) await endOf(session)
    } finally {
      await session.client
        .end()
        .catch((error: unknown) => log.warn({ err: error }, 'closing the session that listens'))
      session = null
    }
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await listen().catch((error: unknown) => log.warn({ err: error, channels: names }, 'cannot listen'))
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
