import { appOperations } from '../src/http/app/operations.ts'
import { meetCrowd, type Crowd } from '../test/reliability/scenarios/crowds.ts'
import { sendHostileBodies } from '../test/reliability/scenarios/hostile-strangers.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { startRealService } from '../test/support/real-service.ts'

const sizes: readonly (readonly [Crowd, count: number])[] = [
  ['unfinished JSON', 900],
  ['unfinished forms', 900],
  ['bodies that drip', 900],
  ['forms in tiny chunks', 20],
  ['bodies without end', 20],
  ['pipelined questions', 20],
  ['readers that take nothing', 500],
  ['connections without a word', 3_000],
]
const crowdMs = 15_000

/** Every hostile body to every operation that takes one, then crowds of strangers, one after the other. */
export async function hostileStrangers(): Promise<Outcome> {
  const real = await startRealService({ families: 1, role: 'serve' })
  try {
    const port = Number(new URL(real.service.baseUrl).port)
    const pid = real.service.pid()
    const operations = appOperations.filter(({ body }) => body === 'json')
    const { figures, failures } = await sendHostileBodies({ port, operations })
    for (const [crowd, count] of sizes) {
      const met = await meetCrowd(crowd, { port, pid, count, forMs: crowdMs })
      const name = crowd.replaceAll(/ (.)/g, (_space, letter: string) => letter.toUpperCase())
      Object.assign(figures, {
        [`${name}GrowthMB`]: met.growthMB,
        [`${name}OthersP99Ms`]: met.othersP99Ms,
        [`${name}OthersMaxMs`]: met.othersMaxMs,
      })
    }
    if (real.service.pid() !== pid) failures.push('the HTTP process was replaced')
    return { figures, failures }
  } finally {
    await real.close()
  }
}
