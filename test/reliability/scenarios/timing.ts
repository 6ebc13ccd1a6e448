import { randomBytes } from 'node:crypto'
import type { Db } from '../../../src/database/connection.ts'
import { provision } from '../../../src/provision/provision.ts'
import { createFamilyToken, type Company } from '../../support/company.ts'
import { call } from '../../support/http.ts'
import { testNow } from '../../support/clock.ts'
import type { Outcome } from './outcome.ts'
import { signIn } from '../../../src/contract/people/operations/session.ts'

type Order = {
  db: Db
  company: Company
  /** Behind a proxy that passes on the client address, so that no per-address limit ends the measurement. */
  baseUrl: string
  /** For each of the two that are compared. */
  tokenChecks: number
  signIns: number
}

/** Attempts on one account: fewer than the limit of a quarter of an hour. */
const attemptsEach = 6
const password = 'not the password of anybody'

/** How long a refusal takes: timing must not reveal whether a token is nearly right, or an address has an account. */
export async function runTiming(order: Order): Promise<Outcome> {
  const { secret } = await createFamilyToken(order.db, order.company, { kind: 'results' })
  // created beforehand, a new one for each request on both sides: neither side benefits from a cache
  const random = tokensOf(order.tokenChecks, () => randomBytes(32).toString('base64url'))
  const near = tokensOf(order.tokenChecks, () => nearly(secret))
  const [unknown, nearMiss] = await compare(
    order.tokenChecks,
    (turn) => checkToken(order.baseUrl, random[turn] ?? ''),
    (turn) => checkToken(order.baseUrl, near[turn] ?? ''),
  )
  const members = await addMembers(order)
  const [stranger, known] = await compare(
    order.signIns,
    (turn) => tryToSignIn(order.baseUrl, `nobody-${Math.floor(turn / attemptsEach)}@timed.example`, turn),
    (turn) => tryToSignIn(order.baseUrl, members[Math.floor(turn / attemptsEach)] ?? '', turn),
  )
  return {
    figures: {
      unknownTokenMs: unknown,
      nearMissMs: nearMiss,
      tokenDifferencePercent: difference(unknown, nearMiss),
      unknownAddressMs: stranger,
      knownAddressMs: known,
      signInDifferencePercent: difference(stranger, known),
    },
    failures: [],
  }
}

function tokensOf(checks: number, random: () => string): string[] {
  return Array.from({ length: checks * 2 }, () => `svc_${random()}`)
}

/** Without its prefix, and with other characters at the end: right up to the prefix shown in lists, and beyond. */
function nearly(secret: string): string {
  return secret.slice(4, -3) + randomBytes(3).toString('hex').slice(0, 3)
}

type Ask = (turn: number) => Promise<void>

/** Medians of two kinds of requests that alternate, so that other load affects both. */
async function compare(turns: number, first: Ask, second: Ask): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  // first requests lack the plans and connections of later ones
  const warmUp = Math.ceil(turns / 10)
  for (let turn = 0; turn < turns + warmUp; turn += 1) {
    const both = [...[first, second].entries()]
    // the order alternates
    for (const [index, ask] of turn % 2 === 0 ? both : both.reverse()) {
      const startedAt = performance.now()
      await ask(turn)
      if (turn >= warmUp) times[index]?.push(performance.now() - startedAt)
    }
  }
  return [median(times[0]), median(times[1])]
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

function difference(one: number, other: number): number {
  return (Math.abs(one - other) / Math.max(one, other)) * 100
}

async function checkToken(baseUrl: string, token: string): Promise<void> {
  const { status } = await call(`${baseUrl}/api/v1/sboms/00000000-0000-7000-8000-00000000dead`, { token })
  if (status !== 401) throw new Error(`a wrong token was answered ${status}`)
}

async function tryToSignIn(baseUrl: string, email: string, turn: number): Promise<void> {
  const { status } = await call(baseUrl + signIn.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.1.${turn >> 8}.${turn & 255}` },
    body: JSON.stringify({ email, password }),
  })
  if (status !== 401) throw new Error(`a wrong password was answered ${status}`)
}

async function addMembers({ db, company, signIns }: Order): Promise<string[]> {
  const count = Math.ceil((signIns * 1.1 + 1) / attemptsEach)
  const emails = Array.from({ length: count }, (_, number) => `member-${number}@timed.example`)
  const { slug } = company
  const members = emails.map((email) => ({
    email,
    name: 'Timed',
    role: 'viewer' as const,
    password: 'a long enough password',
  }))
  const workspace = { slug, companyName: slug, securityContactEmail: `security@${slug}.example` }
  await provision(db, { workspaces: [{ ...workspace, plan: 'core', members }] }, testNow)
  return emails
}
