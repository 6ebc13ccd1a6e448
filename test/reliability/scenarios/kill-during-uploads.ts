import { setTimeout as sleep } from 'node:timers/promises'
import { startRealService, type RealService } from '../../support/real-service.ts'
import { UploadHistory, type HistoryFigures } from '../../support/upload-history.ts'

export type KillFigures = HistoryFigures & { kills: number }

const senders = 4
/** Every file is sent twice, and a token is limited to sixty requests an hour. */
const filesPerKill = 30

/**
 * Kills the service with SIGKILL at random points while files are sent, every file twice in parallel, so that the two race each other and
 * the kill; every second time the database server is killed too. Compares what clients saw with what is stored and matched after the last
 * start.
 */
export async function killDuringUploads({ kills }: { kills: number }): Promise<KillFigures> {
  const real = await startRealService({ families: Math.max(8, kills * 2) })
  const history = new UploadHistory({ components: 50 })
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
    return { kills, ...(await history.compare(real.query)) }
  } finally {
    await real.close()
  }
}

function tokenOf({ tokens }: RealService, file: number): string {
  return tokens[Math.floor(file / filesPerKill) % tokens.length] ?? ''
}

async function untilAcknowledged({ acknowledged, badAnswers }: UploadHistory, count: number): Promise<void> {
  const until = performance.now() + 60_000
  while (acknowledged.size < count) {
    if (performance.now() > until)
      throw new Error(`too few uploads were acknowledged: ${badAnswers.at(-1) ?? ''}`)
    await sleep(5)
  }
}
