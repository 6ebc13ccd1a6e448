import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { networkOf } from '../../platform/client-address.ts'
import { recordAct } from '../audit.ts'
import { enqueueNotice } from '../enqueue-notice.ts'
import { isPasswordRight } from './password.ts'
import type { PasswordTurns } from './password-turns.ts'
import { endSession, openSession } from './sessions.ts'
import { giveAttemptBack, noteFailure, takeAttempt, type Attempt } from './sign-in-window.ts'

export type SignInDeps = { db: Db; passwords: PasswordTurns }

type SignIn = Attempt & {
  password: string
  /** Of the session cookie that came along: it ends, so that nobody goes on in a session that somebody else chose. */
  replacedSecret: string | undefined
}

/**
 * Signs a person in. Unknown addresses and wrong passwords get the same answer after the same work.
 * Codes: `signed_out` (wrong), `rate_limited` (too many failures within 15 minutes, sign-in-window.ts).
 */
export async function signIn(
  { db, passwords }: SignInDeps,
  attempt: SignIn,
): Promise<{ personId: string; secret: string; expiresAt: Date }> {
  passwords.refuseWhenFull()
  await takeAttempt(db, attempt)
  const person = await db
    .selectFrom('person')
    .select(['id', 'name', 'password_hash'])
    .where(sql<boolean>`lower(email) = lower(${attempt.email.trim()})`)
    .executeTakeFirst()
  const judgedHash = person?.password_hash ?? null
  const isRight = await passwords.take(() => isPasswordRight(attempt.password, judgedHash))
  if (person === undefined || !isRight) {
    await noteFailure(db, attempt, person ?? null)
    throw wrong()
  }
  return db.transaction().execute(async (tx) => {
    await giveAttemptBack(tx, attempt)
    // changed meanwhile: a session opened with the old password would outlive the change
    const { rows } = await sql`
      select from person where id = ${person.id} and password_hash = ${judgedHash} for share`.execute(tx)
    if (rows.length === 0) throw wrong()
    if (attempt.replacedSecret !== undefined) await endSession(tx, attempt.replacedSecret)
    const { address, requestId, now } = attempt
    if (await isNewAddress(tx, person.id, address)) {
      const fact = { type: 'sign_in.new_address', data: { address, at: now.toISOString() } } as const
      await enqueueNotice(tx, { to: { personId: person.id }, fact, now })
    }
    const session = await openSession(tx, { personId: person.id, address, now })
    await recordAct(tx, {
      workspaceId: null,
      actor: { kind: 'person', id: person.id, name: person.name, address, requestId },
      at: now,
      action: 'person.signed_in',
      object: { kind: 'person', id: person.id, name: person.name },
    })
    return { personId: person.id, ...session }
  })
}

/** Whether the person has never signed in from there, nor has a session from there. Index audit_event_signed_in. */
async function isNewAddress(tx: Tx, personId: string, address: string): Promise<boolean> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from audit_event
    where object_id = ${personId} and action = 'person.signed_in' and address is not null
    union select address from session where person_id = ${personId}::uuid and address is not null`.execute(tx)
  return !rows.some((known) => networkOf(known.address) === networkOf(address))
}

function wrong(): ServiceError {
  return new ServiceError('signed_out', { message: 'The e-mail address or the password is wrong.' })
}
