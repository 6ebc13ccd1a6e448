import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  completeSignUp,
  createFromSignUp,
  getSignUpOffer,
  getSignUpState,
  requestSignUp,
} from '../../src/contract/people/operations/sign-up.ts'
import { getCompany } from '../../src/contract/workspace/company-operations.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { openPeopleScene, password, type PeopleScene } from './people-scene.ts'

let scene: PeopleScene
let visitor: AppSession
let wanted: ReturnType<typeof signUpOf>
let number = 0
beforeAll(async () => {
  scene = await openPeopleScene()
})
afterAll(() => scene.close())
beforeEach(async () => {
  scene.now = testNow
  await scene.database.db.deleteFrom('mail_request_window').execute()
  visitor = new AppSession(scene.http.url)
  number += 1
  wanted = signUpOf(number)
})

const signUpOf = (each: number) => ({
  name: 'Nils Newcomer',
  email: `nils${each}@wonka.example`,
  companyName: 'Wonka',
  slug: `wonka-${each}`,
  securityContactEmail: 'security@wonka.example',
  timeZone: 'Europe/Oslo',
  acceptsTerms: true,
})

const ask = (change: Partial<typeof wanted> = {}, from = '192.0.2.1') =>
  visitor.ask(requestSignUp, { body: { ...wanted, ...change }, headers: { 'x-forwarded-for': from } })
const complete = (secret: string, change = {}, session = visitor) =>
  session.ask(completeSignUp, { body: { secret, slug: wanted.slug, password, ...change } })
/** Entries of the installation's own trail, which is never pruned, that name the company. */
async function namedOutside(): Promise<unknown[]> {
  const { rows } = await scene.database.pool.query<{ action: string }>(
    `select action from audit_event e where workspace_id is null and e::text ilike '%wonka%'`,
  )
  return rows
}
const people = () => scene.database.db.selectFrom('person').select('email').execute()

