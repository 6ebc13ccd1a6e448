import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NewRecoveryCodes, SecondFactors } from '../../src/contract/people/sign-in.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { addApp, beginSignIn, codeOf, post } from './app-codes.ts'
import { SoftPasskey, type Place } from './soft-passkey.ts'

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace
let now = testNow
const here: Place = { origin: 'https://monitor.example', rpId: 'monitor.example' }

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => now })
  ;[acme, umbrella] = await createScene(store.db)
})
afterAll(async () => {
  await http.stop()
  await store.drop()
})
beforeEach(async () => {
  now = testNow
  const tables = [
    ...(['sign_in_window', 'job', 'sign_in_step', 'authenticator', 'recovery_code'] as const),
    ...(['passkey', 'passkey_challenge', 'session'] as const),
  ]
  for (const table of tables) await store.db.deleteFrom(table).execute()
  await store.db.updateTable('workspace').set({ requires_second_factor: false }).execute()
})

const owner = () => acme.members.owner
const signIn = (member = owner()) => AppSession.signIn(http.url, member)

async function challengeOf(session: AppSession, path: string, body?: unknown): Promise<string> {
  const answer = await post(session, `${path}/options`, body)
  expect(answer.status).toBe(200)
  return (answer.body as { options: { challenge: string } }).options.challenge
}

async function addPasskey(session: AppSession, passkey: SoftPasskey, name = 'Telephone') {
  const challenge = await challengeOf(session, '/account/passkeys')
  return post(session, '/account/passkeys', { name, response: passkey.register(challenge, here) })
}

async function owned(): Promise<SoftPasskey> {
  const passkey = new SoftPasskey()
  expect((await addPasskey(await signIn(), passkey)).status).toBe(201)
  return passkey
}

const alone = () => challengeOf(new AppSession(http.url), '/session/passkey', {})
const enterWith = (response: unknown, secret?: string) =>
  post(new AppSession(http.url), '/session/passkey', {
    response,
    ...(secret === undefined ? {} : { secret }),
  })

