import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '../../src/contract/roles.ts'
import { changeNoticeSettings, markAllRead } from '../../src/contract/notices/operations.ts'
import { getSecondFactors } from '../../src/contract/people/operations/second-factor.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { changeSignInSettings } from '../../src/contract/people/operations/sign-in.ts'
import { completeSignIn, getSession } from '../../src/contract/people/operations/session.ts'
import {
  acceptInvitation,
  invite,
  joinByInvitation,
  leaveWorkspace,
  listMembers,
} from '../../src/contract/people/operations/members.ts'
import { listFamilies } from '../../src/contract/products/operations.ts'
import {
  completeSignUp,
  createFromSignUp,
  requestSignUp,
} from '../../src/contract/people/operations/sign-up.ts'
import { requestReset, resetPassword } from '../../src/contract/people/operations/profile.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { addApp, beginSignIn, codeOf } from '../sign-in/app-codes.ts'
import { openPeopleScene, password, type PeopleScene } from './people-scene.ts'
import { textWith } from '../support/expected.ts'

let scene: PeopleScene
let owner: AppSession

beforeAll(async () => {
  scene = await openPeopleScene()
})
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
  await owner.call(invite, { body: { email, role } })
  return (await scene.letterTo(email, 'letter.invitation')).secret
}

/** The secret of a sign-up. */
async function signedUp(email: string, slug: string): Promise<string> {
  const form = { name: 'Nils Newcomer', email, companyName: 'Wonka', slug, acceptsTerms: true }
  const more = { securityContactEmail: 'security@wonka.example', timeZone: 'Europe/Oslo' }
  await new AppSession(scene.http.url).call(requestSignUp, { body: { ...form, ...more } })
  return (await scene.letterTo(email, 'letter.sign_up')).secret
}

const accept = (session: AppSession, secret: string) =>
  session.ask(acceptInvitation, { body: { secret, name: 'Nora New', password } })
const join = (session: AppSession, secret: string) => session.ask(joinByInvitation, { body: { secret } })
const create = (session: AppSession, secret: string, slug: string) =>
  session.ask(createFromSignUp, { body: { secret, slug } })
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
    body: { error: 'forbidden', message: textWith('signed in with your company') },
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
      session.ask(changeNoticeSettings, { params: { slug }, body: { timeZone: 'Asia/Tokyo' } })
    expect(await silence('acme')).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect((await session.refused(markAllRead, { params: { slug: 'acme' } })).status).toBe(404)
    expect((await silence('umbrella')).status).toBe(204)
    await session.call(markAllRead, { params: { slug: 'umbrella' } })
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
      const body = await session.call(getSecondFactors)
      return body.requiredBy
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
    const left = await (await enteredByCompany()).call(leaveWorkspace, { params: { slug: 'umbrella' } })
    expect(left.workspaces).toEqual([])
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
    for (const read of [getWorkspace, listMembers, listFamilies]) {
      expect(await session.refused(read, { params: { slug: 'acme' } })).toMatchObject({
        status: 403,
        body: { error: 'second_factor_required' },
      })
    }
    await addApp(session, scene.now)
    await session.call(getWorkspace, { params: { slug: 'acme' } })
  })

  it('meets the single sign-on that the workspace asks for', async () => {
    await setSignIn({ company: true })
    const secret = await invited('sina@new.example')
    const session = new AppSession(scene.http.url)
    expect((await accept(session, secret)).status).toBe(200)
    expect(await session.refused(getWorkspace, { params: { slug: 'acme' } })).toMatchObject({
      status: 403,
      body: { error: 'single_sign_on_required' },
    })
  })

  it('has no second factor after sign-up, and cannot ask it of others', async () => {
    const secret = await signedUp('nils@wonka.example', 'wonka')
    const session = new AppSession(scene.http.url)
    await session.call(completeSignUp, { body: { secret, slug: 'wonka', password } })
    expect(await hasFactor('nils@wonka.example')).toEqual([false])
    const asked = await session.refused(changeSignInSettings, {
      params: { slug: 'wonka' },
      body: { requiresSecondFactor: true },
    })
    expect(asked).toMatchObject({ status: 409, body: { error: 'conflict' } })
  })

  /** The owner has to pass the second factor before inviting. */
  async function secretAsRequired(email: string): Promise<string> {
    expect((await owner.refused(invite, { body: { email, role: 'viewer' } })).status).toBe(403)
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
      (await visitor.refused(completeSignUp, { body: { secret: wanted, slug: 'wonka-lead', password } }))
        .status,
    ).toBe(409)
    expect((await visitor.refused(getSession)).status).toBe(401)
    // the link and the password
    scene.now = later(1)
    const { session, step } = await beginSignIn(scene.http.url, known)
    expect(step.ways).toContain('app')
    expect((await join(session, secret)).status).toBe(401)
    expect((await create(session, wanted, 'wonka-lead')).status).toBe(401)
    expect(await memberships(email)).toEqual(['umbrella'])
    // and the second factor
    const code = codeOf(app, scene.now)
    await session.call(completeSignIn, { body: { secret: step.secret, code } })
    expect((await join(session, secret)).status).toBe(200)
    expect((await create(session, wanted, 'wonka-lead')).status).toBe(200)
    expect(await memberships(email)).toEqual(['acme', 'umbrella', 'wonka-lead'])
  })

  it('still has to pass it after a new password was chosen by a link', async () => {
    await addApp(await scene.signIn('lead', 'umbrella'), scene.now)
    const visitor = new AppSession(scene.http.url)
    await visitor.call(requestReset, { body: { email } })
    const { secret } = await scene.letterTo(email, 'letter.password_reset')
    await visitor.call(resetPassword, { body: { secret, newPassword: password } })
    expect((await visitor.refused(getSession)).status).toBe(401)
    expect(await hasFactor(email)).toEqual([])
    const { step } = await beginSignIn(scene.http.url, known)
    expect(step.ways).toContain('app')
  })
})