describe('signing up', () => {
  it('creates nothing until the e-mail is confirmed, then a trial with its owner, once', async () => {
    const before = await people()
    expect((await ask()).status).toBe(204)
    const letter = await scene.letterTo(wanted.email)
    const subject = 'Confirm your e-mail address to create a workspace'
    expect(letter).toMatchObject({ kind: 'letter.sign_up', subject })
    expect(letter.text).toContain('https://monitor.example/app/sign-up/confirm#')
    expect(await people()).toEqual(before)
    const state = await visitor.call(getSignUpState, { body: { secret: letter.secret } })
    expect(state).toEqual({
      email: wanted.email,
      name: wanted.name,
      companyName: 'Wonka',
      slug: wanted.slug,
      isSlugFree: true,
      hasAccount: false,
    })
    const done = await complete(letter.secret)
    expect(done).toMatchObject({
      status: 200,
      body: {
        person: { name: 'Nils Newcomer', email: wanted.email },
        workspaces: [{ slug: wanted.slug, companyName: 'Wonka', role: 'owner', state: 'trial' }],
      },
    })
    const company = await visitor.call(getCompany, { params: { slug: wanted.slug } })
    expect(company).toMatchObject({
      securityContactEmail: 'security@wonka.example',
      timeZone: 'Europe/Oslo',
    })
    expect(await scene.acts()).toEqual(
      expect.arrayContaining(['sign_up.requested', 'workspace.created', 'member.added']),
    )
    expect(await namedOutside()).toEqual([])
    expect((await complete(letter.secret)).status).toBe(404)
    await AppSession.signIn(scene.http.url, { email: wanted.email, password })
  })

  it('of several who use a link at once lets one succeed', async () => {
    await ask()
    const { secret } = await scene.letterTo(wanted.email)
    const sessions = Array.from({ length: 6 }, () => new AppSession(scene.http.url))
    const answers = await Promise.all(sessions.map((session) => complete(secret, {}, session)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
  })

  it('answers alike for an e-mail that has an account, and lets its person sign in instead', async () => {
    const email = scene.emailOf('viewer')
    expect(await ask({ email })).toMatchObject({ status: 204, body: '' })
    const { secret } = await scene.letterTo(email)
    const state = await visitor.call(getSignUpState, { body: { secret } })
    expect(state).toMatchObject({ hasAccount: true })
    expect(await complete(secret)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    const create = (session: AppSession) =>
      session.ask(createFromSignUp, { body: { secret, slug: wanted.slug } })
    expect(await create(await scene.signIn('editor'))).toMatchObject({ status: 409 })
    const made = await create(await scene.signIn('viewer'))
    expect(made).toMatchObject({
      status: 200,
      body: {
        workspaces: [
          { slug: wanted.slug, role: 'owner' },
          { slug: 'acme', role: 'viewer' },
        ],
      },
    })
  })

  it('says that an address was taken meanwhile, and takes another one', async () => {
    await ask()
    const first = await scene.letterTo(wanted.email)
    await ask({ email: `other${wanted.email}` })
    const second = await scene.letterTo(`other${wanted.email}`)
    expect((await complete(first.secret)).status).toBe(200)
    const other = new AppSession(scene.http.url)
    const state = await other.call(getSignUpState, { body: { secret: second.secret } })
    expect(state).toMatchObject({ isSlugFree: false })
    expect(await complete(second.secret, {}, other)).toMatchObject({
      status: 400,
      body: { fields: { slug: 'This address is taken.' } },
    })
    expect((await complete(second.secret, { slug: 'wonka-two' }, other)).status).toBe(200)
  })

  it('ends after a day', async () => {
    await ask()
    const { secret } = await scene.letterTo(wanted.email)
    scene.now = later(24 * 60)
    expect((await complete(secret)).status).toBe(404)
  })

  it.each([
    ['name', '', '1 to 200 characters are required.'],
    ['email', 'nobody', 'An e-mail address is required, such as name@company.example.'],
    ['companyName', '', '1 to 200 characters are required.'],
    ['slug', 'acme', 'This address is taken.'],
    ['slug', 'Sign Up', '3 to 40 characters a-z, 0-9 and dashes are required, without a dash at either end.'],
    ['slug', 'sign-up', 'This address is reserved.'],
    ['securityContactEmail', 'nobody', 'An e-mail address is required, such as name@company.example.'],
    ['timeZone', 'Mars/Base', 'A time zone name such as Europe/Oslo is required.'],
  ])('refuses %s %j', async (field, value, words) => {
    expect(await ask({ [field]: value })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', fields: { [field]: words } },
    })
  })

  it('refuses a weak password, and the link stays valid', async () => {
    await ask()
    const { secret } = await scene.letterTo(wanted.email)
    expect(await complete(secret, { password: 'short' })).toMatchObject({
      status: 400,
      body: { fields: { password: 'A password of 12 to 200 characters is required.' } },
    })
    expect((await complete(secret)).status).toBe(200)
  })

  it('is limited to five in an hour from one address, of any that arrive together', async () => {
    const emails = Array.from({ length: 12 }, (_, index) => `new${index}@wonka.example`)
    const answers = await Promise.all(emails.map((email) => ask({ email })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(5)
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      body: { error: 'rate_limited' },
      headers: { 'retry-after': '3600' },
    })
    expect((await ask({}, '192.0.2.9')).status).toBe(204)
    scene.now = later(60)
    expect((await ask()).status).toBe(204)
  })

  it('is limited to five in a day for one e-mail, however it is written and whoever has it', async () => {
    for (const email of [wanted.email, scene.emailOf('owner')]) {
      const tries = Array.from({ length: 7 }, (_, index) =>
        ask({ email: index % 2 === 0 ? email : email.toUpperCase() }, `198.51.100.${index}`),
      )
      const statuses = (await Promise.all(tries)).map(({ status }) => status).sort()
      expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429])
    }
  })

  it('counts the spellings of one mailbox together, and the networks of one site of IPv6', async () => {
    const spellings = ['new.owner', 'newowner+1', 'New.Owner+two', 'n.e.w.owner', 'newowner', 'newowner+x']
    const tries = spellings.map((local, index) =>
      ask({ email: `${local}@wonka.example` }, `198.51.100.${index}`),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort()
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429])
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        ask({ email: `new${index}@other.example` }, `2001:db8:1:${index.toString(16)}::1`),
      ),
    )
    expect(sent.filter(({ status }) => status === 204)).toHaveLength(50)
  })

  it('never stores the secret, and seals nothing once the link has ended', async () => {
    await ask()
    const { secret } = await scene.letterTo(wanted.email)
    const stored = async () => {
      const { rows } = await scene.database.pool.query<{ all: string }>(`
        select string_agg(t::text, ' ') as all from (
          select l::text from one_time_link l union all select m::text from mail m
          union all select j::text from job j union all select a::text from audit_event a) t`)
      return rows[0]?.all ?? ''
    }
    expect(await stored()).not.toContain(secret)
    await complete(secret)
    const { rows } = await scene.database.pool.query(
      'select secret_sealed from one_time_link where recipient = $1',
      [wanted.email],
    )
    expect(rows).toEqual([{ secret_sealed: null }])
  })
})

describe('the operator', () => {
  it('closes sign-up, and names terms that must be accepted', async () => {
    const terms = { termsUrl: 'https://host.example/terms', privacyUrl: 'https://host.example/privacy' }
    const closed = await openPeopleScene({ signUp: { isOpen: false, ...terms } })
    const open = await openPeopleScene({ signUp: { isOpen: true, ...terms } })
    const at = (one: PeopleScene) => new AppSession(one.http.url)
    expect(await at(closed).call(getSignUpOffer)).toEqual({ isOpen: false, ...terms, sendsMail: true })
    expect(await at(closed).refused(requestSignUp, { body: wanted })).toMatchObject({
      status: 403,
      body: { message: 'Sign-up is closed on this service.' },
    })
    const unread = { ...wanted, acceptsTerms: false }
    expect(await at(open).refused(requestSignUp, { body: unread })).toMatchObject({
      status: 400,
      body: { fields: { acceptsTerms: 'The terms must be accepted.' } },
    })
    const session = at(open)
    await session.call(requestSignUp, { body: wanted })
    const { secret } = await open.letterTo(wanted.email)
    await complete(secret, {}, session)
    const { rows } = await open.database.pool.query(
      `select after from audit_event where action = 'workspace.terms_accepted'`,
    )
    expect(rows).toEqual([{ after: { terms: terms.termsUrl } }])
    await closed.close()
    await open.close()
  })
})
