import { ServiceError } from '../contract/errors.ts'
import type { Db, Tx } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import { dayMs } from '../contract/durations.ts'
import { recordAct } from '../audit/record-acts.ts'
import { enqueueLetter } from './links/enqueue-letter.ts'
import { takeMailRequest, toMailbox } from './links/mail-requests.ts'
import { endLinks, findLink, issueLink, takeLink } from './links/one-time-link.ts'
import { lockOwnAccount, type OwnAct } from './own-act.ts'
import { findPersonByEmail, isSameMailbox, lockMailbox } from './mailbox.ts'
import { refuseInvalidPerson } from './people.ts'

const purpose = 'email_change'
const lifetimeMs = dayMs

/**
 * Sends a link to a person's new address; earlier links end. Whether the address has an account already shows only behind the link. Codes:
 * `invalid_request` (field `email`), `rate_limited`, `not_configured`, `signed_out`.
 */
export async function requestEmailChange(
  { db, sealing }: { db: Db; sealing: Sealing },
  { person, address, requestId, now }: OwnAct,
  email: string,
): Promise<void> {
  refuseInvalidPerson({ email })
  if (isSameMailbox(person.email, email) && person.email === email.trim()) {
    throw new ServiceError('invalid_request', { fields: { email: 'This is already your address.' } })
  }
  const bounds = [
    { subject: ['e-mail', 'person', person.personId], limit: 5, withinMs: dayMs },
    { subject: toMailbox('e-mail', email), limit: 5, withinMs: dayMs },
  ]
  await takeMailRequest(db, bounds, now)
  await transact(db, async (tx) => {
    await lockOwnAccount(tx, { person })
    const { personId, name } = person
    await endLinks(tx, { personId, purposes: [purpose] }, now)
    const recipient = email.trim()
    const link = await issueLink(tx, sealing, { purpose, recipient, personId, lifetimeMs, now })
    await recordAct(tx, {
      workspaceId: null,
      actor: { kind: 'person', id: personId, name, address, requestId },
      at: now,
      action: 'person.email_change_requested',
      object: { kind: 'person', id: personId, name },
    })
    const fact = { type: 'letter.email_change', data: { expiresAt: link.expiresAt.toISOString() } } as const
    await enqueueLetter(tx, { fact, to: { email: recipient, name }, linkId: link.id, now })
  })
}

type Confirming = { secret: string; address: string; requestId: string; now: Date }

/**
 * Gives the person of a link its address, and tells the old one. Links that were sent to the old one end. Codes: `not_found` (link),
 * `conflict` (the address has another account).
 */
export async function confirmEmailChange(
  db: Db,
  { secret, address, requestId, now }: Confirming,
): Promise<{ email: string }> {
  await findLink(db, { purpose, secret, now })
  return transact(db, async (tx) => {
    const { recipient: email, personId } = await takeLink(tx, { purpose, secret, now })
    if (personId === null) throw new ServiceError('not_found')
    await refuseTaken(tx, email, personId)
    const { name, email: old } = await tx
      .selectFrom('person')
      .select(['name', 'email'])
      .where('id', '=', personId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    await tx.updateTable('person').set({ email }).where('id', '=', personId).execute()
    await endLinks(tx, { personId, purposes: ['password_reset'] }, now)
    await recordAct(tx, {
      workspaceId: null,
      actor: { kind: 'person', id: personId, name, address, requestId },
      at: now,
      action: 'person.email_changed',
      object: { kind: 'person', id: personId, name },
      before: { email: old },
      after: { email },
    })
    const fact = { type: 'letter.email_changed', data: { at: now.toISOString() } } as const
    await enqueueLetter(tx, { fact, to: { email: old, name }, linkId: null, now })
    return { email }
  })
}

async function refuseTaken(tx: Tx, email: string, personId: string): Promise<void> {
  await lockMailbox(tx, email)
  const other = await findPersonByEmail(tx, email)
  if (other === undefined || other.id === personId) return
  throw new ServiceError('conflict', { message: 'There is another account with this e-mail address.' })
}
