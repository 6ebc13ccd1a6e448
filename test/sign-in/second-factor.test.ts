import { describe, expect, it } from 'vitest'
import {
  beginApp,
  confirmApp,
  getSecondFactors,
  makeRecoveryCodes,
  removeApp,
} from '../../src/contract/people/operations/second-factor.ts'
import { completeSignIn, getSession, signIn } from '../../src/contract/people/operations/session.ts'
import {
  changePassword,
  confirmIdentity,
  endSession,
  listSessions,
} from '../../src/contract/people/operations/account.ts'
import { forgetSecondSteps } from '../../src/people/factors/second-step.ts'
import { removeAllFactors } from '../../src/people/factors/second-factors.ts'
import { signInSealedColumns } from '../../src/people/factors/sealed-places.ts'
import { createKeyRing, newKeyText, parseKeys, type SealingKey } from '../../src/platform/sealing/key-ring.ts'
import { resealColumns } from '../../src/platform/sealing/reseal.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { testSealing } from '../support/http.ts'
import { addApp, beginSignIn, codeOf, wrongCode } from './app-codes.ts'
import { openSignInScene } from './sign-in-scene.ts'
import { anyText } from '../support/expected.ts'

const scene = openSignInScene()

const owner = () => scene.acme.members.owner
const enter = (member = owner()) => AppSession.signIn(scene.url, member)
const secondStep = (session: AppSession, secret: string, code: string) =>
  session.ask(completeSignIn, { body: { secret, code } })
const factorsOf = (session: AppSession) => session.call(getSecondFactors)

async function told(): Promise<unknown[]> {
  const { rows } = await scene.store.pool.query<{ told: unknown }>(
    `select payload->'fact'->'data'->>'change' as told from job
     where kind = 'send_mail' and payload->'fact'->>'type' = 'second_factor.changed' order by id`,
  )
  return rows.map((row) => row.told)
}

