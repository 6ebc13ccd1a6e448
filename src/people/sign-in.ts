import { sql } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import type { SecondStep } from '../contract/people/sign-in.ts'
import type { Db, Tx } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { enter, type OpenedSession } from './enter.ts'
import type { Replacing } from './sessions.ts'
import { secondFactorWaysOf } from './factors/second-factors.ts'
import { beginSecondStep } from './factors/second-step.ts'
import { isPasswordRight } from './password.ts'
import type { PasswordSemaphore } from './password-semaphore.ts'
import { giveAttemptBack, noteFailure, takeAttempt, type Attempt } from './sign-in-window.ts'
import { uncountedWhileAway } from './unjudged-attempt.ts'

export type SignInDeps = { db: Db; passwords: PasswordSemaphore }

type SignIn = Attempt & Replacing & { password: string }

/**
 * Signs a person in, or says what has to follow the password. Unknown addresses and wrong passwords get the same answer after the same
 * work: only those who know the password learn about a second factor. Codes: `signed_out` (wrong), `rate_limited` (too many
 * failures within 15 minutes, sign-in-window.ts).
 */
export async function signIn(
  { db, passwords }: SignInDeps,
  { password, ...attempt }: SignIn,
): Promise<OpenedSession | { secondStep: SecondStep }> {
  passwords.refuseWhenFull(attempt.address)
  await takeAttempt(db, attempt)
  const person = await uncountedWhileAway(db, attempt, () =>
    db
      .selectFrom('person')
      .select(['id', 'name', 'password_hash'])
      .where(sql<boolean>`lower(email) = lower(${attempt.email.trim()})`)
      .executeTakeFirst(),
  )
  const judgedHash = person?.password_hash ?? null
  const isRight = await passwords.take(attempt.address, () => isPasswordRight(password, judgedHash))
  if (person === undefined || !isRight) {
    await noteFailure(db, attempt, person ?? null)
    throw wrong()
  }
  return uncountedWhileAway(db, attempt, () =>
    transact(db, (tx) => goOn(tx, { ...attempt, person, judgedHash })),
  )
}

type KnownSignIn = Attempt & Replacing & { person: { id: string; name: string }; judgedHash: string | null }

/** What follows a right password. */
async function goOn(
  tx: Tx,
  { person: { id, name }, judgedHash, ...attempt }: KnownSignIn,
): Promise<OpenedSession | { secondStep: SecondStep }> {
  await giveAttemptBack(tx, attempt)
  // changed meanwhile: otherwise a session opened with the old password would outlive the change
  const { rows } = await sql`
    select from person where id = ${id} and password_hash = ${judgedHash} for share`.execute(tx)
  if (rows.length === 0) throw wrong()
  const ways = await secondFactorWaysOf(tx, id)
  if (ways.length > 0) {
    const secret = await beginSecondStep(tx, { personId: id, now: attempt.now })
    return { secondStep: { secret, ways } }
  }
  return enter(tx, { ...attempt, person: { id, name }, proof: { how: 'password', secondFactor: null } })
}

function wrong(): ServiceError {
  return new ServiceError('signed_out', { message: 'The e-mail address or the password is wrong.' })
}
