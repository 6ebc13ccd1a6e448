import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addDomain,
  beginCompanyConfirmation,
  beginCompanySignIn,
  changeSignInSettings,
  completeCompanySignIn,
  findCompanies,
  getSignInSettings,
  removeIssuer,
  setIssuer,
  verifyDomain,
} from '../../src/contract/people/operations/sign-in.ts'
import { getSession } from '../../src/contract/people/operations/session.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { endSession, listSessions, signOutEverywhere } from '../../src/contract/people/operations/account.ts'
import { beginApp } from '../../src/contract/people/operations/second-factor.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing, type Sealing } from '../../src/platform/sealing/sealing.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, testSealing, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { startIssuer, type Twist } from './stand-in-issuer.ts'
import { portOf } from '../support/port-of.ts'
import { textWith } from '../support/expected.ts'
import { fieldOf } from '../support/read-as.ts'

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace
let issuer: Awaited<ReturnType<typeof startIssuer>>
/** Run by the owners of another workspace. */
let hostile: Awaited<ReturnType<typeof startIssuer>>
let now = testNow
/** TXT records by name. */
let records: Record<string, string[]> = {}
/** The operator's current keys. */
let keys = testSealing
const sealing: Sealing = {
  state: (db) => keys.state(db),
  lock: (tx) => keys.lock(tx),
  seal: (place, content) => keys.seal(place, content),
  open: (place, envelope) => keys.open(place, envelope),
  openBytes: (place, envelope) => keys.openBytes(place, envelope),
  get ring() {
    return keys.ring
  },
}

beforeAll(async () => {
  store = await createTestDatabase()
  issuer = await startIssuer('id.acme.example')
  hostile = await startIssuer('id.umbrella.example')
  const outbound = createOutbound({
    dnsServer: null,
    resolve: () => Promise.resolve(['127.0.0.1']),
    resolveText: (name) => Promise.resolve(records[name] ?? []),
    dialMap: null,
    allowedOrigins: { issuers: [issuer.issuer, hostile.issuer] },
  })
  http = await startTestHttp({ database: store, now: () => now, outbound, sealing })
  ;[acme, umbrella] = await createScene(store.db)
})
afterAll(async () => {
  await issuer.stop()
  await hostile.stop()
  await http.stop()
  await store.drop()
})
beforeEach(async () => {
  now = testNow
  records = {}
  keys = testSealing
  issuer.set({}, now)
  const { db } = store
  await db.deleteFrom('session').execute()
  for (const table of ['sign_in_window', 'company_link', 'company_sign_in', 'workspace_domain'] as const)
    await db.deleteFrom(table).execute()
  await db.updateTable('workspace').set({ requires_single_sign_on: false }).execute()
})

const ownerOf = (workspace: TestWorkspace) => AppSession.signIn(http.url, workspace.members.owner)

async function setUp({ verified = true }: { verified?: boolean } = {}): Promise<AppSession> {
  const owner = await ownerOf(acme)
  const form = { issuer: issuer.issuer, clientId: 'monitor', clientSecret: 'a secret of the client' }
  await owner.call(setIssuer, { body: form })
  await owner.call(addDomain, { body: { domain: 'Acme.example' } })
  if (!verified) return owner
  const { domains } = await owner.call(getSignInSettings)
  const record = domains[0]?.record ?? { name: '', value: '' }
  records = { [record.name]: ['v=spf1 -all', record.value] }
  await owner.call(verifyDomain, { body: { domain: 'acme.example' } })
  return owner
}

/** A browser that was at the issuer, and the address it was sent back to. */
type Gone = { session: AppSession; address: string }

/** Where the service redirects a browser for a workspace's sign-in. */
async function leave(session: AppSession, workspace: string): Promise<string> {
  const answer = await session.call(beginCompanySignIn, { body: { workspace } })
  return answer.url
}

async function begin(session = new AppSession(http.url)): Promise<Gone> {
  return { session, address: issuer.visit(await leave(session, 'acme')) }
}

/** As the page at that address does. */
function comeBack({ session, address }: Gone) {
  const { pathname, search } = new URL(address)
  const workspaceId = pathname.split('/').at(-1) ?? ''
  return session.ask(completeCompanySignIn, { body: { workspaceId, query: search.slice(1) } })
}

