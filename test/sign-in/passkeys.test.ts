import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { PasskeyOptions } from '../../src/contract/people/sign-in.ts'
import {
  getSecondFactors,
  makeRecoveryCodes,
  removeApp,
} from '../../src/contract/people/operations/second-factor.ts'
import {
  addPasskey,
  askOwnPasskey,
  askPasskey,
  beginPasskey,
  confirmWithPasskey,
  removePasskey,
  signInWithPasskey,
} from '../../src/contract/people/operations/passkeys.ts'
import { changeSignInSettings, getSignInSettings } from '../../src/contract/people/operations/sign-in.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { completeSignIn } from '../../src/contract/people/operations/session.ts'
import { confirmIdentity } from '../../src/contract/people/operations/account.ts'
import { listFamilies } from '../../src/contract/products/operations.ts'
import { listIncidents } from '../../src/contract/incidents/operations.ts'
import { listTokens } from '../../src/contract/tokens/operations.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { addApp, beginSignIn, codeOf } from './app-codes.ts'
import { openSignInScene } from './sign-in-scene.ts'
import { SoftPasskey, type RelyingParty } from './soft-passkey.ts'
import { anyText } from '../support/expected.ts'
import { fieldOf } from '../support/read-as.ts'

const scene = openSignInScene()
const here: RelyingParty = { origin: 'https://monitor.example', rpId: 'monitor.example' }

const owner = () => scene.acme.members.owner
const signIn = (member = owner()) => AppSession.signIn(scene.url, member)

async function challengeIn(asked: Promise<PasskeyOptions>): Promise<string> {
  return String((await asked).options['challenge'])
}

async function addKey(session: AppSession, passkey: SoftPasskey, name = 'Telephone') {
  const challenge = await challengeIn(session.call(beginPasskey))
  return session.ask(addPasskey, { body: { name, response: passkey.register(challenge, here) } })
}

async function owned(): Promise<SoftPasskey> {
  const passkey = new SoftPasskey()
  expect((await addKey(await signIn(), passkey)).status).toBe(201)
  return passkey
}

const askWith = (body: { secret?: string } = {}) =>
  challengeIn(new AppSession(scene.url).call(askPasskey, { body }))
const enterWith = (response: unknown, secret?: string) =>
  new AppSession(scene.url).ask(signInWithPasskey, {
    body: {
      response,
      ...(secret === undefined ? {} : { secret }),
    },
  })

