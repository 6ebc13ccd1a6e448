import type { ClientConfig } from 'pg'
import { pause } from './pause.ts'
import { openSession, type Session } from './session.ts'
import type { StoreLog } from './server.ts'

type Listening = {
  /**
   * What to do, by the name of the channel (a plain identifier): at every notification of it, and for all channels whenever listening
   * starts again, because a notification may have been missed.
   */
  channels: Readonly<Record<string, () => unknown>>
  log: Pick<StoreLog, 'warn'>
}

/**
 * Waits for the end of a session that sends nothing by itself. It asks now and then: a dead host says nothing, and a session whose
 * question stays unanswered is ended (silence/silence-watch.ts).
 */
async function endOf({ client, ended }: Session): Promise<void> {
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    // A question only fails with its session, whose end is awaited anyway.
    await client.query('SELECT 1').catch(() => undefined)
    isAsking = false
  }
  const asking = setInterval(() => void ask(), beatEveryMs)
  await ended
  clearInterval(asking)
}

export type Listener = { stop: () => Promise<void> }

const minPauseMs = 100
const maxPauseMs = 2_000
/** Shorter than for others, to listen again soon after a host fell silent. */
const openTimeoutMs = 5_000
const beatEveryMs = 2_000

/**
 * Listens to channels on one session, which is reopened, with growing pauses, whenever it is lost. One loop owns it, so there
 * are never two. Starts in the background.
 */
export function listenTo(connection: ClientConfig, { channels, log }: Listening): Listener {
  const names = Object.keys(channels)
  const stopping = new AbortController()
  let session: Session | null = null
  let pauseMs = minPauseMs

  const listen = async () => {
    const { signal } = stopping
    const options = { applicationName: 'sbom-monitor listen', log, openTimeoutMs }
    session = await openSession({ ...connection, signal }, options)
    try {
      session.client.on('notification', ({ channel }) => channels[channel]?.())
      await session.client.query(names.map((name) => `LISTEN ${name}`).join('; '))
      pauseMs = minPauseMs
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
      await listen().catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error, channels: names }, 'cannot listen')
      })
      await pause(pauseMs, stopping.signal)
      pauseMs = Math.min(pauseMs * 2, maxPauseMs)
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