async function comeBackIn(session: AppSession): Promise<AppSession> {
  expect((await comeBack(await begin(session))).status).toBe(200)
  return session
}

describe('signing in with the company', () => {
  it('opens a session of its workspace for a member of a verified domain, and links the account', async () => {
    await setUp()
    const found = await new AppSession(http.url).call(findCompanies, { body: { email: 'x@ACME.example' } })
    expect(found).toEqual({ workspaces: [{ slug: 'acme', companyName: 'acme company' }] })
    const gone = await begin()
    const entered = await comeBack(gone)
    expect(entered).toMatchObject({ status: 200, body: { workspaces: [{ slug: 'acme' }], openedBy: 'acme' } })
    const own = await (await ownerOf(acme)).call(getSession)
    expect(own).toMatchObject({ openedBy: null })
    expect(await gone.session.call(getSession)).toMatchObject({ openedBy: 'acme' })
    await gone.session.call(getWorkspace, { params: { slug: 'acme' } })
    const link = await store.db.selectFrom('company_link').selectAll().executeTakeFirstOrThrow()
    expect(link).toMatchObject({ subject: 'olga-1', person_id: acme.members.owner.id })
    const linked = await store.db
      .selectFrom('audit_event')
      .select('actor_id')
      .where('action', '=', 'person.company_linked')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(linked.actor_id).toBe(acme.members.owner.id)
    // the answer cannot be used twice
    expect((await comeBack(gone)).status).toBe(401)
    // from then on the linked account counts, whatever its address
    issuer.set({ claims: { email: 'new@elsewhere.example' } }, now)
    expect(await comeBack(await begin())).toMatchObject({
      status: 200,
      body: { person: { email: acme.members.owner.email } },
    })
  })

  it('is good for no other workspace, nor for the account', async () => {
    await setUp()
    await store.db
      .insertInto('member')
      .values({
        workspace_id: umbrella.id,
        person_id: acme.members.owner.id,
        role: 'viewer',
        created_at: now,
        removed_at: null,
      })
      .execute()
    const gone = await begin()
    const { session } = gone
    const entered = await comeBack(gone)
    expect(entered.body).toMatchObject({ workspaces: [{ slug: 'acme' }] })
    expect(fieldOf(entered.body, 'workspaces')).toHaveLength(1)
    expect((await session.refused(getWorkspace, { params: { slug: 'umbrella' } })).status).toBe(404)
    const app = await session.refused(beginApp)
    expect(app).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    await store.db
      .deleteFrom('member')
      .where('workspace_id', '=', umbrella.id)
      .where('person_id', '=', acme.members.owner.id)
      .execute()
  })

  const strangers: [string, Twist['claims']][] = [
    ['an address of another domain', { email: 'owner@umbrella.example' }],
    ['no member', { email: 'nobody@acme.example' }],
    ['an address that was not checked', { email_verified: false }],
    ['no address', { email: undefined }],
    ['a subdomain', { email: 'owner@x.acme.example' }],
  ]
  it.each(strangers)('lets nobody in with %s', async (_case, claims) => {
    await setUp()
    issuer.set(claims === undefined ? {} : { claims }, now)
    expect(await comeBack(await begin())).toMatchObject({ status: 401, body: { error: 'signed_out' } })
    expect(await store.db.selectFrom('company_link').selectAll().execute()).toEqual([])
    expect(
      await store.db
        .selectFrom('session')
        .where('company_workspace_id', 'is not', null)
        .selectAll()
        .execute(),
    ).toEqual([])
  })

  it('links nobody by a domain that was not verified, nor a second account to a member', async () => {
    const owner = await setUp({ verified: false })
    expect((await comeBack(await begin())).status).toBe(401)
    const unseen = await owner.refused(verifyDomain, { body: { domain: 'acme.example' } })
    expect(unseen).toMatchObject({ status: 409 })
    await setUp()
    expect((await comeBack(await begin())).status).toBe(200)
    issuer.set({ claims: { sub: 'somebody-else' } }, now)
    expect((await comeBack(await begin())).status).toBe(401)
  })
})

