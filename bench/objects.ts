import { runCommand } from '../test/support/command.ts'
import { S3Server } from '../test/support/s3-server.ts'
import { hasSeaweed, startSeaweed } from '../test/support/seaweed.ts'
import { startRealService } from '../test/support/real-service.ts'
import { perRound, sendRound, tokensPerRound } from './small-uploads.ts'
import { report, say } from './report.ts'

type Bucket = { name: string; env: Record<string, string>; stop: () => Promise<void> }

/** SeaweedFS where it can be run, else the tests' own server, which keeps objects in memory. */
export async function openBucket(): Promise<Bucket> {
  if (hasSeaweed()) return { name: 'seaweedfs', ...(await startSeaweed()) }
  const server = await S3Server.start()
  return { name: 'in memory', env: server.env, stop: () => server.stop() }
}

const concurrency = 8

/** 100-component uploads a second with originals in the database and in an object store, and originals moved a second in both directions. */
export async function benchObjects(): Promise<void> {
  const bucket = await openBucket()
  const leaving = { OBJECT_STORE_UPLOADS: 'database' }
  for (const [place, env] of [
    ['database', {}],
    ['store', bucket.env],
  ] as const) {
    say(`uploads with originals in the ${place} (${bucket.name})`)
    const real = await startRealService({ families: tokensPerRound * 3, env })
    let firstSerial = 9_000_000
    const rates: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const tokens = real.tokens.slice(round * tokensPerRound, (round + 1) * tokensPerRound)
      const { ms } = await sendRound([real.service], { tokens, firstSerial, concurrency })
      firstSerial += perRound
      rates.push(perRound / (ms / 1000))
    }
    rates.sort((one, other) => one - other)
    report({ figure: `uploads_originals_in_${place}_c8`, value: rates[1] ?? 0, unit: 'uploads/s', runs: 3 })
    if (place === 'store') {
      for (const [to, with_] of [
        ['database', leaving],
        ['store', {}],
      ] as const) {
        const startedAt = performance.now()
        const words = ['objects', 'move', '--to', to]
        const { moved } = await runCommand<{ moved: number }>({ ...real.service.env, ...with_ }, words)
        const value = moved / ((performance.now() - startedAt) / 1000)
        report({ figure: `originals_moved_to_${to}`, value, unit: 'originals/s', runs: 1, detail: { moved } })
      }
    }
    await real.close()
  }
  await bucket.stop()
}
