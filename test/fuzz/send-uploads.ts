import { call } from '../support/http.ts'
import type { Target } from './documents.ts'
import { fuzzedUpload } from './mutate.ts'
import { namesIn } from '../support/read-as.ts'

/** The result of a run of fuzzed uploads. */
export type FuzzReport = {
  sent: number
  byStatus: Record<number, number>
  slowestMs: number
  /** Seeds answered 5xx, too late, or in a shape outside the contract. */
  failures: { seed: number; status: number; ms: number; body: unknown }[]
}

type Run = {
  url: string
  token: () => Promise<string>
  target: Target
  firstSeed: number
  count: number
  maxMs: number
}

/** The hourly limit of a token. */
const requestsPerToken = 60
const atOnce = 4

/** Sends the uploads of `count` seeds, four at a time. */
export async function sendFuzzedUploads({ token, firstSeed, count, ...run }: Run): Promise<FuzzReport> {
  const report: FuzzReport = { sent: 0, byStatus: {}, slowestMs: 0, failures: [] }
  const tokens: Promise<string>[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const place = next
      next += 1
      const secret = await (tokens[Math.floor(place / requestsPerToken)] ??= token())
      await sendOne({ ...run, secret, seed: firstSeed + place }, report)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return report
}

type One = Pick<Run, 'url' | 'target' | 'maxMs'> & { secret: string; seed: number }

/** Fields of answers in the contract's shape. */
const answerFields = ['error', 'id', 'test', 'ignored']

async function sendOne({ url, target, secret, seed, maxMs }: One, report: FuzzReport): Promise<void> {
  const { path, body, headers, query } = fuzzedUpload(seed, target)
  const startedAt = performance.now()
  const answer = await call(`${url}${path}${query}`, { method: 'POST', token: secret, headers, body })
  const ms = performance.now() - startedAt
  report.sent += 1
  report.byStatus[answer.status] = (report.byStatus[answer.status] ?? 0) + 1
  report.slowestMs = Math.max(report.slowestMs, ms)
  const given = namesIn(answer.body)
  const isOfContract = answerFields.some((field) => given.includes(field))
  if (answer.status >= 500 || ms > maxMs || !isOfContract) {
    report.failures.push({ seed, status: answer.status, ms: Math.round(ms), body: answer.body })
  }
}
