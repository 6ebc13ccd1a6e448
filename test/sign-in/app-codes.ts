import { Secret, TOTP } from 'otpauth'
import type { SecondStep } from '../../src/contract/people/sign-in.ts'
import { beginApp, confirmApp } from '../../src/contract/people/operations/second-factor.ts'
import { signIn } from '../../src/contract/people/operations/session.ts'
import { AppSession } from '../support/app-session.ts'

/** The code an authenticator app shows at a time. */
export function codeOf(secret: string, now: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() })
}

/** A code that is wrong at that time. */
export function wrongCode(secret: string, now: Date): string {
  const near = [-60, -30, 0, 30, 60].map((seconds) =>
    codeOf(secret, new Date(now.getTime() + seconds * 1000)),
  )
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
  )
}

/** Sets up an app in a new session. */
export async function addApp(
  session: AppSession,
  now: Date,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await session.call(beginApp)
  const done = await session.call(confirmApp, { body: { code: codeOf(secret, now) } })
  return { secret, ...done }
}

/** Sends the password of a person with a second factor. */
export async function beginSignIn(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<{ session: AppSession; step: SecondStep }> {
  const session = new AppSession(url)
  const answer = await session.call(signIn, { body: { email, password } })
  if (!('secondStep' in answer)) throw new Error('no second step is asked for')
  return { session, step: answer.secondStep }
}
