import { createFamilyToken, type Company } from '../../support/company.ts'
import type { Db } from '../../../src/database/connection.ts'
import { call } from '../../support/http.ts'
import type { Service } from '../../support/service.ts'

export type RateLimitFigures = {
  requests: number
  /** Answers other than 429. */
  passed: number
  passedAfterRestart: number
  failures: string[]
}

type RateLimitOptions = {
  db: Db
  company: Company
  /** HTTP processes on one store, with `LAB_CLOCK_OFFSET_FILE` stopping their clocks. */
  services: readonly Service[]
  requests?: number
}

const allowed = 60

/** Every spelling of a token that the connector accepts. */
const spellings = (secret: string): Record<string, string>[] => [
  { authorization: `Bearer ${secret}` },
  { authorization: `bearer  ${secret}` },
  { authorization: secret },
  { 'x-api-key': secret },
]

/** Many parallel requests with one token over all processes and spellings; then the processes are killed and the requests repeated. */
export async function runRateLimit({
  db,
  company,
  services,
  requests = 500,
}: RateLimitOptions): Promise<RateLimitFigures> {
  const { secret } = await createFamilyToken(db, company)
  const ask = async (index: number): Promise<number> => {
    const service = services[index % services.length]
    const headers = spellings(secret)[Math.floor(index / services.length) % 4] ?? {}
    const url = `${service?.baseUrl ?? ''}/api/v1/connectors/dependency-track`
    return (await call(url, { method: 'POST', headers, body: '{}' })).status
  }
  const countPassed = async (count: number) => {
    const statuses = await Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
    return statuses.filter((status) => status !== 429).length
  }
  const passed = await countPassed(requests)
  for (const service of services) {
    await service.kill()
    await service.restart()
  }
  const passedAfterRestart = await countPassed(8)
  const failures: string[] = []
  if (passed !== allowed) failures.push(`${passed} of ${requests} passed where ${allowed} are allowed`)
  if (passedAfterRestart !== 0) failures.push(`${passedAfterRestart} passed after a restart`)
  return { requests, passed, passedAfterRestart, failures }
}
