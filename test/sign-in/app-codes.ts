import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { NewApp, NewRecoveryCodes, SecondStep } from '../../src/contract/people/sign-in.ts'
import { AppSession } from '../support/app-session.ts'

/** The code that an authenticator app shows at a time. */
export function codeOf(secret: string, now: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() })
}

/** Another one, wrong at that time. */
export function wrongCode(secret: string, now: Date): string {
  const near = [-60, -30, 0, 30, 60].map((seconds) =>
    codeOf(secret, new Date(now.getTime() + seconds * 1000)),
  )
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
  )
}

export const post = (session: AppSession, path: string, body?: unknown) =>
  session.call(path, { method: 'POST', ...(body === undefined ? {} : { body }) })

/** Sets an app up in a session that has just begun. */
export async function addApp(
  session: AppSession,
  now: Date,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await post(session, '/account/second-factor/app')
  expect(begun.status).toBe(201)
  const { secret } = begun.body as NewApp
  const done = await post(session, '/account/second-factor/app/code', { code: codeOf(secret, now) })
  expect(done.status).toBe(200)
  return { secret, ...(done.body as NewRecoveryCodes) }
}

/** The password of somebody who has a second factor. */
export async function beginSignIn(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<{ session: AppSession; step: SecondStep }> {
  const session = new AppSession(url)
  const answer = await post(session, '/session', { email, password })
  expect(answer.status).toBe(200)
  return { session, step: (answer.body as { secondStep: SecondStep }).secondStep }
}
