import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../../src/contract/people/sessions.ts'
import type { SecondFactors } from '../../src/contract/people/sign-in.ts'
import type { Role } from '../../src/contract/roles.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { addApp, beginSignIn, codeOf, post } from '../sign-in/app-codes.ts'
import { openPeopleScene, password, type PeopleScene } from './people-scene.ts'

let scene: PeopleScene
let owner: AppSession

beforeAll(async () => {
  scene = await openPeopleScene()
}, 60_000)
afterAll(() => scene.close())
beforeEach(async () => {
  scene.now = testNow
  const { db } = scene.database
  for (const table of ['mail_request_window', 'sign_in_window', 'authenticator', 'recovery_code'] as const)
    await db.deleteFrom(table).execute()
  await setSignIn({})
  owner = await scene.signIn('owner')
})

async function setSignIn({ secondFactor = false, company = false }): Promise<void> {
  await scene.database.db
    .updateTable('workspace')
    .set({ requires_second_factor: secondFactor, requires_single_sign_on: company })
    .where('slug', '=', 'acme')
    .execute()
}

/** The secret of an invitation to acme. */
async function invited(email: string, role: Role = 'viewer'): Promise<string> {
  const sent = await post(owner, '/workspaces/acme/invitations', { email, role })
  expect(sent.status).toBe(201)
  return (await scene.letterTo(email, 'letter.invitation')).secret
}

/** The secret of a sign-up. */
async function signedUp(email: string, slug: string): Promise<string> {
  const form = { name: 'Nils Newcomer', email, companyName: 'Wonka', slug, acceptsTerms: true }
  const more = { securityContactEmail: 'security@wonka.example', timeZone: 'Europe/Oslo' }
  expect((await post(new AppSession(scene.http.url), '/sign-up', { ...form, ...more })).status).toBe(204)
  return (await scene.letterTo(email, 'letter.sign_up')).secret
}

const accept = (session: AppSession, secret: string) =>
  post(session, '/invitations/accept', { secret, name: 'Nora New', password })
const join = (session: AppSession, secret: string) => post(session, '/invitations/join', { secret })
const create = (session: AppSession, secret: string, slug: string) =>
  post(session, '/sign-up/create', { secret, slug })