describe('a passkey', () => {
  it('is added with its name, brings recovery codes, and signs in by itself', async () => {
    const session = await signIn()
    const passkey = new SoftPasskey()
    const added = await addKey(session, passkey, ' Telephone ')
    expect(added.status).toBe(201)
    expect(fieldOf(added.body, 'recoveryCodes')).toHaveLength(10)
    const { passkeys } = await session.call(getSecondFactors)
    expect(passkeys).toMatchObject([{ name: 'Telephone', addedAt: testNow.toISOString(), lastUsedAt: null }])
    const entered = await enterWith(passkey.sign(await askWith(), here))
    expect(entered).toMatchObject({ status: 200, body: { person: { email: owner().email } } })
    const acts = await scene.store.db
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
    const { step } = await beginSignIn(scene.url, owner())
    expect(step.ways).toEqual(['passkey', 'recovery_code'])
    const challenge = await askWith({ secret: step.secret })
    const response = passkey.sign(challenge, here)
    expect((await enterWith(response, step.secret)).status).toBe(200)
    // neither the answer nor the sign-in can be used twice
    expect((await enterWith(response, step.secret)).status).toBe(401)
  })

  it('confirms who it is', async () => {
    const session = await signIn()
    const passkey = new SoftPasskey()
    await addKey(session, passkey)
    scene.now = later(11)
    const act = () => session.ask(makeRecoveryCodes)
    expect(await act()).toMatchObject({ status: 403, body: { error: 'confirmation_required' } })
    const challenge = await challengeIn(session.call(askOwnPasskey))
    const response = passkey.sign(challenge, here)
    await session.call(confirmWithPasskey, { body: { response } })
    expect((await act()).status).toBe(201)
  })

  it('is removed by its owner alone, and with the last factor the recovery codes', async () => {
    const session = await signIn()
    await addKey(session, new SoftPasskey())
    const { passkeys } = await session.call(getSecondFactors)
    const params = { passkey: passkeys[0]?.id }
    const stranger = await signIn(scene.umbrella.members.owner)
    expect((await stranger.refused(removePasskey, { params })).status).toBe(404)
    await session.call(removePasskey, { params })
    expect(await session.call(getSecondFactors)).toMatchObject({
      passkeys: [],
      recoveryCodes: { left: 0 },
    })
  })

  it('is refused twice, and by anybody else', async () => {
    const passkey = await owned()
    const again = await addKey(await signIn(scene.umbrella.members.owner), passkey)
    expect(again).toMatchObject({ status: 409 })
  })

  it('is one of twenty at most, also of those that were begun before', async () => {
    const session = await signIn()
    const challenges = await Promise.all(
      Array.from({ length: 23 }, () => challengeIn(session.call(beginPasskey))),
    )
    const add = (challenge: string) =>
      session.ask(addPasskey, {
        body: { name: 'Telephone', response: new SoftPasskey().register(challenge, here) },
      })
    const answers = await Promise.all(challenges.map(add))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => fieldOf(body, 'message'))).toEqual(
      Array.from({ length: 3 }, () => 'An account has 20 passkeys at most. Remove one first.'),
    )
    expect((await session.refused(beginPasskey)).status).toBe(409)
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
    ['a challenge that is no text', (passkey) => passkey.register('A\0', here)],
    ['a challenge of half a character', (passkey) => passkey.register('A\ud800', here)],
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
    const challenge = await challengeIn(session.call(beginPasskey))
    const answer = await session.refused(addPasskey, {
      body: {
        name: 'Telephone',
        response: made(new SoftPasskey(), challenge),
      },
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { fields: { response: anyText } },
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
    ['a challenge that is no text', (passkey) => passkey.sign('A\0', here)],
    ['a challenge that is a number', (passkey) => passkey.sign(7 as unknown as string, here)],
    ['a challenge that is a list', (passkey) => passkey.sign(['A', 'B'] as unknown as string, here)],
    ['a challenge that is an object', (passkey) => passkey.sign({ a: 'B' } as unknown as string, here)],
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
    expect((await enterWith(passkey.sign(await askWith(), here))).status).toBe(200)
    const refused = await enterWith(answer(passkey, await askWith()))
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
    const response = passkey.sign(await askWith(), here)
    const answers = await Promise.all([enterWith(response), enterWith(response)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const late = passkey.sign(await askWith(), here)
    scene.now = later(6)
    expect((await enterWith(late)).status).toBe(401)
  })

  it('does not take a challenge that was made for something else', async () => {
    const session = await signIn()
    const passkey = new SoftPasskey()
    await addKey(session, passkey)
    const own = await challengeIn(session.call(askOwnPasskey))
    expect((await enterWith(passkey.sign(own, here))).status).toBe(401)
    const response = passkey.sign(await askWith(), here)
    expect((await session.refused(confirmWithPasskey, { body: { response } })).status).toBe(400)
  })

  it('is answered as the failure that it is when the database fails, as is a new one, and with nothing of the cause', async () => {
    const session = await signIn()
    const passkey = new SoftPasskey()
    await addKey(session, passkey)
    const signed = passkey.sign(await askWith(), here)
    const made = new SoftPasskey().register(await challengeIn(session.call(beginPasskey)), here)
    await sql`alter table passkey_challenge rename to lost_challenge`.execute(scene.store.db)
    try {
      const answers = [
        await enterWith(signed),
        await session.refused(confirmWithPasskey, { body: { response: signed } }),
        await session.refused(addPasskey, { body: { name: 'Telephone', response: made } }),
      ]
      for (const { status, body } of answers) {
        expect({ status, body }).toMatchObject({ status: 500, body: { error: 'internal' } })
        expect(JSON.stringify(body)).not.toContain('passkey_challenge')
      }
    } finally {
      await sql`alter table lost_challenge rename to passkey_challenge`.execute(scene.store.db)
    }
  })

  it('lets nobody fill the store with challenges', async () => {
    const answers = await Promise.all(
      Array.from({ length: 220 }, () => new AppSession(scene.url).ask(askPasskey, { body: {} })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })
})

describe('a workspace that asks for a second factor', () => {
  const requires = (session: AppSession, requiresSecondFactor: boolean) =>
    session.ask(changeSignInSettings, { body: { requiresSecondFactor } })

  it('is closed to those who came in without one, who reach their account and set it up', async () => {
    const session = await signIn()
    expect(await requires(session, true)).toMatchObject({ status: 409 })
    const { secret } = await addApp(session, scene.now)
    expect((await requires(session, true)).status).toBe(204)
    expect(await session.call(getSignInSettings)).toMatchObject({
      requiresSecondFactor: true,
      withoutSecondFactor: 1,
    })
    const viewer = await signIn(scene.acme.members.viewer)
    for (const read of [getWorkspace, listFamilies, listIncidents, listTokens])
      expect(await viewer.refused(read)).toMatchObject({
        status: 403,
        body: { error: 'second_factor_required' },
      })
    expect(await viewer.call(getSecondFactors)).toMatchObject({ requiredBy: ['acme company'] })
    await addKey(viewer, new SoftPasskey())
    await viewer.call(getWorkspace)
    scene.now = later(2)
    const again = await beginSignIn(scene.url, owner())
    await again.session.call(completeSignIn, {
      body: {
        secret: again.step.secret,
        code: codeOf(secret, scene.now),
      },
    })
    await again.session.call(getWorkspace, { params: { slug: 'acme' } })
    await session.call(removeApp)
    expect((await session.refused(getWorkspace)).status).toBe(403)
  })

  it('is asked for by owners alone, with a proof of the last ten minutes, and recorded', async () => {
    const session = await signIn()
    await addApp(session, scene.now)
    scene.now = later(11)
    expect(await requires(session, true)).toMatchObject({ body: { error: 'confirmation_required' } })
    await session.call(confirmIdentity, { body: { password: owner().password } })
    expect((await requires(session, true)).status).toBe(204)
    const act = await scene.store.db
      .selectFrom('audit_event')
      .select(['before', 'after', 'workspace_id'])
      .where('action', '=', 'workspace.sign_in_changed')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(act).toMatchObject({
      before: { requiresSecondFactor: false },
      after: { requiresSecondFactor: true },
      workspace_id: scene.acme.id,
    })
  })

  it('shows strangers nothing', async () => {
    await scene.store.db.updateTable('workspace').set({ requires_second_factor: true }).execute()
    expect(
      (await (await signIn(scene.umbrella.members.owner)).refused(getWorkspace, { params: { slug: 'acme' } }))
        .status,
    ).toBe(404)
  })
})
