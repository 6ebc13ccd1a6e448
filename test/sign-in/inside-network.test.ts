import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import pino from 'pino'
import {
  beginCompanySignIn,
  completeCompanySignIn,
  setIssuer,
} from '../../src/contract/people/operations/sign-in.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { startIssuer, type Twist } from './stand-in-issuer.ts'
import { portOf } from '../support/port-of.ts'
import { textLike } from '../support/expected.ts'
import { fieldOf, objectIn } from '../support/read-as.ts'

/**
 * An owner chooses a workspace's issuer, so a tenant controls all requests to it: they must not open a way into the operator's network, nor
 * reveal which ports are open there.
 */

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let issuer: Awaited<ReturnType<typeof startIssuer>>
/** Inside the network and allowed for issuers too, but not acme's. */
let neighbour: Counted
/** Inside the network and allowed for data sources. */
let feeds: Counted
/** Accepts connections and never answers. */
let silent: Counted
const lines: Record<string, unknown>[] = []

type Counted = { origin: string; port: number; hits: () => number; stop: () => Promise<void> }

async function counted(
  host: string,
  server: Pick<Server, 'on' | 'listen' | 'close' | 'address'>,
): Promise<Counted> {
  let hits = 0
  server.on('connection', () => (hits += 1))
  const listening = once(server as Server, 'listening')
  server.listen(0, '127.0.0.1')
  await listening
  const port = portOf(server)
  return {
    origin: `http://${host}:${port}`,
    port,
    hits: () => hits,
    stop: async () => {
      server.close()
      await Promise.resolve()
    },
  }
}

const answering = () => createServer((_request, answer) => answer.end('{}'))

beforeAll(async () => {
  store = await createTestDatabase()
  issuer = await startIssuer('id.acme.example')
  neighbour = await counted('id.other.example', answering())
  feeds = await counted('id.acme.example', answering())
  silent = await counted(
    'id.acme.example',
    createTcpServer((socket) => socket.destroy()) as unknown as Server,
  )
  const outbound = createOutbound({
    dnsServer: null,
    resolve: (host) => Promise.resolve([host === 'login.acme.example' ? '93.184.215.14' : '127.0.0.1']),
    resolveText: () => Promise.resolve([]),
    // public addresses are not dialled
    dialMap: new Map(),
    allowedOrigins: { issuers: [issuer.issuer, neighbour.origin], sources: [feeds.origin] },
  })
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(objectIn(line)) })
  http = await startTestHttp({ database: store, now: () => testNow, outbound, log })
  ;[acme] = await createScene(store.db)
})
afterAll(async () => {
  for (const { stop } of [issuer, neighbour, feeds, silent, http]) await stop()
  await store.drop()
})
beforeEach(async () => {
  lines.length = 0
  issuer.set({}, testNow)
  for (const table of ['session', 'sign_in_window', 'company_link', 'company_sign_in'] as const)
    await store.db.deleteFrom(table).execute()
})

async function useIssuer(address: string): Promise<void> {
  const owner = await AppSession.signIn(http.url, acme.members.owner)
  const form = { issuer: address, clientId: 'monitor', clientSecret: null }
  await owner.call(setIssuer, { body: form })
}

const begin = (session = new AppSession(http.url)) =>
  session.ask(beginCompanySignIn, { body: { workspace: 'acme' } })

const oneSentence = {
  error: 'conflict',
  message:
    'The sign-in service of your company could not be reached, or its answer was not accepted. Whoever operates this service finds the ' +
    'reason in its log.',
}

describe('an issuer of a tenant', () => {
  const places: [string, () => string, RegExp][] = [
    ['a closed port of an allowed host', () => 'http://id.acme.example:1', /not an https URL/],
    ['an open port of an allowed host that is for sources', () => feeds.origin, /not an https URL/],
    ['the same over https', () => feeds.origin.replace('http:', 'https:'), /private or reserved/],
    [
      'an open port that speaks something else',
      () => `https://id.acme.example:${silent.port}`,
      /private or reserved/,
    ],
    ['a private address', () => 'https://127.0.0.1:1', /private or reserved/],
    ['a public name without an address', () => 'https://login.acme.example:1', /no connection/],
    ['a page of its own that is no issuer', () => `${issuer.issuer}/elsewhere`, /.+/],
  ]
  it.each(places)(
    'at %s reads one sentence, and the log the reason',
    { timeout: 30_000 },
    async (_case, place, reason) => {
      await useIssuer(place())
      const before = [neighbour, feeds, silent].map(({ hits }) => hits())
      const refused = await begin()
      expect(refused).toMatchObject({ status: 409 })
      expect(refused.body).toEqual(oneSentence)
      expect([neighbour, feeds, silent].map(({ hits }) => hits())).toEqual(before)
      expect(lines).toContainEqual(expect.objectContaining({ issuer: place(), reason: textLike(reason) }))
    },
  )

  const documents: [string, () => Twist['discovery'], () => Counted][] = [
    [
      'a token endpoint at the issuer of another company',
      () => ({ token_endpoint: `${neighbour.origin}/token` }),
      () => neighbour,
    ],
    [
      'a token endpoint at another port of its own host',
      () => ({ token_endpoint: `${feeds.origin}/token` }),
      () => feeds,
    ],
    ['keys at another port of its own host', () => ({ jwks_uri: `${feeds.origin}/keys` }), () => feeds],
    [
      'keys at the issuer of another company',
      () => ({ jwks_uri: `${neighbour.origin}/keys` }),
      () => neighbour,
    ],
    [
      'a token endpoint at a private address',
      () => ({ token_endpoint: `https://127.0.0.1:${feeds.port}/` }),
      () => feeds,
    ],
  ]
  it.each(documents)('with %s has nothing asked there', async (_case, discovery, place) => {
    await useIssuer(issuer.issuer)
    const session = new AppSession(http.url)
    const begun = await begin(session)
    expect(begun.status).toBe(200)
    const address = new URL(issuer.visit(String(fieldOf(begun.body, 'url'))))
    const twist = discovery()
    issuer.set(twist === undefined ? {} : { discovery: twist }, testNow)
    const before = place().hits()
    const refused = await session.refused(completeCompanySignIn, {
      body: {
        workspaceId: address.pathname.split('/').at(-1),
        query: address.search.slice(1),
      },
    })
    expect(refused.status).toBe(409)
    expect(refused.body).toEqual(oneSentence)
    expect(place().hits()).toBe(before)
  })

  it.each([
    ['http, elsewhere', () => `${neighbour.origin}/authorize`],
    ['http, at a public address', () => 'http://login.acme.example/authorize'],
    ['a private address', () => 'https://10.0.0.5/authorize'],
    ['a name of a private address', () => 'https://intranet.example/authorize'],
  ])('sends no browser to a page at %s', async (_case, page) => {
    await useIssuer(issuer.issuer)
    issuer.set({ discovery: { authorization_endpoint: page() } }, testNow)
    const refused = await begin()
    expect(refused).toMatchObject({ status: 409, body: oneSentence })
  })

  it('may have its page at a public address, over https', async () => {
    await useIssuer(issuer.issuer)
    issuer.set({ discovery: { authorization_endpoint: 'https://login.acme.example/authorize' } }, testNow)
    const begun = await begin()
    expect(begun).toMatchObject({ status: 200 })
    expect(String(fieldOf(begun.body, 'url'))).toMatch(/^https:\/\/login\.acme\.example\/authorize\?/)
  })
})