const memberships = async (email: string) => {
  const rows = await scene.database.db
    .selectFrom('member as m')
    .innerJoin('person as p', 'p.id', 'm.person_id')
    .innerJoin('workspace as w', 'w.id', 'm.workspace_id')
    .select('w.slug')
    .where('p.email', '=', email)
    .where('m.removed_at', 'is', null)
    .orderBy('w.slug')
    .execute()
  return rows.map(({ slug }) => slug)
}
const hasFactor = async (email: string) => {
  const rows = await scene.database.db
    .selectFrom('session as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select('s.has_second_factor')
    .where('p.email', '=', email)
    .execute()
  return rows.map(({ has_second_factor }) => has_second_factor)
}

describe('a session that a company opened', () => {
  const email = 'editor@umbrella.example'

  /** As the issuer of umbrella opens it (test/sign-in/company.test.ts). */
  async function enteredByCompany(): Promise<AppSession> {
    const session = await scene.signIn('editor', 'umbrella')
    const { db } = scene.database
    const { id } = await db
      .selectFrom('workspace')
      .select('id')
      .where('slug', '=', 'umbrella')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('session')
      .set({ company_workspace_id: id })
      .where('person_id', '=', await scene.idOf('editor', 'umbrella'))
      .execute()
    return session
  }

  const refused = {
    status: 403,
    body: { error: 'forbidden', message: expect.stringContaining('signed in with your company') as string },
  }

  it('joins no other workspace, and the link still works for the person themselves', async () => {
    const secret = await invited(email)
    expect(await join(await enteredByCompany(), secret)).toMatchObject(refused)
    expect(await memberships(email)).toEqual(['umbrella'])
    expect((await join(await scene.signIn('editor', 'umbrella'), secret)).status).toBe(200)
    expect(await memberships(email)).toEqual(['acme', 'umbrella'])
  })

  it('changes nothing of the person in another workspace', async () => {
    const session = await enteredByCompany()
    const silence = (slug: string) =>
      session.call(`/account/notices/${slug}`, { method: 'PATCH', body: { timeZone: 'Asia/Tokyo' } })
    expect(await silence('acme')).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect((await post(session, '/account/bell/acme/read')).status).toBe(404)
    expect((await silence('umbrella')).status).toBe(204)
    expect((await post(session, '/account/bell/umbrella/read')).status).toBe(204)
  })

  it('creates no workspace, and the link still works for the person themselves', async () => {
    const secret = await signedUp(email, 'wonka-own')
    expect(await create(await enteredByCompany(), secret, 'wonka-own')).toMatchObject(refused)
    expect(await memberships(email)).not.toContain('wonka-own')
    expect((await create(await scene.signIn('editor', 'umbrella'), secret, 'wonka-own')).status).toBe(200)
    expect(await memberships(email)).toContain('wonka-own')
  })

  it('is told of no other workspace that asks for a second factor', async () => {
    const { db } = scene.database
    await sql`insert into member (workspace_id, person_id, role, created_at)
      select w.id, p.id, 'viewer', ${testNow}::timestamptz from workspace w, person p where w.slug = 'acme' and p.email = ${email}
      on conflict do nothing`.execute(db)
    const requiredBy = async (session: AppSession) => {
      const { body } = await session.call('/account/second-factor')
      return (body as SecondFactors).requiredBy
    }
    await db.updateTable('workspace').set({ requires_second_factor: true }).execute()
    try {
      expect(await requiredBy(await scene.signIn('editor', 'umbrella'))).toContain('acme company')
      expect(await requiredBy(await enteredByCompany())).toEqual(['umbrella company'])
    } finally {
      await db.updateTable('workspace').set({ requires_second_factor: false }).execute()
    }
  })

  it('is told of no other workspace of the person when it leaves its own', async () => {
    const left = await post(await enteredByCompany(), '/workspaces/umbrella/leave')
    expect(left.status).toBe(200)
    expect((left.body as Session).workspaces).toEqual([])
    expect(await memberships(email)).not.toContain('umbrella')
  })
})

describe('whoever comes in by a link for the first time', () => {
  it('meets the second factor that the workspace asks for, and never counts as having one', async () => {
    await setSignIn({ secondFactor: true })
    const secret = await secretAsRequired('nora@new.example')
    const session = new AppSession(scene.http.url)
    expect(await accept(session, secret)).toMatchObject({ status: 200, body: { slug: 'acme' } })
    expect(await hasFactor('nora@new.example')).toEqual([false])
    for (const path of ['/workspaces/acme', '/workspaces/acme/members', '/workspaces/acme/families']) {
      expect(await session.call(path)).toMatchObject({
        status: 403,
        body: { error: 'second_factor_required' },
      })
    }
    await addApp(session, scene.now)
    expect((await session.call('/workspaces/acme')).status).toBe(200)
  })

  it('meets the single sign-on that the workspace asks for', async () => {
    await setSignIn({ company: true })
    const secret = await invited('sina@new.example')
    const session = new AppSession(scene.http.url)
    expect((await accept(session, secret)).status).toBe(200)
    expect(await session.call('/workspaces/acme')).toMatchObject({
      status: 403,
      body: { error: 'single_sign_on_required' },
    })
  })

  it('has no second factor after sign-up, and cannot ask it of others', async () => {
    const secret = await signedUp('nils@wonka.example', 'wonka')
    const session = new AppSession(scene.http.url)
    const made = await post(session, '/sign-up/complete', { secret, slug: 'wonka', password })
    expect(made.status).toBe(200)
    expect(await hasFactor('nils@wonka.example')).toEqual([false])
    const asked = await session.call('/workspaces/wonka/sign-in', {
      method: 'PATCH',
      body: { requiresSecondFactor: true },
    })
    expect(asked).toMatchObject({ status: 409, body: { error: 'conflict' } })
  })

  /** The owner has to pass the second factor before they can invite. */
  async function secretAsRequired(email: string): Promise<string> {
    expect((await post(owner, '/workspaces/acme/invitations', { email, role: 'viewer' })).status).toBe(403)
    await addApp(owner, scene.now)
    return invited(email)
  }
})

describe('a person with a second factor', () => {
  const email = 'lead@umbrella.example'
  const known = { email, password }

  it('passes it before they join or create a workspace: neither the link nor the password alone is enough', async () => {
    const { secret: app } = await addApp(await scene.signIn('lead', 'umbrella'), scene.now)
    const secret = await invited(email)
    const wanted = await signedUp(email, 'wonka-lead')
    const visitor = new AppSession(scene.http.url)
    // the link alone
    expect((await accept(visitor, secret)).status).toBe(409)
    expect(
      (await post(visitor, '/sign-up/complete', { secret: wanted, slug: 'wonka-lead', password })).status,
    ).toBe(409)
    expect((await visitor.call('/session')).status).toBe(401)
    // the link and the password
    scene.now = later(1)
    const { session, step } = await beginSignIn(scene.http.url, known)
    expect(step.ways).toContain('app')
    expect((await join(session, secret)).status).toBe(401)
    expect((await create(session, wanted, 'wonka-lead')).status).toBe(401)
    expect(await memberships(email)).toEqual(['umbrella'])
    // and the second factor
    const code = codeOf(app, scene.now)
    expect((await post(session, '/session/second-step', { secret: step.secret, code })).status).toBe(200)
    expect((await join(session, secret)).status).toBe(200)
    expect((await create(session, wanted, 'wonka-lead')).status).toBe(200)
    expect(await memberships(email)).toEqual(['acme', 'umbrella', 'wonka-lead'])
  })

  it('still has to pass it after a new password was chosen by a link', async () => {
    await addApp(await scene.signIn('lead', 'umbrella'), scene.now)
    const visitor = new AppSession(scene.http.url)
    expect((await post(visitor, '/password-reset', { email })).status).toBe(204)
    const { secret } = await scene.letterTo(email, 'letter.password_reset')
    const reset = await post(visitor, '/password-reset/complete', { secret, newPassword: password })
    expect(reset.status).toBe(204)
    expect((await visitor.call('/session')).status).toBe(401)
    expect(await hasFactor(email)).toEqual([])
    const { step } = await beginSignIn(scene.http.url, known)
    expect(step.ways).toContain('app')
  })
})
