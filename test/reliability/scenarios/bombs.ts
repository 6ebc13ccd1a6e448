import { performance } from 'node:perf_hooks'
import { bombs, type Bomb } from '../../support/bombs.ts'
import { call } from '../../support/http.ts'
import type { Service } from '../../support/service.ts'
import type { Outcome } from './outcome.ts'
import { ParserMemory, residentMegabytes } from './processes.ts'
import { textIn } from '../../support/read-as.ts'

type Options = {
  /** Logs at level info, which shows the pid of its parser. */
  service: Service
  tokens: readonly string[]
  files?: readonly Bomb[]
}

const sampleEveryMs = 20

/**
 * Files that inflate or parse to far more than their size, one after the other (goal 7). Failures: an answer outside the contract, a
 * replaced HTTP process, and a service that is not ready afterwards.
 */
export async function runBombs({ service, tokens, files = bombs }: Options): Promise<Outcome> {
  const httpPid = service.pid()
  const before = residentMegabytes(httpPid).now
  const failures: string[] = []
  const memory = new MemoryPeaks(service)
  let slowestAnswerMs = 0
  try {
    for (const [place, { kind, name, path, answer, body }] of files.entries()) {
      const sent = { method: 'POST' as const, token: tokens[place % tokens.length] ?? '', body: body() }
      const startedAt = performance.now()
      const { status, body: said } = await call(`${service.baseUrl}${path}`, sent)
      slowestAnswerMs = Math.max(slowestAnswerMs, performance.now() - startedAt)
      const code = status === 202 ? '202' : textIn(said, 'error')
      if (code !== answer) failures.push(`${kind}, ${name}: ${status} ${code} instead of ${answer}`)
    }
    const ready = await call(`${service.baseUrl}/readyz`)
    if (ready.status !== 200) failures.push(`/readyz answers ${ready.status} afterwards`)
  } finally {
    memory.stop()
  }
  if (service.pid() !== httpPid) failures.push('the HTTP process was replaced')
  return {
    figures: {
      files: files.length,
      slowestAnswerMs,
      httpGrowthMB: memory.http - before,
      parserPeakMB: memory.parser.peakMegabytes,
      parserAfterMB: memory.parser.sample(),
    },
    failures,
  }
}

/** Polls both processes, because the figures of a replaced process are lost. */
class MemoryPeaks {
  http = 0
  readonly parser: ParserMemory
  readonly #timer: NodeJS.Timeout

  constructor(service: Service) {
    this.parser = new ParserMemory(service)
    this.#timer = setInterval(() => {
      this.http = Math.max(this.http, residentMegabytes(service.pid()).now)
      this.parser.sample()
    }, sampleEveryMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
