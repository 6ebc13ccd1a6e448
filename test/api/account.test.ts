import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditAction } from '../../src/contract/audit/shapes.ts'
import { completeSetup, getSession, signIn, signOut } from '../../src/contract/people/operations/session.ts'
import {
  changePassword,
  listSessions,
  signOutEverywhere,
} from '../../src/contract/people/operations/account.ts'
import { issueSetupLink } from '../../src/people/setup.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { testNow } from '../support/clock.ts'
import { anyText } from '../support/expected.ts'

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  ;[acme, umbrella] = await createScene(store.db)
})
afterAll(() => endBoth(http, store))
beforeEach(async () => {
  await store.db.deleteFrom('sign_in_window').execute()
})

const statusOf = async (session: AppSession) => (await session.ask(getSession)).status

async function auditOf(action: AuditAction): Promise<unknown[]> {
  return store.db
    .selectFrom('audit_event')
    .select(['actor_name', 'after'])
    .where('action', '=', action)
    .execute()
}

describe('signing out everywhere', () => {
  it('ends every session of the person and of nobody else', async () => {
    const [laptop, phone] = [await enter('owner'), await enter('owner')]
    const other = await enter('viewer')
    const { sessions } = await laptop.call(listSessions)
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ isThis }) => isThis)).toHaveLength(1)
    expect(sessions[0]).toMatchObject({ startedAt: testNow.toISOString(), address: '127.0.0.1' })
    const answer = await laptop.ask(signOutEverywhere)
    expect(answer.status).toBe(204)
    expect(String(answer.headers['set-cookie'])).toMatch(/Expires=Thu, 01 Jan 1970/)
    expect([await statusOf(laptop), await statusOf(phone), await statusOf(other)]).toEqual([401, 401, 200])
    expect(await auditOf('person.signed_out_everywhere')).toEqual([
      { actor_name: 'owner of acme', after: { sessionsEnded: 2 } },
    ])
  })
})

