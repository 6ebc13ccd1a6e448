import type { AuditAction } from '../contract/audit/shapes.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Tx } from '../database/connection.ts'
import { recordAct } from '../audit/record-acts.ts'
import type { SignedInPerson } from './sessions.ts'

/** Where somebody acts, or signs in, from. */
export type Origin = { address: string; requestId: string }

/** Who acts on their own account, and from where. */
export type OwnAct = Origin & { person: SignedInPerson; now: Date }

/** The same before there is a session. */
export type ActOfPerson = Omit<OwnAct, 'person'> & { person: Pick<SignedInPerson, 'personId' | 'name'> }

/** Recorded in the audit trail of the installation: an account belongs to no workspace. */
export async function recordOwnAct(
  tx: Tx,
  { person, address, requestId, now }: ActOfPerson,
  what: { action: AuditAction; after: unknown },
): Promise<void> {
  const { personId: id, name } = person
  await recordAct(tx, {
    workspaceId: null,
    actor: { kind: 'person', id, name, address, requestId },
    at: now,
    object: { kind: 'person', id, name },
    ...what,
  })
}

/**
 * Changes to how a person signs in happen one at a time, and only in a session that lasts until they are done: one that has been ended since the
 * request was let in must not leave a way into the account behind. Codes: `signed_out`.
 */
export async function lockOwnAccount(tx: Tx, { person }: Pick<OwnAct, 'person'>): Promise<void> {
  const { personId, sessionId } = person
  await tx.selectFrom('person').select('id').where('id', '=', personId).forNoKeyUpdate().execute()
  const session = await tx
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .forShare()
    .executeTakeFirst()
  if (session === undefined) throw new ServiceError('signed_out')
}
