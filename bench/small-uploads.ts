import { sampleSbom } from '../test/support/sample-sbom.ts'
import type { Service } from '../test/support/service.ts'
import { cpuOfEach, cpuTimes } from './cpu.ts'
import { importFindings } from './findings.ts'
import { upload, type Laboratory } from './laboratory.ts'
import { median, percentile, report, round, say } from './report.ts'

/** Uploads of one round. */
export const perRound = 240
const rounds = 3

/** Findings of every fourth component. */
const findingDistance = 4

/** The first hundreds of uploads of a process, which V8 compiles meanwhile, are a figure of their own. */
const loads = [
  { figure: 'uploads_100_components_after_start', concurrency: 1 },
  { figure: 'uploads_100_components_c1', concurrency: 1 },
  { figure: 'uploads_100_components_c8', concurrency: 8 },
  { figure: 'uploads_100_components_c32', concurrency: 32 },
]

/** 100-component uploads per second, each new bytes, 5 of the 100 components new to the family, 25 of them with a finding. */
export async function benchSmallUploads(laboratory: Laboratory): Promise<void> {
  let serial = 1_000_000
  say('importing records on every fourth component')
  await importFindings(laboratory, { first: 0, count: 1_000, every: findingDistance })
  for (const { figure, concurrency } of loads) {
    say(`${figure}: ${concurrency} at a time`)
    const rates: number[] = []
    const times: number[] = []
    const before = await cpuTimes(laboratory)
    for (let round = 0; round < rounds; round += 1) {
      const tokens = await laboratory.tokens(tokensPerRound)
      const sent = await sendRound([laboratory.service], { tokens, firstSerial: serial, concurrency })
      serial += perRound
      times.push(...sent.times)
      rates.push(perRound / (sent.ms / 1000))
    }
    await untilAllMatched(laboratory)
    const cpu = cpuOfEach(before, await cpuTimes(laboratory), perRound * rounds)
    report({
      figure,
      value: median(rates),
      unit: 'uploads/s',
      runs: rounds,
      detail: { p50Ms: round(percentile(times, 50)), p99Ms: round(percentile(times, 99)), ...cpu },
    })
  }
}

export async function untilAllMatched({ sql }: Pick<Laboratory, 'sql'>): Promise<void> {
  for (;;) {
    const { rows } = await sql.query(`select from sbom where status not in ('matched', 'failed') limit 1`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A token allows 60 requests an hour, so the load is spread over families. */
export const tokensPerRound = Math.ceil(perRound / 50)

type Round = { tokens: string[]; firstSerial: number; concurrency: number }

/** Sends new files of 100 components, 5 of them new to the family each time. Returns how long all and each of them took, in milliseconds. */
export async function sendRound(
  services: readonly Service[],
  { tokens, firstSerial, concurrency }: Round,
): Promise<{ ms: number; times: number[] }> {
  const bodies = Array.from({ length: perRound }, (_, index) =>
    sampleSbom({
      components: 100,
      serial: firstSerial + index,
      offset: Math.floor(index / tokens.length) * 5,
    }),
  )
  const startedAt = performance.now()
  const times = await sendAll(services, { bodies, tokens, concurrency })
  return { ms: performance.now() - startedAt, times }
}

type Load = { bodies: Buffer[]; tokens: string[]; concurrency: number }

/** Sends the bodies, so many at once, to the services and with the tokens in turn. Returns how long each took, in milliseconds. */
export async function sendAll(
  services: readonly Service[],
  { bodies, tokens, concurrency }: Load,
): Promise<number[]> {
  const times: number[] = []
  let next = 0
  const lane = async () => {
    while (next < bodies.length) {
      const index = next
      next += 1
      const answer = await upload(
        services[index % services.length] as Service,
        tokens[index % tokens.length] ?? '',
        bodies[index] ?? Buffer.alloc(0),
      )
      if (answer.status !== 202) throw new Error(`upload ${index} was answered ${answer.status}`)
      times.push(answer.ms)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return times
}