describe('changing the password', () => {
  const next = 'another long password'

  it('wants the current one, another new one, and ends the other sessions', async () => {
    const { email, password } = acme.members.owner
    const [here, elsewhere] = [await enter('owner'), await enter('owner')]
    const change = (body: unknown) => here.ask(changePassword, { body })
    expect(await change({ currentPassword: 'a wrong password', newPassword: next })).toMatchObject({
      status: 400,
      body: { fields: { currentPassword: 'This is not your password.' } },
    })
    for (const newPassword of ['short', 'x'.repeat(201), password]) {
      expect(await change({ currentPassword: password, newPassword })).toMatchObject({
        status: 400,
        body: { fields: { newPassword: anyText } },
      })
    }
    expect(await statusOf(elsewhere)).toBe(200)
    expect((await change({ currentPassword: password, newPassword: next })).status).toBe(204)
    expect([await statusOf(here), await statusOf(elsewhere)]).toEqual([200, 401])
    const signInWith = async (typed: string) =>
      (await new AppSession(http.url).ask(signIn, { body: { email, password: typed } })).status
    expect([await signInWith(password), await signInWith(next)]).toEqual([401, 200])
    expect(await auditOf('person.password_changed')).toEqual([
      { actor_name: 'owner of acme', after: { sessionsEnded: 1 } },
    ])
  })

  it('lets nobody guess the current one, nor race it', async () => {
    const { password } = acme.members.viewer
    const session = await enter('viewer')
    const guesses = Array.from({ length: 30 }, () =>
      session.ask(changePassword, { body: { currentPassword: 'a wrong password', newPassword: next } }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    await store.db.deleteFrom('sign_in_window').execute()
    const changes = ['first new password', 'second new password'].map((newPassword) =>
      session.ask(changePassword, { body: { currentPassword: password, newPassword } }),
    )
    expect((await Promise.all(changes)).map(({ status }) => status).toSorted()).toEqual([204, 400])
  })
})

describe('the session cookie', () => {
  it('is one that only this host over https can set', async () => {
    const { headers } = await new AppSession(http.url).ask(signIn, { body: credentials('outsider') })
    expect(headers['set-cookie']).toBeUndefined()
    const signedIn = await new AppSession(http.url).ask(signIn, { body: bystander() })
    expect(String(signedIn.headers['set-cookie'])).toMatch(
      /^__Host-sbom_monitor_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('has a plain name on plain http, which cannot have the other', async () => {
    const plain = await startTestHttp({ database: store, now: () => testNow, publicUrl: 'http://127.0.0.1' })
    const { headers } = await new AppSession(plain.url).ask(signIn, { body: bystander() })
    expect(String(headers['set-cookie'])).toMatch(
      /^sbom_monitor_session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    )
    await plain.stop()
  })

  it('ends with the next sign-in, so that nobody goes on in a session that somebody else chose', async () => {
    const person = bystander()
    const cookieOf = async (cookie: string) => {
      const { headers } = await new AppSession(http.url).ask(signIn, { body: person, headers: { cookie } })
      return String(headers['set-cookie']).split(';')[0] ?? ''
    }
    const planted = await cookieOf('')
    const own = await cookieOf(planted)
    expect(own).not.toBe(planted)
    const ask = async (cookie: string) =>
      (await new AppSession(http.url).ask(getSession, { headers: { cookie } })).status
    expect([await ask(planted), await ask(own)]).toEqual([401, 200])
  })
})

describe('requests of other sites', () => {
  const headersOf = async () => {
    const { headers } = await new AppSession(http.url).ask(signIn, { body: bystander() })
    return { cookie: String(headers['set-cookie']).split(';')[0] ?? '' }
  }
  const end = async (headers: Record<string, string>, to = http) =>
    (await new AppSession(to.url).ask(signOut, { headers })).status

  it.each([
    ['the same host over plain http', { origin: 'http://monitor.example' }],
    ['another port', { origin: 'https://monitor.example:8443' }],
    ['another host', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site with the Host of this one', { origin: 'https://evil.example', host: 'evil.example' }],
    ['loopback over another scheme', { origin: 'https://127.0.0.1' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['a foreign site', { 'sec-fetch-site': 'cross-site', origin: 'https://monitor.example' }],
  ])('from %s are refused', async (_rule, headers) => {
    const own = await headersOf()
    expect(await end({ ...own, ...headers })).toBe(403)
    expect(await end(own)).toBe(204)
  })

  it.each([
    ['its public address', () => ({ origin: 'https://monitor.example', 'sec-fetch-site': 'same-origin' })],
    ['the address on this machine', () => ({ origin: http.url })],
  ])('from %s are its own', async (_rule, headers) => {
    expect(await end({ ...(await headersOf()), ...headers() })).toBe(204)
  })
})

describe('HSTS', () => {
  const hstsOf = async (headers: Record<string, string>, to: TestHttp) =>
    (await call(`${to.url}/healthz`, { headers })).headers['strict-transport-security']

  it('is said over https only', async () => {
    const behind = await startTestHttp({ database: store, now: () => testNow, trustProxy: 1 })
    expect(await hstsOf({ 'x-forwarded-proto': 'https' }, behind)).toBe('max-age=31536000')
    expect(await hstsOf({ 'x-forwarded-proto': 'http' }, behind)).toBeUndefined()
    expect(await hstsOf({}, behind)).toBeUndefined()
    expect(await hstsOf({ 'x-forwarded-proto': 'https' }, http)).toBeUndefined()
    await behind.stop()
  })
})

describe('the set-up link', () => {
  it('is looked up before anything is worked out', async () => {
    const empty = await createTestDatabase()
    const open = await startTestHttp({ database: empty, now: () => testNow })
    const setup = { name: '', email: '', password: '', companyName: '', slug: '', securityContactEmail: '' }
    const body = { ...setup, timeZone: '' }
    const send = (secret: string) =>
      new AppSession(open.url).ask(completeSetup, { body: { secret, ...body } })
    expect(await send('unknown')).toMatchObject({ status: 404 })
    expect(await send((await issueSetupLink(empty.db, testNow)) ?? '')).toMatchObject({ status: 400 })
    await open.stop()
    await empty.drop()
  })
})

function credentials(name: string): { email: string; password: string } {
  return { email: `${name}@acme.example`, password: 'a long enough password' }
}

/** A person whose password no other test changes. */
function bystander(): { email: string; password: string } {
  const { email, password } = umbrella.members.viewer
  return { email, password }
}

function enter(role: 'owner' | 'viewer'): Promise<AppSession> {
  return AppSession.signIn(http.url, acme.members[role])
}
