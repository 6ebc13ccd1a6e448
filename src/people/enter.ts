import { sql } from 'kysely'
import type { SecondFactorWay } from '../contract/people/sign-in.ts'
import type { Tx } from '../database/connection.ts'
import { networkOf } from '../platform/client-address.ts'
import { recordAct } from '../audit/record-acts.ts'
import { enqueueNotice } from '../workspace/enqueue-notice.ts'
import type { Origin } from './own-act.ts'
import { openSession, type Replacing } from './sessions.ts'

export type OpenedSession = { personId: string; secret: string; expiresAt: Date }

/** How a person has proven their identity. */
export type Proof =
  | { how: 'password' | 'passkey'; secondFactor: SecondFactorWay | null }
  | { how: 'company'; workspaceId: string; confirmedAt: Date | null }

type Entering = Origin & Replacing & { person: { id: string; name: string }; proof: Proof; now: Date }

/** Opens a session for somebody who has proven their identity, and tells them of a sign-in from a new place. */
export async function enter(tx: Tx, entering: Entering): Promise<OpenedSession> {
  const { person, proof, address, requestId, replacedSecret, now } = entering
  if (await isNewAddress(tx, person.id, address)) {
    const fact = { type: 'sign_in.new_address', data: { address, at: now.toISOString() } } as const
    await enqueueNotice(tx, { to: { personId: person.id }, fact, now })
  }
  const opening =
    proof.how === 'company' ? { company: proof } : { hasSecondFactor: proof.secondFactor !== null }
  const session = await openSession(tx, { personId: person.id, address, ...opening, replacedSecret, now })
  await recordAct(tx, {
    workspaceId: null,
    actor: { kind: 'person', ...person, address, requestId },
    at: now,
    action: 'person.signed_in',
    object: { kind: 'person', ...person },
    after: proof,
  })
  return { personId: person.id, ...session }
}

/** Whether the person has never signed in from there, nor has a session from there. Index audit_event_signed_in. */
async function isNewAddress(tx: Tx, personId: string, address: string): Promise<boolean> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from audit_event
    where object_id = ${personId} and action = 'person.signed_in' and address is not null
    union select address from session where person_id = ${personId}::uuid and address is not null`.execute(tx)
  return !rows.some((known) => networkOf(known.address) === networkOf(address))
}
