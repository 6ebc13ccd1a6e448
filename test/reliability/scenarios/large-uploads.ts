import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { pingWhile } from '../../../bench/ping.ts'
import { percentile } from '../../../bench/report.ts'
import { upload } from '../../../bench/laboratory.ts'
import { sampleSbom } from '../../support/sample-sbom.ts'
import type { Service } from '../../support/service.ts'
import type { Outcome } from './outcome.ts'
import { atMostEvery, ParserMemory, parserPid, residentMegabytes } from './processes.ts'

type Options = {
  /** Logs at level info, which shows the pid of its parser. */
  service: Service
  /** One upload token for each upload of a round. */
  tokens: readonly string[]
  rounds: number
  /** Inflated size of each file. */
  megabytes?: number
  /** How long after the last answer memory is measured once more. */
  settleMs?: number
}

/** Memory grows and shrinks over tenths of a second. With every request, looking at it would take a tenth of a core. */
const sampleEveryMs = 25
/** Bytes around a filler value, rounded up. */
const overhead = 60

/**
 * Rounds of large parallel uploads, each file new, while small requests go on, one every 5 ms (goals 8 and 9; the longest delay of the
 * event loop, goal 10, is in the service's metrics). Failures: an answer other than 202, or a replaced process.
 */
export async function runLargeUploads(options: Options): Promise<Outcome> {
  const { service, tokens, rounds, megabytes = 50, settleMs = 10_000 } = options
  const pids = { http: service.pid(), parser: parserPid(service) }
  const failures: string[] = []
  const times: number[] = []
  const answers: number[] = []
  let httpPeak = 0
  const parser = new ParserMemory(service)
  const sample = atMostEvery(sampleEveryMs, () => {
    httpPeak = Math.max(httpPeak, residentMegabytes(pids.http).now)
    parser.sample()
  })
  for (let round = 0; round < rounds; round += 1) {
    const bodies = tokens.map((_, place) => largeBody(round * tokens.length + place, megabytes))
    const sendAll = () => Promise.all(bodies.map((body, place) => upload(service, tokens[place] ?? '', body)))
    const { times: pings, value } = await pingWhile(service, sendAll, sample)
    times.push(...pings)
    for (const { status, ms } of value) {
      answers.push(ms)
      if (status !== 202) failures.push(`a large upload was answered ${status}`)
    }
  }
  await sleep(settleMs)
  if (service.pid() !== pids.http) failures.push('the HTTP process was replaced')
  if (parserPid(service) !== pids.parser) failures.push('the parser was replaced')
  return {
    figures: {
      httpPeakMB: httpPeak,
      httpAfterMB: residentMegabytes(pids.http).now,
      parserPeakMB: parser.peakMegabytes,
      parserAfterMB: parser.sample(),
      slowestUploadMs: Math.max(...answers),
      smallRequestP99Ms: percentile(times, 99),
      smallRequestMaxMs: percentile(times, 100),
      smallRequests: times.length,
    },
    failures,
  }
}

/** Few components with long texts would be cheap; real files of this size have many components with many fields. */
function largeBody(serial: number, megabytes: number): Buffer {
  const components = Math.floor(48_000 * (megabytes / 50))
  const document = JSON.parse(sampleSbom({ components, serial, offset: 90_000_000 }).toString()) as {
    components: Record<string, unknown>[]
  }
  const missing = megabytes * 1024 * 1024 - 4096 - Buffer.byteLength(JSON.stringify(document))
  const perComponent = Math.floor(missing / document.components.length) - overhead
  for (const component of document.components) {
    component['properties'] = [{ name: 'filler', value: 'x'.repeat(perComponent) }]
  }
  return gzipSync(JSON.stringify(document), { level: 6 })
}
