import { beforeAll, describe, expect, it } from 'vitest'
import { changePassword, confirmIdentity } from '../../src/contract/people/operations/account.ts'
import { completeSignIn, signIn } from '../../src/contract/people/operations/session.ts'
import { AppSession } from '../support/app-session.ts'
import { later } from '../support/clock.ts'
import type { Answer } from '../support/http.ts'
import { addApp, beginSignIn, codeOf } from './app-codes.ts'
import { openSignInScene } from './sign-in-scene.ts'

/**
 * The disk of the database is full: counters of attempts still find room in their pages, and what a right password or code opens does not. That is
 * nobody's failed sign-in.
 */

const scene = openSignInScene()

beforeAll(async () => {
  await scene.store.pool.query(`
    create function refuse_row() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
})

/** Every table that one of these acts writes beside the counters. */
const tables = ['session', 'sign_in_step', 'audit_event', 'person']

async function whileFull<T>(act: () => Promise<T>): Promise<T> {
  for (const table of tables)
    await scene.store.pool.query(
      `create trigger full_disk before insert or update or delete on ${table} for each row execute function refuse_row()`,
    )
  try {
    return await act()
  } finally {
    for (const table of tables) await scene.store.pool.query(`drop trigger full_disk on ${table}`)
  }
}

/** More than the ten or five failures that a person has. */
async function twelveTimes(act: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let turn = 0; turn < 12; turn += 1) answers.push(await act())
  return answers
}

const away = { status: 500, headers: { 'retry-after': '5' }, body: { error: 'internal' } }
const owner = () => scene.acme.members.owner

describe('on a full disk', () => {
  it('the right password is answered 500 each time, and lets in once there is room', async () => {
    const attempt = () =>
      new AppSession(scene.url).ask(signIn, {
        body: { email: owner().email, password: owner().password },
      })
    for (const answer of await whileFull(() => twelveTimes(attempt))) expect(answer).toMatchObject(away)
    expect(await attempt()).toMatchObject({ status: 200 })
  })

  it('wrong passwords still count', async () => {
    const attempt = (password: string) =>
      new AppSession(scene.url).ask(signIn, { body: { email: owner().email, password } })
    const answers = await whileFull(() => twelveTimes(() => attempt('not this one!')))
    expect(answers.map(({ status }) => status).slice(-2)).toEqual([429, 429])
    expect(await attempt(owner().password)).toMatchObject({ status: 429 })
  })

  it('the own password, typed again, does not count as wrong', async () => {
    const session = await AppSession.signIn(scene.url, owner())
    const { password } = owner()
    const change = () =>
      session.ask(changePassword, { body: { currentPassword: password, newPassword: 'quite another one' } })
    for (const answer of await whileFull(() => twelveTimes(change))) expect(answer).toMatchObject(away)
    expect(await session.ask(confirmIdentity, { body: { password } })).toMatchObject({ status: 204 })
  })

  it('the right code is not counted as wrong either', async () => {
    const { secret } = await addApp(
      await AppSession.signIn(scene.url, scene.umbrella.members.owner),
      scene.now,
    )
    scene.now = later(1)
    const { session, step } = await beginSignIn(scene.url, scene.umbrella.members.owner)
    const complete = () =>
      session.ask(completeSignIn, { body: { secret: step.secret, code: codeOf(secret, scene.now) } })
    for (const answer of await whileFull(() => twelveTimes(complete))) expect(answer).toMatchObject(away)
    expect(await complete()).toMatchObject({ status: 200 })
  })
})
