import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  changeProfile,
  confirmEmailChange,
  getReset,
  requestEmailChange,
  requestReset,
  resetPassword,
} from '../../src/contract/people/operations/profile.ts'
import { getSession } from '../../src/contract/people/operations/session.ts'
import { changePassword } from '../../src/contract/people/operations/account.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { openPeopleScene, password, type PeopleScene } from './people-scene.ts'

let scene: PeopleScene
let visitor: AppSession
beforeAll(async () => {
  scene = await openPeopleScene()
})
afterAll(() => scene.close())
beforeEach(async () => {
  scene.now = testNow
  await scene.database.db.deleteFrom('mail_request_window').execute()
  visitor = new AppSession(scene.http.url)
})

const next = 'another long password'
const ask = (email: string, from = '192.0.2.1') =>
  visitor.ask(requestReset, { body: { email }, headers: { 'x-forwarded-for': from } })
const complete = (secret: string, newPassword = next) =>
  visitor.ask(resetPassword, { body: { secret, newPassword } })

describe('a forgotten password', () => {
  it('is replaced by the link of a message, once; every session and every other link ends', async () => {
    const email = scene.emailOf('lead')
    const known = await scene.signIn('lead')
    await ask(email)
    const other = await scene.letterTo(email, 'letter.password_reset')
    scene.now = later(1)
    await ask(email.toUpperCase())
    const letter = await scene.letterTo(email, 'letter.password_reset')
    expect(letter.text).toContain('https://monitor.example/app/sign-in/reset#')
    expect(letter.secret).not.toBe(other.secret)
    const state = await visitor.call(getReset, { body: { secret: letter.secret } })
    expect(state).toEqual({ email })
    expect((await complete(letter.secret, 'short')).status).toBe(400)
    expect(await complete(letter.secret)).toMatchObject({ status: 204, body: '' })
    expect((await known.refused(getSession)).status).toBe(401)
    expect((await visitor.refused(getSession)).status).toBe(401)
    expect((await complete(letter.secret)).status).toBe(404)
    expect((await complete(other.secret)).status).toBe(404)
    await AppSession.signIn(scene.http.url, { email, password: next })
    expect(await scene.told('password.changed')).toEqual(['lead of acme'])
    expect(await scene.acts()).toEqual(
      expect.arrayContaining(['person.password_reset_requested', 'person.password_reset']),
    )
  })

  it('is answered alike for an address without an account, with the same work before the answer', async () => {
    const answers = []
    for (const email of [scene.emailOf('viewer'), 'nobody@acme.example']) {
      const { status, body, headers } = await ask(email)
      answers.push({ status, body, length: headers['content-length'] })
    }
    expect(answers[0]).toEqual(answers[1])
    const { rows } = await scene.database.pool.query(`select kind from job where state = 'waiting'`)
    expect(rows).toEqual([{ kind: 'reset_password' }, { kind: 'reset_password' }])
    expect(await scene.lettersTo('nobody@acme.example')).toBe(0)
  })

  it('is limited for an e-mail and for a place, known or not', async () => {
    for (const email of [scene.emailOf('viewer'), 'nobody@acme.example']) {
      const tries = Array.from({ length: 8 }, (_, index) => ask(email, `198.51.100.${index}`))
      const statuses = (await Promise.all(tries)).map(({ status }) => status).sort()
      expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429, 429])
    }
    const many = await Promise.all(Array.from({ length: 25 }, (_, index) => ask(`n${index}@acme.example`)))
    expect(many.filter(({ status }) => status === 204)).toHaveLength(20)
  })

  it('ends after an hour, and when the password is changed otherwise', async () => {
    const email = scene.emailOf('viewer')
    await ask(email)
    const first = await scene.letterTo(email, 'letter.password_reset')
    scene.now = later(60)
    expect((await complete(first.secret)).status).toBe(404)
    await ask(email)
    const second = await scene.letterTo(email, 'letter.password_reset')
    const viewer = await scene.signIn('viewer')
    const body = { currentPassword: password, newPassword: next }
    await viewer.call(changePassword, { body })
    expect((await complete(second.secret)).status).toBe(404)
  })
})

