import { InputReader } from '../platform/input-reader.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import type { JobPayload } from '../jobs.ts'
import { enqueue } from '../queue/enqueue.ts'
import { newId } from '../platform/random.ts'
import { requireSealing, type Sealing } from '../platform/sealing/sealing.ts'
import { hourMs } from '../contract/durations.ts'
import { recordAct } from '../audit/record-acts.ts'
import { enqueueNotice } from '../workspace/enqueue-notice.ts'
import { enqueueLetter } from './links/enqueue-letter.ts'
import { fromPlace, takeMailRequest, toMailbox } from './links/mail-requests.ts'
import { endLinks, findLink, issueLink, linksOfMail, takeLink } from './links/one-time-link.ts'
import { lockPersonByEmail } from './mailbox.ts'
import { hashPassword, refuseWeakPassword } from './password.ts'
import { endSessionsOf } from './sessions.ts'
import type { SignInDeps } from './sign-in.ts'

const purpose = 'password_reset'
const lifetimeMs = hourMs

type Asking = { email: string; address: string; requestId: string; now: Date }

/**
 * Sends a link to an address if it has an account. A job checks that, so that neither the answer nor its timing reveals it.
 * Codes: `invalid_request` (no address), `rate_limited`, `not_configured`.
 */
export async function requestReset(
  { db, sealing }: { db: Db; sealing: Sealing },
  { email, address, requestId, now }: Asking,
): Promise<void> {
  const input = new InputReader()
  input.email('email', email)
  input.finish()
  await requireSealing(db, sealing, linksOfMail)
  const bounds = [
    ...fromPlace('reset', address, { limit: 20, withinMs: hourMs }),
    { subject: toMailbox('reset', email), limit: 5, withinMs: hourMs },
  ]
  await takeMailRequest(db, bounds, now)
  const payload = { email: email.trim(), address, requestId, linkId: newId(now) }
  await transact(db, (tx) => enqueue(tx, { kind: 'reset_password', payload, runAt: now }))
}

/** Sends the link where the address has an account (job `reset_password`). A second run sends none. */
export async function sendReset(
  { db, sealing }: { db: Db; sealing: Sealing },
  { email, address, requestId, linkId }: JobPayload['reset_password'],
  now: Date,
): Promise<void> {
  await transact(db, async (tx) => {
    const person = await lockPersonByEmail(tx, email)
    if (person === undefined) return
    const newLink = { purpose, recipient: person.email, personId: person.id, lifetimeMs, now } as const
    const link = await issueLink(tx, sealing, { ...newLink, id: linkId })
    if (!link.isNew) return
    await recordAct(tx, {
      workspaceId: null,
      actor: { kind: 'system', id: null, name: 'password reset', address, requestId },
      at: now,
      action: 'person.password_reset_requested',
      object: { kind: 'person', id: person.id, name: person.name },
    })
    const data = { address, at: now.toISOString(), expiresAt: link.expiresAt.toISOString() }
    const fact = { type: 'letter.password_reset', data } as const
    await enqueueLetter(tx, { fact, to: person, linkId: link.id, now })
  })
}

/** Whose password a link sets, for the bearer of the link. Codes: `not_found`. */
export async function describeReset(
  db: Db,
  { secret, now }: { secret: string; now: Date },
): Promise<{ email: string }> {
  const { recipient } = await findLink(db, { purpose, secret, now })
  return { email: recipient }
}

type Reset = { secret: string; newPassword: string; address: string; requestId: string; now: Date }

/**
 * Sets another password and ends every session of the person and every other link to their account. It signs nobody in: a second factor is
 * asked for as always. Codes: `not_found` (link), `invalid_request` (field `newPassword`), `rate_limited`.
 */
export async function resetPassword(
  { db, passwords }: SignInDeps,
  { secret, newPassword, address, requestId, now }: Reset,
): Promise<void> {
  await findLink(db, { purpose, secret, now })
  refuseWeakPassword(newPassword, 'newPassword')
  const passwordHash = await passwords.take(address, () => hashPassword(newPassword))
  await transact(db, async (tx) => {
    const { personId } = await takeLink(tx, { purpose, secret, now })
    if (personId === null) throw new ServiceError('not_found')
    const person = await tx
      .updateTable('person')
      .set({ password_hash: passwordHash })
      .where('id', '=', personId)
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow()
    await endLinks(tx, { personId, purposes: ['password_reset', 'email_change'] }, now)
    const sessionsEnded = await endSessionsOf(tx, personId)
    await recordAct(tx, {
      workspaceId: null,
      actor: { kind: 'person', id: person.id, name: person.name, address, requestId },
      at: now,
      action: 'person.password_reset',
      object: { kind: 'person', id: person.id, name: person.name },
      after: { sessionsEnded },
    })
    const fact = { type: 'password.changed', data: { address, at: now.toISOString() } } as const
    await enqueueNotice(tx, { to: { personId }, fact, now })
  })
}
