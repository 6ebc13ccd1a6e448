import { call } from '../support/http.ts'
import { fuzzedUpload } from './mutate.ts'

/** What happened to a run of fuzzed uploads. */
export type FuzzReport = {
  sent: number
  byStatus: Record<number, number>
  slowestMs: number
  /** Seeds whose answer was a 5xx, took longer than allowed, or was not of the contract's shape. */
  failures: { seed: number; status: number; ms: number; body: unknown }[]
}

type Run = { url: string; token: () => Promise<string>; firstSeed: number; count: number; maxMs: number }

/** One token is good for sixty requests an hour. */
const requestsPerToken = 60
const atOnce = 4

/** Sends the uploads of `count` seeds, four at a time. */
export async function sendFuzzedUploads({ url, token, firstSeed, count, maxMs }: Run): Promise<FuzzReport> {
  const report: FuzzReport = { sent: 0, byStatus: {}, slowestMs: 0, failures: [] }
  const tokens: Promise<string>[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const place = next
      next += 1
      const secret = await (tokens[Math.floor(place / requestsPerToken)] ??= token())
      await sendOne({ url, secret, seed: firstSeed + place, maxMs }, report)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return report
}

type One = { url: string; secret: string; seed: number; maxMs: number }

async function sendOne({ url, secret, seed, maxMs }: One, report: FuzzReport): Promise<void> {
  const { body, headers, query } = fuzzedUpload(seed)
  const startedAt = performance.now()
  const answer = await call(`${url}/api/v1/sboms${query}`, { method: 'POST', token: secret, headers, body })
  const ms = performance.now() - startedAt
  report.sent += 1
  report.byStatus[answer.status] = (report.byStatus[answer.status] ?? 0) + 1
  report.slowestMs = Math.max(report.slowestMs, ms)
  const isOfContract =
    typeof answer.body === 'object' && answer.body !== null && ('error' in answer.body || 'id' in answer.body)
  if (answer.status >= 500 || ms > maxMs || !isOfContract) {
    report.failures.push({ seed, status: answer.status, ms: Math.round(ms), body: answer.body })
  }
}
