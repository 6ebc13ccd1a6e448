import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../support/http.ts'
import { sampleSbom } from '../../support/sample-sbom.ts'
import type { Service } from '../../support/service.ts'
import type { Outcome } from './outcome.ts'
import { parserPid } from './processes.ts'

type Options = {
  /** Logs at level info, which shows the pid of its parser. */
  service: Service
  /** Each is limited to sixty uploads. */
  tokens: readonly string[]
  kills?: number
}

const restartWithinMs = 60_000

/** The parser is killed repeatedly, each time followed by an upload (goal 22): it is stored, by the same HTTP process. */
export async function runParserKilled({ service, tokens, kills = 50 }: Options): Promise<Outcome> {
  const httpPid = service.pid()
  const failures: string[] = []
  let stored = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = parserPid(service)
    process.kill(killed, 'SIGKILL')
    const body = sampleSbom({ components: 2, serial: kill + 1, offset: kill * 2 })
    const token = tokens[kill % tokens.length] ?? ''
    const { status } = await call(`${service.baseUrl}/api/v1/sboms`, { method: 'POST', token, body })
    if (status === 202) stored += 1
    else failures.push(`the upload after kill ${kill + 1} was answered ${status}`)
    await untilReplaced(service, killed)
  }
  if (service.pid() !== httpPid) failures.push('the HTTP process was replaced')
  return { figures: { kills, stored }, failures }
}

async function untilReplaced(service: Service, killed: number): Promise<void> {
  const until = performance.now() + restartWithinMs
  while (parserPid(service) === killed) {
    if (performance.now() > until) throw new Error('the parser was not started again')
    await sleep(5)
  }
}
