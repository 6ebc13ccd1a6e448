import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { sampleSbom } from '../test/support/sample-sbom.ts'
import { upload, type Laboratory } from './laboratory.ts'
import { pingWhile } from './ping.ts'
import { percentile, report, round, say } from './report.ts'

const uploads = 8
const targetBytes = 50 * 1024 * 1024 - 4096
/** Bytes around a filler value, rounded up. */
const overhead = 60

/** Small requests, one every 5 ms whatever the answers do, while eight files of just under 50 MB are read at once. */
export async function benchLatency(laboratory: Laboratory): Promise<void> {
  say('eight uploads of 50 MB while small requests go on')
  const { service } = laboratory
  const tokens = await laboratory.tokens(uploads)
  const bodies = tokens.map((_, index) => gzipSync(fiftyMegabytes(index), { level: 6 }))
  let peakBytes = 0
  const sampleMemory = () => (peakBytes = Math.max(peakBytes, residentBytes(service.pid())))
  const startedAt = performance.now()
  let wholeMs = 0
  const sendAll = async () => {
    const answers = await Promise.all(bodies.map((body, index) => upload(service, tokens[index] ?? '', body)))
    wholeMs = performance.now() - startedAt
    return answers
  }
  const { times, value: answers } = await pingWhile(service, sendAll, sampleMemory)
  const refused = answers.filter(({ status }) => status !== 202)
  if (refused.length > 0)
    throw new Error(`${refused.length} of ${uploads} uploads were answered ${refused[0]?.status}`)
  report({
    figure: 'small_request_p99_during_8x50MB',
    value: percentile(times, 99),
    unit: 'ms',
    runs: times.length,
    detail: {
      p50Ms: round(percentile(times, 50)),
      maxMs: round(percentile(times, 100)),
      allAnsweredMs: round(wholeMs),
      slowestUploadMs: round(Math.max(...answers.map(({ ms }) => ms))),
      httpProcessPeakMB: round(peakBytes / 1024 / 1024),
    },
  })
}

/** Few components with long texts would be easy; many with many fields are what real files of this size hold. */
function fiftyMegabytes(serial: number): Buffer {
  const document = JSON.parse(sampleSbom({ components: 48_000, serial, offset: 90_000_000 }).toString()) as {
    components: Record<string, unknown>[]
  }
  const missing = targetBytes - Buffer.byteLength(JSON.stringify(document))
  const perComponent = Math.floor(missing / document.components.length) - overhead
  for (const component of document.components) {
    component['properties'] = [{ name: 'filler', value: 'x'.repeat(perComponent) }]
  }
  return Buffer.from(JSON.stringify(document))
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}