describe('an authenticator app', () => {
  it('is asked for after the password, and lets in', async () => {
    const session = await enter()
    const { secret, recoveryCodes } = await addApp(session, scene.now)
    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes)
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    expect(await factorsOf(session)).toMatchObject({
      app: { addedAt: testNow.toISOString() },
      recoveryCodes: { left: 10 },
    })
    expect(await told()).toEqual(['app_added'])
    scene.now = later(1)
    const { session: next, step } = await beginSignIn(scene.url, owner())
    expect(step).toEqual({ secret: anyText, ways: ['app', 'recovery_code'] })
    // the password alone opens nothing
    expect((await next.refused(getSession)).status).toBe(401)
    const entered = await secondStep(next, step.secret, codeOf(secret, scene.now))
    expect(entered).toMatchObject({ status: 200, body: { person: { email: owner().email } } })
    await next.call(getSession)
    const { after } = await scene.store.db
      .selectFrom('audit_event')
      .select('after')
      .where('action', '=', 'person.signed_in')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(after).toEqual({ how: 'password', secondFactor: 'app' })
  })

  it('counts for nothing until a code of it was shown', async () => {
    const session = await enter()
    await session.call(beginApp)
    const wrong = await session.refused(confirmApp, { body: { code: '000000' } })
    expect(wrong).toMatchObject({ status: 400, body: { fields: { code: anyText } } })
    expect((await factorsOf(session)).app).toBeNull()
    expect((await enter()) instanceof AppSession).toBe(true)
    const none = await (
      await enter(scene.umbrella.members.owner)
    ).refused(confirmApp, {
      body: {
        code: '000000',
      },
    })
    expect(none.status).toBe(409)
  })

  it('shows each code once: the same and earlier ones are refused, also at once', async () => {
    const { secret } = await addApp(await enter(), scene.now)
    const shown = await beginSignIn(scene.url, owner())
    // the code that confirmed the app
    expect((await secondStep(shown.session, shown.step.secret, codeOf(secret, scene.now))).status).toBe(400)
    scene.now = later(2)
    const code = codeOf(secret, scene.now)
    const [one, two] = [await beginSignIn(scene.url, owner()), await beginSignIn(scene.url, owner())]
    const answers = await Promise.all(
      [one, two].map(({ session, step }) => secondStep(session, step.secret, code)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const three = await beginSignIn(scene.url, owner())
    const earlier = codeOf(secret, new Date(scene.now.getTime() - 30_000))
    expect((await secondStep(three.session, three.step.secret, earlier)).status).toBe(400)
  })

  it('ends the sessions that were opened without it, and can be removed', async () => {
    const [here, elsewhere] = [await enter(), await enter()]
    await addApp(here, scene.now)
    expect([(await here.ask(getSession)).status, (await elsewhere.ask(getSession)).status]).toEqual([
      200, 401,
    ])
    await here.call(removeApp)
    expect(await factorsOf(here)).toMatchObject({ app: null, recoveryCodes: { left: 0 } })
    expect(await told()).toEqual(['app_added', 'app_removed'])
    expect((await enter()) instanceof AppSession).toBe(true)
    expect((await here.refused(removeApp)).status).toBe(404)
  })

  it('has its secret sealed for the person alone, and sealed again under a new key', async () => {
    const { secret } = await addApp(await enter(), scene.now)
    const { rows } = await scene.store.pool.query<{ all: string }>(
      `select coalesce(string_agg(t::text, ' '), '') as all from authenticator t`,
    )
    expect(rows[0]?.all).not.toContain(secret)
    expect(rows[0]?.all).not.toContain(Buffer.from(secret).toString('hex'))
    const known = testSealing.ring === null ? [] : [testSealing.ring.writing]
    const added = parseKeys(newKeyText())
    const reseal = (keys: SealingKey[]) =>
      resealColumns(scene.store.db, createSealing(createKeyRing(keys)), signInSealedColumns)
    expect(await reseal([...added, ...known])).toEqual({ resealed: 1, unreadable: 0 })
    expect(await reseal([...known, ...added])).toEqual({ resealed: 1, unreadable: 0 })
    await scene.store.db
      .updateTable('authenticator')
      .set({ person_id: scene.umbrella.members.viewer.id })
      .execute()
    const other = await beginSignIn(scene.url, scene.umbrella.members.viewer)
    expect(await secondStep(other.session, other.step.secret, codeOf(secret, later(1)))).toMatchObject({
      status: 503,
      body: { error: 'not_configured' },
    })
  })
})

describe('recovery codes', () => {
  it('work once each, however they are typed, and are told of', async () => {
    const session = await enter()
    const { recoveryCodes } = await addApp(session, scene.now)
    const [first = '', second = ''] = recoveryCodes
    const one = await beginSignIn(scene.url, owner())
    expect((await secondStep(one.session, one.step.secret, first)).status).toBe(200)
    expect(await told()).toEqual(['app_added', 'recovery_code_used'])
    const two = await beginSignIn(scene.url, owner())
    expect((await secondStep(two.session, two.step.secret, first)).status).toBe(400)
    const typed = second.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    expect((await secondStep(two.session, two.step.secret, typed)).status).toBe(200)
    expect(await factorsOf(two.session)).toMatchObject({ recoveryCodes: { left: 8 } })
  })

  it('are stored hashed, and new ones end the earlier ones', async () => {
    const session = await enter()
    const { recoveryCodes } = await addApp(session, scene.now)
    const { rows } = await scene.store.pool.query<{ all: string }>(
      `select string_agg(t::text, ' ') as all from recovery_code t`,
    )
    for (const code of recoveryCodes) expect(rows[0]?.all).not.toContain(code.slice(0, 9))
    const made = await session.call(makeRecoveryCodes)
    const fresh = made.recoveryCodes
    const { session: next, step } = await beginSignIn(scene.url, owner())
    expect((await secondStep(next, step.secret, recoveryCodes[3] ?? '')).status).toBe(400)
    expect((await secondStep(next, step.secret, fresh[3] ?? '')).status).toBe(200)
  })

  it('that are made twice at once end those of the first', async () => {
    const session = await enter()
    await addApp(session, scene.now)
    await Promise.all([1, 2, 3, 4].map(() => session.ask(makeRecoveryCodes)))
    expect(await factorsOf(session)).toMatchObject({ recoveryCodes: { left: 10 } })
  })

  it('need a second factor', async () => {
    expect((await (await enter()).refused(makeRecoveryCodes)).status).toBe(409)
  })
})

it('the operator removes the second factor of somebody who has lost it', async () => {
  const session = await enter()
  const actor = { kind: 'system', id: null, name: 'command line' } as const
  const remove = (email: string) => removeAllFactors(scene.store.db, { email, actor, now: scene.now })
  expect(await remove('nobody@acme.example')).toBe('nobody')
  expect(await remove(owner().email)).toBe('none')
  await session.call(getSession)
  await addApp(session, scene.now)
  expect(await remove(owner().email.toUpperCase())).toBe('removed')
  expect((await session.refused(getSession)).status).toBe(401)
  expect(await told()).toEqual(['app_added', 'all_removed'])
  expect((await enter()) instanceof AppSession).toBe(true)
})

describe('the second step', () => {
  it('cannot be guessed: five codes from one place, ten in all, and the person is told', async () => {
    const { secret } = await addApp(await enter(), scene.now)
    const { session, step } = await beginSignIn(scene.url, owner())
    const wrong = wrongCode(secret, scene.now)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => secondStep(session, step.secret, wrong)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(15)
    // a correct password in between gives no new attempts
    const again = await beginSignIn(scene.url, owner())
    scene.now = later(1)
    expect((await secondStep(again.session, again.step.secret, codeOf(secret, scene.now))).status).toBe(429)
    const { rows } = await scene.store.pool.query(
      `select distinct payload->>'eventId' from job where payload->'fact'->>'type' = 'second_factor.guessed'`,
    )
    expect(rows).toHaveLength(1)
    scene.now = later(16)
    const after = await beginSignIn(scene.url, owner())
    expect((await secondStep(after.session, after.step.secret, codeOf(secret, scene.now))).status).toBe(200)
  })

  it('ends after ten minutes, with a success, and when the password changes', async () => {
    const session = await enter()
    const { secret } = await addApp(session, scene.now)
    const waiting = await beginSignIn(scene.url, owner())
    scene.now = later(11)
    const late = await secondStep(waiting.session, waiting.step.secret, codeOf(secret, scene.now))
    expect(late).toMatchObject({ status: 401, body: { error: 'signed_out' } })
    await forgetSecondSteps(scene.store.db, scene.now)
    expect(await scene.store.db.selectFrom('sign_in_step').selectAll().execute()).toEqual([])
    const used = await beginSignIn(scene.url, owner())
    expect((await secondStep(used.session, used.step.secret, codeOf(secret, scene.now))).status).toBe(200)
    scene.now = later(12)
    expect((await secondStep(used.session, used.step.secret, codeOf(secret, scene.now))).status).toBe(401)
    const open = await beginSignIn(scene.url, owner())
    const change = { currentPassword: owner().password, newPassword: 'another long password' }
    await session.call(changePassword, { body: change })
    expect((await secondStep(open.session, open.step.secret, codeOf(secret, scene.now))).status).toBe(401)
    const back = { currentPassword: change.newPassword, newPassword: owner().password }
    await session.call(changePassword, { body: back })
  })

  it('tells nobody who has one: a wrong password is answered as for an unknown address', async () => {
    await addApp(await enter(), scene.now)
    const answers = await Promise.all(
      [owner().email, scene.umbrella.members.owner.email, 'nobody@acme.example'].map(async (email) => {
        const { status, body } = await new AppSession(scene.url).ask(signIn, {
          body: {
            email,
            password: 'wrong!',
          },
        })
        return { status, body }
      }),
    )
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    const unknown = await secondStep(new AppSession(scene.url), 'x'.repeat(43), '123456')
    expect(unknown).toMatchObject({ status: 401, body: { error: 'signed_out' } })
  })
})

describe('a dangerous act', () => {
  const dangerous = [
    [beginApp, undefined],
    [confirmApp, { code: '000000' }],
    [removeApp, undefined],
    [makeRecoveryCodes, undefined],
  ] as const
  it.each(
    dangerous.map(
      ([operation, body]) =>
        [operation.method, operation.path.replace('/api/app', ''), operation, body] as const,
    ),
  )('%s %s asks for a proof of the last ten minutes', async (_method, _path, operation, body) => {
    const session = await enter()
    scene.now = later(11)
    const act = () => session.ask(operation, { body })
    expect(await act()).toMatchObject({ status: 403, body: { error: 'confirmation_required' } })
    const wrong = await session.refused(confirmIdentity, { body: { password: 'not the password' } })
    expect(wrong).toMatchObject({ status: 400, body: { fields: { password: anyText } } })
    expect((await act()).status).toBe(403)
    await session.call(confirmIdentity, { body: { password: owner().password } })
    expect((await act()).status).not.toBe(403)
    scene.now = later(22)
    expect((await act()).status).toBe(403)
  })

  it('lets nobody guess the password', async () => {
    const session = await enter()
    const guesses = Array.from({ length: 30 }, () =>
      session.ask(confirmIdentity, { body: { password: 'not the password' } }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
  })
})

describe('one session', () => {
  it('can be ended from another one, and nobody else’s', async () => {
    const [here, elsewhere] = [await enter(), await enter()]
    const stranger = await enter(scene.umbrella.members.owner)
    const { sessions } = await here.call(listSessions)
    const other = sessions.find(({ isThis }) => !isThis)?.id ?? ''
    const end = (session: AppSession, id: string) => session.ask(endSession, { params: { session: id } })
    expect((await end(stranger, other)).status).toBe(404)
    await elsewhere.call(getSession)
    expect((await end(here, other)).status).toBe(204)
    expect([(await elsewhere.ask(getSession)).status, (await here.ask(getSession)).status]).toEqual([
      401, 200,
    ])
    expect((await end(here, other)).status).toBe(404)
  })
})