describe('a passkey', () => {
  it('is added with its name, brings recovery codes, and signs in by itself', async () => {
    const session = await signIn()
    const passkey = new SoftPasskey()
    const added = await addPasskey(session, passkey, ' Telephone ')
    expect(added.status).toBe(201)
    expect((added.body as NewRecoveryCodes).recoveryCodes).toHaveLength(10)
    const { passkeys } = (await session.call('/account/second-factor')).body as SecondFactors
    expect(passkeys).toMatchObject([{ name: 'Telephone', addedAt: testNow.toISOString(), lastUsedAt: null }])
    const entered = await enterWith(passkey.sign(await alone(), here))
    expect(entered).toMatchObject({ status: 200, body: { person: { email: owner().email } } })
    const acts = await store.db
      .selectFrom('audit_event')
      .select('after')
      .where('action', 'in', ['person.second_factor_changed', 'person.signed_in'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(acts.map(({ after }) => after)).toEqual([
      { how: 'passkey', secondFactor: 'passkey' },
      { change: 'passkey_added' },
    ])
  })

  it('follows a password, also where it asks for no finger', async () => {
    const passkey = await owned()
    passkey.verifies = false
    const { step } = await beginSignIn(http.url, owner())
    expect(step.ways).toEqual(['passkey', 'recovery_code'])
    const challenge = await challengeOf(new AppSession(http.url), '/session/passkey', { secret: step.secret })
    const response = passkey.sign(challenge, here)
    expect((await enterWith(response, step.secret)).status).toBe(200)
    // once: neither the answer nor the sign-in counts again
    expect((await enterWith(response, step.secret)).status).toBe(401)
  })

  it('confirms who it is', async () => {
    const session = await signIn()
    const passkey = new SoftPasskey()
    await addPasskey(session, passkey)
    now = later(11)
    const act = () => post(session, '/account/second-factor/recovery-codes')
    expect(await act()).toMatchObject({ status: 403, body: { error: 'confirmation_required' } })
    const challenge = await challengeOf(session, '/account/confirmation/passkey')
    const response = passkey.sign(challenge, here)
    expect((await post(session, '/account/confirmation/passkey', { response })).status).toBe(204)
    expect((await act()).status).toBe(201)
  })

  it('is removed by its owner alone, and with the last factor the recovery codes', async () => {
    const session = await signIn()
    await addPasskey(session, new SoftPasskey())
    const { passkeys } = (await session.call('/account/second-factor')).body as SecondFactors
    const path = `/account/passkeys/${passkeys[0]?.id ?? ''}`
    const stranger = await signIn(umbrella.members.owner)
    expect((await stranger.call(path, { method: 'DELETE' })).status).toBe(404)
    expect((await session.call(path, { method: 'DELETE' })).status).toBe(204)
    expect((await session.call('/account/second-factor')).body).toMatchObject({
      passkeys: [],
      recoveryCodes: { left: 0 },
    })
  })

  it('is refused twice, and by anybody else', async () => {
    const passkey = await owned()
    const again = await addPasskey(await signIn(umbrella.members.owner), passkey)
    expect(again).toMatchObject({ status: 409 })
  })
})

describe('registering', () => {
  const wrong: [string, (passkey: SoftPasskey, challenge: string) => unknown][] = [
    [
      'another origin',
      (passkey, challenge) => passkey.register(challenge, { ...here, origin: 'https://evil.example' }),
    ],
    ['another host', (passkey, challenge) => passkey.register(challenge, { ...here, rpId: 'evil.example' })],
    ['another challenge', (passkey) => passkey.register('AAAA', here)],
    [
      'an answer to another question',
      (passkey, challenge) => {
        const { response, ...rest } = passkey.sign(challenge, here)
        return { ...rest, response: { ...response, attestationObject: 'oA' } }
      },
    ],
    [
      'no CBOR',
      (passkey, challenge) => {
        const made = passkey.register(challenge, here)
        return { ...made, response: { ...made.response, attestationObject: 'AAAA' } }
      },
    ],
  ]
  it.each(wrong)('refuses %s', async (_case, made) => {
    const session = await signIn()
    const challenge = await challengeOf(session, '/account/passkeys')
    const answer = await post(session, '/account/passkeys', {
      name: 'Telephone',
      response: made(new SoftPasskey(), challenge),
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { fields: { response: expect.any(String) as string } },
    })
  })
})

describe('signing in with a passkey', () => {
  const wrong: [string, (passkey: SoftPasskey, challenge: string) => unknown][] = [
    [
      'another origin',
      (passkey, challenge) => passkey.sign(challenge, { ...here, origin: 'https://evil.example' }),
    ],
    ['another host', (passkey, challenge) => passkey.sign(challenge, { ...here, rpId: 'evil.example' })],
    ['a challenge of its own', (passkey) => passkey.sign('AAAA', here)],
    [
      'no finger and no PIN',
      (passkey, challenge) => {
        passkey.verifies = false
        return passkey.sign(challenge, here)
      },
    ],
    [
      'a count that is none',
      (passkey, challenge) => {
        passkey.count = -1
        return passkey.sign(challenge, here)
      },
    ],
    [
      'another key',
      (passkey, challenge) => ({
        ...new SoftPasskey().sign(challenge, here),
        id: passkey.id,
        rawId: passkey.id,
      }),
    ],
    ['an unknown passkey', (_passkey, challenge) => new SoftPasskey().sign(challenge, here)],
    [
      'no signature',
      (passkey, challenge) => {
        const made = passkey.sign(challenge, here)
        return { ...made, response: { ...made.response, signature: 'AAAA' } }
      },
    ],
  ]
  it.each(wrong)('refuses %s, always with the same words', async (_case, answer) => {
    const passkey = await owned()
    expect((await enterWith(passkey.sign(await alone(), here))).status).toBe(200)
    const refused = await enterWith(answer(passkey, await alone()))
    expect(refused).toMatchObject({
      status: 401,
      body: {
        error: 'signed_out',
        message: 'This passkey is not known here, or it did not respond in time.',
      },
    })
  })

  it('takes an answer once, of two at once one, and in five minutes', async () => {
    const passkey = await owned()
    const response = passkey.sign(await alone(), here)
    const answers = await Promise.all([enterWith(response), enterWith(response)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const late = passkey.sign(await alone(), here)
    now = later(6)
    expect((await enterWith(late)).status).toBe(401)
  })

  it('does not take a challenge that was made for something else', async () => {
    const session = await signIn()
    const passkey = new SoftPasskey()
    await addPasskey(session, passkey)
    const own = await challengeOf(session, '/account/confirmation/passkey')
    expect((await enterWith(passkey.sign(own, here))).status).toBe(401)
    const response = passkey.sign(await alone(), here)
    expect((await post(session, '/account/confirmation/passkey', { response })).status).toBe(400)
  })

  it('lets nobody fill the store with challenges', async () => {
    const answers = await Promise.all(
      Array.from({ length: 220 }, () => post(new AppSession(http.url), '/session/passkey/options', {})),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })
})

describe('a workspace that asks for a second factor', () => {
  const requires = (session: AppSession, requiresSecondFactor: boolean) =>
    session.call('/workspaces/acme/sign-in', { method: 'PATCH', body: { requiresSecondFactor } })

  it('is closed to those who came in without one, who reach their account and set it up', async () => {
    const session = await signIn()
    expect(await requires(session, true)).toMatchObject({ status: 409 })
    const { secret } = await addApp(session, now)
    expect((await requires(session, true)).status).toBe(204)
    expect((await session.call('/workspaces/acme/sign-in')).body).toMatchObject({
      requiresSecondFactor: true,
      withoutSecondFactor: 1,
    })
    const viewer = await signIn(acme.members.viewer)
    for (const path of ['', '/families', '/incidents', '/tokens'])
      expect(await viewer.call(`/workspaces/acme${path}`)).toMatchObject({
        status: 403,
        body: { error: 'second_factor_required' },
      })
    expect((await viewer.call('/account/second-factor')).body).toMatchObject({ requiredBy: ['acme company'] })
    await addPasskey(viewer, new SoftPasskey())
    expect((await viewer.call('/workspaces/acme')).status).toBe(200)
    now = later(2)
    const again = await beginSignIn(http.url, owner())
    await post(again.session, '/session/second-step', {
      secret: again.step.secret,
      code: codeOf(secret, now),
    })
    expect((await again.session.call('/workspaces/acme')).status).toBe(200)
    expect((await session.call('/account/second-factor/app', { method: 'DELETE' })).status).toBe(204)
    expect((await session.call('/workspaces/acme')).status).toBe(403)
  })

  it('is asked for by owners alone, with a proof of the last ten minutes, and recorded', async () => {
    const session = await signIn()
    await addApp(session, now)
    now = later(11)
    expect(await requires(session, true)).toMatchObject({ body: { error: 'confirmation_required' } })
    await post(session, '/account/confirmation', { password: owner().password })
    expect((await requires(session, true)).status).toBe(204)
    const act = await store.db
      .selectFrom('audit_event')
      .select(['before', 'after', 'workspace_id'])
      .where('action', '=', 'workspace.sign_in_changed')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(act).toMatchObject({
      before: { requiresSecondFactor: false },
      after: { requiresSecondFactor: true },
      workspace_id: acme.id,
    })
  })

  it('shows strangers nothing', async () => {
    await store.db.updateTable('workspace').set({ requires_second_factor: true }).execute()
    expect((await (await signIn(umbrella.members.owner)).call('/workspaces/acme')).status).toBe(404)
  })
})