describe('a hostile answer is refused:', () => {
  let canary = 0
  const subjects = ['', ' ', 'x'.repeat(256), 7]
  const twists: [string, () => Twist | Promise<Twist>][] = [
    ...subjects.map((sub): [string, () => Twist] => [`the subject "${sub}"`, () => ({ claims: { sub } })]),
    ['another nonce', () => ({ claims: { nonce: 'x' } })],
    ['another audience', () => ({ claims: { aud: 'somebody' } })],
    ['another issuer in the token', () => ({ claims: { iss: 'https://evil.example' } })],
    ['another issuer in the discovery document', () => ({ discovery: { issuer: 'https://evil.example' } })],
    ['an ended token', () => ({ claims: { exp: Math.floor(testNow.getTime() / 1000) - 600 } })],
    ['no signature', () => ({ algorithm: 'none' })],
    ['a signature of a shared secret', () => ({ algorithm: 'HS256' })],
    ['a signature of another key', () => ({ algorithm: 'other_key' })],
    ['a huge body', () => ({ instead: { '/token': (answer) => answer.end('x'.repeat(2_000_000)) } })],
    ['no JSON', () => ({ instead: { '/token': (answer) => answer.end('<html>') } })],
    [
      'a redirect to a private address',
      async () => {
        const server = createServer((_request, answer) => {
          canary += 1
          answer.end('{}')
        }).listen(0, '127.0.0.1')
        await once(server, 'listening')
        const to = `http://127.0.0.1:${portOf(server)}/`
        server.unref()
        return { instead: { '/token': (answer) => answer.writeHead(302, { location: to }).end() } }
      },
    ],
    ['keys at a private address', () => ({ discovery: { jwks_uri: 'https://127.0.0.1/keys' } })],
  ]
  it.each(twists)('%s', async (_case, twist) => {
    await setUp()
    const gone = await begin()
    issuer.set(await twist(), now)
    expect(await comeBack(gone)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(canary).toBe(0)
    expect((await gone.session.refused(getSession)).status).toBe(401)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'not an address'])('a page at %s', async (page) => {
    await setUp()
    issuer.set({ discovery: { authorization_endpoint: page } }, now)
    expect(
      (await new AppSession(http.url).refused(beginCompanySignIn, { body: { workspace: 'acme' } })).status,
    ).toBe(409)
  })

  it('another state, another browser, and one that comes too late', async () => {
    await setUp()
    const gone = await begin()
    const forged = `${gone.address.split('&')[0] ?? ''}&state=x`
    expect((await comeBack({ ...gone, address: forged })).status).toBe(409)
    const other = await begin()
    expect((await comeBack({ ...other, session: new AppSession(http.url) })).status).toBe(401)
    const late = await begin()
    now = later(11)
    expect((await comeBack(late)).status).toBe(401)
  })

  it('one that the issuer of another workspace has led the browser to (RFC 9700 §4.4)', async () => {
    await setUp()
    const form = { issuer: hostile.issuer, clientId: 'monitor', clientSecret: null }
    await (await ownerOf(umbrella)).call(setIssuer, { params: { slug: 'umbrella' }, body: form })
    const begunByAttacker = new URL(await leave(new AppSession(http.url), 'acme'))
    const victim = new AppSession(http.url)
    const askedOfHostile = new URL(await leave(victim, 'umbrella'))
    // the hostile issuer redirects the browser to acme's issuer, with its own parameters and the victim's state
    begunByAttacker.searchParams.set('state', askedOfHostile.searchParams.get('state') ?? '')
    const address = issuer.visit(begunByAttacker.href)
    expect((await comeBack({ session: victim, address })).status).toBe(401)
    // it would have learnt the code there
    expect(hostile.asked).not.toContain('/token')
  })

  it('an issuer inside the network', async () => {
    const owner = await ownerOf(acme)
    const form = { issuer: 'https://127.0.0.1', clientId: 'monitor', clientSecret: null }
    await owner.call(setIssuer, { body: form })
    const refused = await new AppSession(http.url).refused(beginCompanySignIn, {
      body: { workspace: 'acme' },
    })
    expect(refused).toMatchObject({ status: 409 })
  })
})

describe('a session that the issuer opens', () => {
  it('ends and lists no session that the person, or another company, has opened', async () => {
    await setUp()
    const own = await ownerOf(acme)
    // the same browser is signed in with a password when it returns from the issuer
    const browser = await ownerOf(acme)
    const password = browser.at(http.url)
    expect((await comeBack(await begin(browser))).status).toBe(200)
    await password.call(getSession)
    // and again: the session opened by the issuer ends
    const first = browser.at(http.url)
    expect((await comeBack(await begin(browser))).status).toBe(200)
    expect((await first.refused(getSession)).status).toBe(401)
    const another = await comeBackIn(new AppSession(http.url))
    const { sessions } = await browser.call(listSessions)
    expect(sessions).toHaveLength(2)
    const { sessions: all } = await own.call(listSessions)
    expect(all).toHaveLength(5)
    const foreign = all.find(({ id }) => !sessions.some((seen) => seen.id === id))?.id ?? ''
    expect((await browser.refused(endSession, { params: { session: foreign } })).status).toBe(404)
    await browser.call(signOutEverywhere)
    for (const session of [browser, another]) expect((await session.refused(getSession)).status).toBe(401)
    for (const session of [own, password]) await session.call(getSession)
  })
})

describe('asking it of every member', () => {
  it('keeps out members who came in another way, but not owners, once it has worked', async () => {
    const owner = await setUp()
    const ask = () => owner.ask(changeSignInSettings, { body: { requiresSingleSignOn: true } })
    expect((await ask()).status).toBe(409)
    expect((await comeBack(await begin())).status).toBe(200)
    expect((await ask()).status).toBe(204)
    const viewer = await AppSession.signIn(http.url, acme.members.viewer)
    expect(await viewer.refused(getWorkspace)).toMatchObject({
      status: 403,
      body: { error: 'single_sign_on_required' },
    })
    await owner.call(getWorkspace)
    issuer.set({ claims: { sub: 'viewer-1', email: acme.members.viewer.email } }, now)
    const gone = await begin()
    expect((await comeBack(gone)).status).toBe(200)
    await gone.session.call(getWorkspace, { params: { slug: 'acme' } })
    await owner.call(removeIssuer)
    await viewer.call(getWorkspace)
    expect((await gone.session.refused(getSession)).status).toBe(401)
  })
})

describe('while the key of the client secret is missing', () => {
  const lost: [string, Sealing][] = [
    ['no key', createSealing(null)],
    ['another key', createSealing(createKeyRing(parseKeys(newKeyText())))],
  ]
  const message = textWith('the operator has to set the encryption keys')
  const refused = { status: 503, body: { error: 'not_configured', message } }

  it.each(lost)(
    '%s: beginning, coming back and confirming say so, and go on when it returns',
    async (_case, other) => {
      await setUp()
      const entered = await begin()
      expect((await comeBack(entered)).status).toBe(200)
      const gone = await begin()
      keys = other
      expect(
        await new AppSession(http.url).ask(beginCompanySignIn, { body: { workspace: 'acme' } }),
      ).toMatchObject(refused)
      expect(await comeBack(gone)).toMatchObject(refused)
      const confirmation = await entered.session.ask(beginCompanyConfirmation, {
        body: { workspace: 'acme' },
      })
      expect(confirmation).toMatchObject(refused)
      // signed-in people stay signed in
      await entered.session.call(getWorkspace, { params: { slug: 'acme' } })
      keys = testSealing
      expect((await comeBack(await begin())).status).toBe(200)
    },
  )

  it.each(lost)('%s: an issuer that has given no secret is asked all the same', async (_case, other) => {
    const owner = await ownerOf(acme)
    const form = { issuer: issuer.issuer, clientId: 'monitor', clientSecret: null }
    await owner.call(setIssuer, { body: form })
    keys = other
    expect((await begin()).address).toContain('?code=')
  })
})

it('the client secret is sealed and never shown', async () => {
  const owner = await setUp()
  const { rows } = await store.pool.query<{ all: string }>(
    `select string_agg(t::text, ' ') as all from single_sign_on t`,
  )
  expect(rows[0]?.all).not.toContain('a secret of the client')
  const shown = await owner.call(getSignInSettings)
  expect(JSON.stringify(shown)).not.toContain('a secret of the client')
  expect(shown).toMatchObject({
    company: { hasSecret: true },
    redirectUri: `https://monitor.example/app/sign-in/company/${acme.id}`,
  })
})
