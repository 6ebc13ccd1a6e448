import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { recordAct } from '../audit.ts'
import { isPasswordRight } from './password.ts'
import { openSession } from './sessions.ts'

const windowMs = 15 * 60 * 1000
const failuresAllowed = 10

type Attempt = { email: string; password: string; address: string; requestId: string; now: Date }

/**
 * Signs a person in. Unknown addresses and wrong passwords get the same answer after the same work.
 * Codes: `signed_out` (wrong), `rate_limited` (ten failures for this address and e-mail within 15 minutes).
 */
export async function signIn(
  db: Db,
  attempt: Attempt,
): Promise<{ personId: string; secret: string; expiresAt: Date }> {
  const subject = createHash('sha256').update(`${attempt.email.toLowerCase()}\n${attempt.address}`).digest()
  await refuseTooManyFailures(db, subject, attempt.now)
  const person = await db
    .selectFrom('person')
    .select(['id', 'name', 'password_hash'])
    .where(sql<boolean>`lower(email) = lower(${attempt.email})`)
    .executeTakeFirst()
  const isRight = await isPasswordRight(attempt.password, person?.password_hash ?? null)
  if (person === undefined || !isRight) {
    await noteFailure(db, subject, attempt)
    throw new ServiceError('signed_out', { message: 'The e-mail address or the password is wrong.' })
  }
  return db.transaction().execute(async (tx) => {
    await tx.deleteFrom('sign_in_failure').where('subject', '=', subject).execute()
    const session = await openSession(tx, person.id, attempt.now)
    await recordAct(tx, {
      workspaceId: null,
      actor: { kind: 'person', id: person.id, name: person.name, ...origin(attempt) },
      at: attempt.now,
      action: 'person.signed_in',
      object: { kind: 'person', id: person.id, name: person.name },
    })
    return { personId: person.id, ...session }
  })
}

function origin({ address, requestId }: Attempt): { address: string; requestId: string } {
  return { address, requestId }
}

async function refuseTooManyFailures(db: Db, subject: Buffer, now: Date): Promise<void> {
  const known = await db
    .selectFrom('sign_in_failure')
    .select(['failures', 'window_started_at'])
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (known === undefined || known.failures < failuresAllowed) return
  const endsAt = known.window_started_at.getTime() + windowMs
  if (endsAt <= now.getTime()) return
  throw new ServiceError('rate_limited', {
    message: 'Too many failed sign-ins. Try again later.',
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000)),
  })
}

async function noteFailure(db: Db, subject: Buffer, attempt: Attempt): Promise<void> {
  const windowStart = new Date(attempt.now.getTime() - windowMs)
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into sign_in_failure (subject, window_started_at, failures) values (${subject}, ${attempt.now}, 1)
      on conflict (subject) do update set
        window_started_at = case when sign_in_failure.window_started_at <= ${windowStart}
          then excluded.window_started_at else sign_in_failure.window_started_at end,
        failures = case when sign_in_failure.window_started_at <= ${windowStart}
          then 1 else sign_in_failure.failures + 1 end`.execute(tx)
    await recordAct(tx, {
      workspaceId: null,
      actor: { kind: 'system', id: null, name: 'sign-in', ...origin(attempt) },
      at: attempt.now,
      action: 'person.sign_in_failed',
      object: { kind: 'person', id: subject.toString('hex').slice(0, 16) },
    })
  })
}
