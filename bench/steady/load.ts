import { setTimeout as sleep } from 'node:timers/promises'
import { sampleSbom } from '../../test/support/sample-sbom.ts'
import type { Service } from '../../test/support/service.ts'
import { upload } from '../laboratory.ts'

const families = 20
const versions = 5
const components = 100
/** A token takes 60 requests an hour. */
const perToken = 55
/** A machine that is slower than the rate is not buried in requests. */
const maxAtOnce = 64

type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

/** The tokens of each family, enough for so many uploads. */
export async function provisionLoad(service: Service, uploads: number): Promise<string[][]> {
  const tokens = Array.from({ length: Math.ceil(uploads / families / perToken) }, (_, n) => ({
    name: `ci ${n}`,
  }))
  const company = { companyName: 'Steady', securityContactEmail: 'bench@example.com', plan: 'plus' }
  const asked = Array.from({ length: families }, (_, n) => ({ name: `Product ${n}`, tokens }))
  const { workspaces } = await service.cli<Provisioned>(['provision'], {
    workspaces: [{ slug: 'steady', ...company, families: asked }],
  })
  return (workspaces[0]?.families ?? []).map((family) => family.tokens.map(({ token }) => token))
}

type Load = {
  tokens: readonly string[][]
  /** Number of the first upload: each number is another file. */
  first: number
  perSecond: number
  minutes: number
}

/** Uploads by the clock, whether or not those before are answered. Returns how many there were. */
export async function sendSteadily(
  services: readonly Service[],
  { tokens, first, perSecond, minutes }: Load,
): Promise<number> {
  const failed = new AbortController()
  const underWay = new Set<Promise<void>>()
  const startedAt = performance.now()
  let number = first
  for (; performance.now() - startedAt < minutes * 60_000 && !failed.signal.aborted; number += 1) {
    await sleep(Math.max(0, startedAt + ((number - first) * 1000) / perSecond - performance.now()))
    while (underWay.size >= maxAtOnce) await Promise.race(underWay)
    const one = send(services[number % services.length] as Service, tokens, number)
      .catch((error: unknown) => failed.abort(error))
      .finally(() => underWay.delete(one))
    underWay.add(one)
  }
  await Promise.all(underWay)
  failed.signal.throwIfAborted()
  return number - first
}

async function send(service: Service, tokens: readonly string[][], number: number): Promise<void> {
  const { status } = await upload(service, tokenOf(tokens, number), bodyOf(number))
  if (status !== 202) throw new Error(`upload ${number} was answered ${status}`)
}

function tokenOf(tokens: readonly string[][], number: number): string {
  const family = tokens[number % families] ?? []
  return family[Math.floor(number / families) % family.length] ?? ''
}

/** Five of the hundred components are new to the family each time, and so is what it loses. */
function bodyOf(number: number): Buffer {
  const turn = Math.floor(number / families)
  return sampleSbom({ components, serial: number, offset: turn * 5, version: `${1 + (turn % versions)}.0.0` })
}
