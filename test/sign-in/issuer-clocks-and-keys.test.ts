import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  addDomain,
  beginCompanySignIn,
  completeCompanySignIn,
  getSignInSettings,
  setIssuer,
  verifyDomain,
} from '../../src/contract/people/operations/sign-in.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'
import { startIssuer } from './stand-in-issuer.ts'

let store: TestDatabase
let http: TestHttp
let issuer: Awaited<ReturnType<typeof startIssuer>>

beforeAll(async () => {
  store = await createTestDatabase()
  issuer = await startIssuer('id.acme.example')
  issuer.set({}, testNow)
  let text = ''
  const outbound = createOutbound({
    dnsServer: null,
    resolve: () => Promise.resolve(['127.0.0.1']),
    resolveText: () => Promise.resolve([text]),
    dialMap: null,
    allowedOrigins: { issuers: [issuer.issuer] },
  })
  http = await startTestHttp({ database: store, now: () => testNow, outbound })
  const [acme] = await createScene(store.db)
  const owner = await AppSession.signIn(http.url, acme.members.owner)
  await owner.call(setIssuer, {
    body: { issuer: issuer.issuer, clientId: 'monitor', clientSecret: 'secret' },
  })
  await owner.call(addDomain, { body: { domain: 'acme.example' } })
  text = (await owner.call(getSignInSettings)).domains[0]?.record.value ?? ''
  await owner.call(verifyDomain, { body: { domain: 'acme.example' } })
})
afterAll(async () => {
  await issuer.stop()
  await http.stop()
  await store.drop()
})
beforeEach(() => {
  issuer.set({}, testNow)
})

/** The status of a whole sign-in; `meanwhile`: while the browser is at the issuer. */
async function signIn(meanwhile: () => void = () => undefined): Promise<number> {
  const session = new AppSession(http.url)
  const { url } = await session.call(beginCompanySignIn, { body: { workspace: 'acme' } })
  const { pathname, search } = new URL(issuer.visit(url))
  meanwhile()
  const body = { workspaceId: pathname.split('/').at(-1) ?? '', query: search.slice(1) }
  return (await session.ask(completeCompanySignIn, { body })).status
}

const seconds = Math.floor(testNow.getTime() / 1000)
const clocks: [name: string, twist: { byMs?: number; claims?: Record<string, unknown> }, status: number][] = [
  ['goes 50 seconds fast', { byMs: 50_000 }, 200],
  ['goes slow, its token ended 50 seconds ago', { byMs: -350_000 }, 200],
  ['goes slow, its token ended 70 seconds ago', { byMs: -370_000 }, 409],
  ['has a token begin in 50 seconds', { claims: { nbf: seconds + 50 } }, 200],
  ['has a token begin in 70 seconds', { claims: { nbf: seconds + 70 } }, 409],
  ['names no end of its token', { claims: { exp: undefined } }, 409],
  ['names no time of its token', { claims: { iat: undefined } }, 409],
]

it.each(clocks)('an issuer whose clock %s', async (_name, { byMs = 0, claims = {} }, status) => {
  issuer.set({ claims }, new Date(testNow.getTime() + byMs))
  expect(await signIn()).toBe(status)
})

it('one that signs with another key lets in, also when it has changed the key in the middle of a sign-in', async () => {
  expect(await signIn()).toBe(200)
  issuer.rotate('two')
  expect(await signIn()).toBe(200)
  expect(await signIn(() => issuer.rotate('three'))).toBe(200)
  // some issuers give their new key the name of the old one
  expect(await signIn(() => issuer.rotate('three'))).toBe(200)
})

it('one that names another person of the same address lets nobody in', async () => {
  expect(await signIn()).toBe(200)
  issuer.set({ claims: { sub: 'olga-2' } }, testNow)
  expect(await signIn()).toBe(401)
  issuer.set({ claims: { sub: 'OLGA-1' } }, testNow)
  expect(await signIn()).toBe(401)
})
