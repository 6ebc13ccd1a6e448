import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  beginCompanyConfirmation,
  beginCompanySignIn,
  changeSignInSettings,
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
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing, type Sealing } from '../../src/platform/sealing/sealing.ts'
import { AppSession } from '../support/app-session.ts'
import { textWith } from '../support/expected.ts'
import { testSealing } from '../support/http.ts'
import { fieldOf } from '../support/read-as.ts'
import { openCompaniesScene, type CompaniesScene } from './companies-scene.ts'
import type { Twist } from './stand-in-issuer.ts'

let scene: CompaniesScene
beforeAll(async () => {
  scene = await openCompaniesScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.reset())

describe('signing in with the company', () => {
  it('opens a session of its workspace for a member of a verified domain, and links the account', async () => {
    await scene.setUp()
    const found = await scene.stranger().call(findCompanies, { body: { email: 'x@ACME.example' } })
    expect(found).toEqual({ workspaces: [{ slug: 'acme', companyName: 'acme company' }] })
    const gone = await scene.begin()
    const entered = await scene.comeBack(gone)
    expect(entered).toMatchObject({ status: 200, body: { workspaces: [{ slug: 'acme' }], openedBy: 'acme' } })
    const own = await (await scene.ownerOf(scene.acme)).call(getSession)
    expect(own).toMatchObject({ openedBy: null })
    expect(await gone.session.call(getSession)).toMatchObject({ openedBy: 'acme' })
    await gone.session.call(getWorkspace, { params: { slug: 'acme' } })
    const link = await scene.store.db.selectFrom('company_link').selectAll().executeTakeFirstOrThrow()
    expect(link).toMatchObject({ subject: 'olga-1', person_id: scene.acme.members.owner.id })
    const linked = await scene.store.db
      .selectFrom('audit_event')
      .select('actor_id')
      .where('action', '=', 'person.company_linked')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(linked.actor_id).toBe(scene.acme.members.owner.id)
    // the answer cannot be used twice
    expect((await scene.comeBack(gone)).status).toBe(401)
    // from then on the linked account counts, whatever its address
    scene.issuer.set({ claims: { email: 'new@elsewhere.example' } }, scene.state.now)
    expect(await scene.comeBack(await scene.begin())).toMatchObject({
      status: 200,
      body: { person: { email: scene.acme.members.owner.email } },
    })
  })

  it('is good for no other workspace, nor for the account', async () => {
    await scene.setUp()
    await scene.store.db
      .insertInto('member')
      .values({
        workspace_id: scene.umbrella.id,
        person_id: scene.acme.members.owner.id,
        role: 'viewer',
        created_at: scene.state.now,
        removed_at: null,
      })
      .execute()
    const gone = await scene.begin()
    const { session } = gone
    const entered = await scene.comeBack(gone)
    expect(entered.body).toMatchObject({ workspaces: [{ slug: 'acme' }] })
    expect(fieldOf(entered.body, 'workspaces')).toHaveLength(1)
    expect((await session.refused(getWorkspace, { params: { slug: 'umbrella' } })).status).toBe(404)
    const app = await session.refused(beginApp)
    expect(app).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    await scene.store.db
      .deleteFrom('member')
      .where('workspace_id', '=', scene.umbrella.id)
      .where('person_id', '=', scene.acme.members.owner.id)
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
    await scene.setUp()
    scene.issuer.set(claims === undefined ? {} : { claims }, scene.state.now)
    expect(await scene.comeBack(await scene.begin())).toMatchObject({
      status: 401,
      body: { error: 'signed_out' },
    })
    expect(await scene.store.db.selectFrom('company_link').selectAll().execute()).toEqual([])
    expect(
      await scene.store.db
        .selectFrom('session')
        .where('company_workspace_id', 'is not', null)
        .selectAll()
        .execute(),
    ).toEqual([])
  })

  it('links nobody by a domain that was not verified, nor a second account to a member', async () => {
    const owner = await scene.setUp({ verified: false })
    expect((await scene.comeBack(await scene.begin())).status).toBe(401)
    const unseen = await owner.refused(verifyDomain, { body: { domain: 'acme.example' } })
    expect(unseen).toMatchObject({ status: 409 })
    await scene.setUp()
    expect((await scene.comeBack(await scene.begin())).status).toBe(200)
    scene.issuer.set({ claims: { sub: 'somebody-else' } }, scene.state.now)
    expect((await scene.comeBack(await scene.begin())).status).toBe(401)
  })
})

describe('a session that the issuer opens', () => {
  it('ends and lists no session that the person, or another company, has opened', async () => {
    await scene.setUp()
    const own = await scene.ownerOf(scene.acme)
    // the same browser is signed in with a password when it returns from the issuer
    const browser = await scene.ownerOf(scene.acme)
    const password = browser.at(scene.url)
    expect((await scene.comeBack(await scene.begin(browser))).status).toBe(200)
    await password.call(getSession)
    // and again: the session opened by the issuer ends
    const first = browser.at(scene.url)
    expect((await scene.comeBack(await scene.begin(browser))).status).toBe(200)
    expect((await first.refused(getSession)).status).toBe(401)
    const another = await scene.comeBackIn(scene.stranger())
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

it.each([
  ['is removed', (owner: AppSession) => owner.call(removeIssuer)],
  [
    'is set again',
    (owner: AppSession) =>
      owner.call(setIssuer, {
        body: { issuer: scene.issuer.issuer, clientId: 'monitor', clientSecret: 'another secret' },
      }),
  ],
] as const)(
  'an issuer that %s while it is asked opens no session and links no account',
  async (_case, end) => {
    const owner = await scene.setUp()
    const gone = await scene.begin()
    scene.issuer.set({ meanwhile: () => end(owner) }, scene.state.now)
    expect((await scene.comeBack(gone)).status).toBe(401)
    expect((await gone.session.refused(getSession)).status).toBe(401)
    expect(await scene.store.db.selectFrom('company_link').select('subject').execute()).toEqual([])
  },
)

describe('asking it of every member', () => {
  it('keeps out members who came in another way, but not owners, once it has worked', async () => {
    const owner = await scene.setUp()
    const ask = () => owner.ask(changeSignInSettings, { body: { requiresSingleSignOn: true } })
    expect((await ask()).status).toBe(409)
    expect((await scene.comeBack(await scene.begin())).status).toBe(200)
    expect((await ask()).status).toBe(204)
    const viewer = await AppSession.signIn(scene.url, scene.acme.members.viewer)
    expect(await viewer.refused(getWorkspace)).toMatchObject({
      status: 403,
      body: { error: 'single_sign_on_required' },
    })
    await owner.call(getWorkspace)
    scene.issuer.set({ claims: { sub: 'viewer-1', email: scene.acme.members.viewer.email } }, scene.state.now)
    const gone = await scene.begin()
    expect((await scene.comeBack(gone)).status).toBe(200)
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
      await scene.setUp()
      const entered = await scene.begin()
      expect((await scene.comeBack(entered)).status).toBe(200)
      const gone = await scene.begin()
      scene.state.keys = other
      expect(await scene.stranger().ask(beginCompanySignIn, { body: { workspace: 'acme' } })).toMatchObject(
        refused,
      )
      expect(await scene.comeBack(gone)).toMatchObject(refused)
      const confirmation = await entered.session.ask(beginCompanyConfirmation, {
        body: { workspace: 'acme' },
      })
      expect(confirmation).toMatchObject(refused)
      // signed-in people stay signed in
      await entered.session.call(getWorkspace, { params: { slug: 'acme' } })
      scene.state.keys = testSealing
      expect((await scene.comeBack(await scene.begin())).status).toBe(200)
    },
  )

  it.each(lost)('%s: an issuer that has given no secret is asked all the same', async (_case, other) => {
    const owner = await scene.ownerOf(scene.acme)
    const form = { issuer: scene.issuer.issuer, clientId: 'monitor', clientSecret: null }
    await owner.call(setIssuer, { body: form })
    scene.state.keys = other
    expect((await scene.begin()).address).toContain('?code=')
  })
})

it('the client secret is sealed and never shown', async () => {
  const owner = await scene.setUp()
  const { rows } = await scene.store.pool.query<{ all: string }>(
    `select string_agg(t::text, ' ') as all from single_sign_on t`,
  )
  expect(rows[0]?.all).not.toContain('a secret of the client')
  const shown = await owner.call(getSignInSettings)
  expect(JSON.stringify(shown)).not.toContain('a secret of the client')
  expect(shown).toMatchObject({
    company: { hasSecret: true },
    redirectUri: `https://monitor.example/app/sign-in/company/${scene.acme.id}`,
  })
})