const change = (session: AppSession, email: string, typed = password) =>
  session.ask(requestEmailChange, { body: { email, password: typed } })
const confirm = (secret: string) => visitor.ask(confirmEmailChange, { body: { secret } })

describe('another e-mail address', () => {
  it('is in force once it is confirmed there, and the old one is told', async () => {
    const old = scene.emailOf('editor')
    const editor = await scene.signIn('editor')
    expect(await change(editor, 'edna@new.example', 'wrong password!')).toMatchObject({
      status: 400,
      body: { fields: { password: 'This is not your password.' } },
    })
    await ask(old)
    const reset = await scene.letterTo(old, 'letter.password_reset')
    expect((await change(editor, 'edna@new.example')).status).toBe(204)
    const { secret, text } = await scene.letterTo('edna@new.example')
    expect(text).toContain('https://monitor.example/app/sign-in/email#')
    expect(await editor.call(getSession)).toMatchObject({ person: { email: old } })
    expect(await confirm(secret)).toMatchObject({ status: 200, body: { email: 'edna@new.example' } })
    expect((await confirm(secret)).status).toBe(404)
    expect(await editor.call(getSession)).toMatchObject({ person: { email: 'edna@new.example' } })
    await scene.letterTo(old, 'letter.email_changed')
    expect((await complete(reset.secret)).status).toBe(404)
    await AppSession.signIn(scene.http.url, { email: 'edna@new.example', password })
    expect(await scene.acts()).toEqual(
      expect.arrayContaining(['person.email_change_requested', 'person.email_changed']),
    )
  })

  it('that has another account is refused behind the link alone', async () => {
    const taken = scene.emailOf('owner', 'umbrella')
    const admin = await scene.signIn('admin')
    expect((await change(admin, taken)).status).toBe(204)
    const { secret } = await scene.letterTo(taken, 'letter.email_change')
    expect(await confirm(secret)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(await change(admin, scene.emailOf('admin'))).toMatchObject({
      body: { fields: { email: 'This is already your address.' } },
    })
    expect(await change(admin, 'nobody')).toMatchObject({
      body: { fields: { email: 'An e-mail address is required, such as name@company.example.' } },
    })
  })
})

describe('a profile', () => {
  it("has a name and a time zone of the person's own", async () => {
    const admin = await scene.signIn('admin')
    const save = (body: object) => admin.ask(changeProfile, { body })
    expect(await save({ name: ' Ada ', timeZone: 'Asia/Tokyo' })).toMatchObject({
      status: 200,
      body: { person: { name: 'Ada', timeZone: 'Asia/Tokyo' } },
    })
    expect(await save({ timeZone: null })).toMatchObject({
      body: { person: { name: 'Ada', timeZone: null } },
    })
    expect(await save({ name: '' })).toMatchObject({ status: 400 })
    const events = await scene.database.db
      .selectFrom('audit_event')
      .select(['before', 'after'])
      .where('action', '=', 'person.profile_changed')
      .orderBy('id')
      .execute()
    expect(events[0]).toEqual({
      before: { name: 'admin of acme', timeZone: null },
      after: { name: 'Ada', timeZone: 'Asia/Tokyo' },
    })
  })
})

it('a link that is being made for an address while it is replaced is not sent there', async () => {
  const old = scene.emailOf('admin')
  const admin = await scene.signIn('admin')
  const email = 'admin@elsewhere.example'
  await admin.call(requestEmailChange, { body: { email, password } })
  const { secret } = await scene.letterTo(email, 'letter.email_change')
  await ask(old)
  const holder = await scene.database.pool.connect()
  try {
    // both end with their audit events
    await holder.query('begin; lock table audit_event in share mode')
    const changed = confirm(secret)
    await untilWaiting(scene.database)
    const sent = scene.lettersTo(old)
    await untilWaiting(scene.database, 2)
    await holder.query('rollback')
    expect((await changed).status).toBe(200)
    await sent
  } finally {
    holder.release()
  }
  const letters = scene.database.db.selectFrom('mail').select('kind').where('recipient', '=', old)
  expect(await letters.where('kind', '=', 'letter.email_changed').execute()).toHaveLength(1)
  expect(await letters.where('kind', '=', 'letter.password_reset').execute()).toEqual([])
})
