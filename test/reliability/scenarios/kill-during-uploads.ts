import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { startRealService, type RealService } from '../../support/real-service.ts'
import { UploadHistory } from '../../support/upload-history.ts'

export type KillFigures = {
  kills: number
  /** Files that a client was told are stored. */
  acknowledged: number
  missing: number
  duplicateRows: number
  severalIds: number
  doubleNew: number
  unmatched: number
}

const senders = 4
/** Every file is sent twice, and a token is good for sixty requests. */
const filesPerKill = 30
const matchedWithinMs = 180_000

/**
 * Kills the service with SIGKILL at random points while files are sent, every file twice at once, so that the two race each other
 * as well as the kill; every second time the store's server is killed too. Compares what clients saw with what is stored and
 * matched after the last start.
 */
export async function killDuringUploads({ kills }: { kills: number }): Promise<KillFigures> {
  const real = await startRealService({ families: Math.max(8, kills * 2) })
  const history = new UploadHistory()
  try {
    let next = 1
    for (let kill = 0; kill < kills; kill += 1) {
      const killed = new AbortController()
      const sending = Array.from({ length: senders }, async () => {
        while (!killed.signal.aborted) {
          const file = next
          next += 1
          const to = { baseUrl: real.service.baseUrl, token: tokenOf(real, file) }
          const [seen] = await Promise.all([history.send(file, to), history.send(file, to)])
          if ('failed' in seen) await sleep(10)
        }
      })
      await untilAcknowledged(history, history.acknowledged.size + 10)
      await sleep(30 + ((kill * 97) % 220))
      if (kill % 2 === 1) await real.killStore()
      await real.service.kill()
      killed.abort()
      await Promise.all(sending)
      await real.service.restart()
    }
    const session = await real.connect()
    await untilMatched(session)
    const compared = await history.compare(session)
    await session.end()
    return { kills, acknowledged: history.acknowledged.size, ...compared }
  } finally {
    await real.close()
  }
}

function tokenOf({ tokens }: RealService, file: number): string {
  return tokens[Math.floor(file / filesPerKill) % tokens.length] ?? ''
}

async function untilAcknowledged({ acknowledged, refusals }: UploadHistory, count: number): Promise<void> {
  const until = performance.now() + 60_000
  while (acknowledged.size < count) {
    if (performance.now() > until)
      throw new Error(`too few uploads were acknowledged: ${refusals.at(-1) ?? ''}`)
    await sleep(5)
  }
}

async function untilMatched(session: ClientBase): Promise<void> {
  const until = performance.now() + matchedWithinMs
  while (performance.now() < until) {
    const { rows } = await session.query<{ open: string }>(
      `select count(*) as open from sbom where status <> 'matched'`,
    )
    if (rows[0]?.open === '0') return
    await sleep(100)
  }
}
