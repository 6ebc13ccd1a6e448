import { setTimeout as sleep } from 'node:timers/promises'
import { startRealService } from '../../support/real-service.ts'
import { UploadHistory } from '../../support/upload-history.ts'

export type StopFigures = {
  stops: number
  acknowledged: number
  missing: number
  duplicateRows: number
  /** Answers started but not finished. */
  cutAnswers: number
  slowestStopMs: number
}

const senders = 4
const filesPerToken = 55

/**
 * Sends SIGTERM while files are sent, repeatedly. The process finishes accepted requests and exits; nothing it acknowledged is missing
 * afterwards.
 */
export async function stopUnderLoad({ stops }: { stops: number }): Promise<StopFigures> {
  const real = await startRealService({ families: Math.max(8, stops * 2) })
  const history = new UploadHistory({ components: 50 })
  let slowestStopMs = 0
  let next = 1
  try {
    for (let stop = 0; stop < stops; stop += 1) {
      const stopped = new AbortController()
      const target = history.acknowledged.size + 8
      const sending = Array.from({ length: senders }, async () => {
        while (!stopped.signal.aborted) {
          const file = next
          next += 1
          const token = real.tokens[Math.floor(file / filesPerToken) % real.tokens.length] ?? ''
          const seen = await history.send(file, { baseUrl: real.service.baseUrl, token })
          if ('failed' in seen) await sleep(10)
        }
      })
      while (history.acknowledged.size < target) await sleep(5)
      const startedAt = performance.now()
      await real.service.stop()
      slowestStopMs = Math.max(slowestStopMs, performance.now() - startedAt)
      stopped.abort()
      await Promise.all(sending)
      await real.service.restart()
    }
    const { acknowledged, missing, duplicateRows } = await history.compare(real.query)
    const cutAnswers = history.answers.get('cut answer') ?? 0
    return { stops, acknowledged, missing, duplicateRows, cutAnswers, slowestStopMs }
  } finally {
    await real.close()
  }
}
