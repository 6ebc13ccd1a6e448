import { sendFuzzedUploads } from '../test/fuzz/send-uploads.ts'
import { startRealService } from '../test/support/real-service.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'

const targets = ['sboms', 'vex', 'connectors/dependency-track'] as const
const requestsPerToken = 60

/** So many mutated bodies to each endpoint; a 5xx, an answer outside of the contract or one that takes over 2 s is a failure. */
export async function mutatedBodies({ count }: { count: number }): Promise<Outcome> {
  const tokensEach = Math.ceil(count / requestsPerToken) + 1
  const real = await startRealService({ families: tokensEach * targets.length })
  const tokens = [...real.tokens]
  const run = { url: real.service.baseUrl, token: () => Promise.resolve(tokens.pop() ?? '') }
  try {
    const figures: Record<string, number> = { sent: 0, slowestMs: 0 }
    const failures: string[] = []
    // The first upload waits for the parser child to start.
    await sendFuzzedUploads({ ...run, target: 'sboms', firstSeed: 0, count: 1, maxMs: 60_000 })
    for (const target of targets) {
      const report = await sendFuzzedUploads({ ...run, target, firstSeed: 1_000, count, maxMs: 2_000 })
      figures['sent'] = (figures['sent'] ?? 0) + report.sent
      figures['slowestMs'] = Math.max(figures['slowestMs'] ?? 0, report.slowestMs)
      for (const { seed, status, ms } of report.failures)
        failures.push(`${target}, seed ${seed}: ${status} after ${ms} ms`)
    }
    return { figures, failures }
  } finally {
    await real.close()
  }
}
