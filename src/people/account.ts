import { sql } from 'kysely'
import type { SessionRow } from '../contract/people/sessions.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db, Tx } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { enqueueNotice } from '../workspace/enqueue-notice.ts'
import { judgeOwnPassword, wrongPassword } from './fresh.ts'
import { lockOwnAccount, recordOwnAct, type OwnAct } from './own-act.ts'
import { endLinks } from './links/one-time-link.ts'
import { hashPassword, refuseWeakPassword } from './password.ts'
import {
  endSessionOf,
  endSessionsOf,
  endSessionsWithinReach,
  idleBefore,
  withinReach,
  type SignedInPerson,
} from './sessions.ts'
import { giveAttemptBack } from './sign-in-window.ts'
import { uncountedWhileAway } from './unjudged-attempt.ts'
import type { SignInDeps } from './sign-in.ts'

/** The sessions a person is signed in with and may end, the one used last first. */
export async function listSessions(db: Db, person: SignedInPerson, now: Date): Promise<SessionRow[]> {
  const sessions = await db
    .selectFrom('session')
    .select(['id', 'created_at', 'last_seen_at', 'address'])
    .where('person_id', '=', person.personId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleBefore(now))
    .where(withinReach(person))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  return sessions.map((session) => ({
    id: session.id,
    startedAt: session.created_at.toISOString(),
    lastUsedAt: session.last_seen_at.toISOString(),
    address: session.address,
    isThis: session.id === person.sessionId,
  }))
}

/** Ends the session that asks. Twice changes nothing. */
export async function signOut(db: Db, act: OwnAct): Promise<void> {
  const { sessionId } = act.person
  await transact(db, async (tx) => {
    if (!(await endSessionOf(tx, act.person, sessionId))) return
    await recordOwnAct(tx, act, { action: 'person.signed_out', after: { session: sessionId } })
  })
}

/** Ends one session of the person. Codes: `not_found`. */
export async function signOutElsewhere(
  db: Db,
  { sessionId, ...act }: OwnAct & { sessionId: string },
): Promise<void> {
  await transact(db, async (tx) => {
    if (!(await endSessionOf(tx, act.person, sessionId))) throw new ServiceError('not_found')
    await recordOwnAct(tx, act, { action: 'person.session_ended', after: { session: sessionId } })
  })
}

/** Ends every session of the person, this one included; from one that a company's issuer opened, those of that issuer. */
export async function signOutEverywhere(db: Db, act: OwnAct): Promise<void> {
  await transact(db, async (tx) => {
    const sessionsEnded = await endSessionsWithinReach(tx, act.person)
    await recordOwnAct(tx, act, { action: 'person.signed_out_everywhere', after: { sessionsEnded } })
  })
}

/**
 * Changes the person's password and ends all other sessions. Wrong current passwords count as failed sign-ins.
 * Codes: `invalid_request` (fields `currentPassword`, `newPassword`), `rate_limited`, `signed_out`.
 */
export async function changePassword(
  deps: SignInDeps,
  { currentPassword, newPassword, ...act }: OwnAct & { currentPassword: string; newPassword: string },
): Promise<void> {
  refuseWeakPassword(newPassword, 'newPassword')
  if (newPassword === currentPassword)
    throw new ServiceError('invalid_request', {
      fields: { newPassword: 'This is already your password.' },
    })
  const { personId } = act.person
  const typed = { field: 'currentPassword', password: currentPassword }
  const { attempt, judgedHash } = await judgeOwnPassword(deps, { ...typed, ...act })
  const passwordHash = await deps.passwords.take(act.address, () => hashPassword(newPassword))
  const change = async (tx: Tx) => {
    await lockOwnAccount(tx, act)
    await giveAttemptBack(tx, attempt)
    const changed = await sql`
      update person set password_hash = ${passwordHash} where id = ${personId} and password_hash = ${judgedHash}`.execute(
      tx,
    )
    if (changed.numAffectedRows !== 1n) throw wrongPassword('currentPassword')
    await endLinks(tx, { personId, purposes: ['password_reset', 'email_change'] }, act.now)
    const sessionsEnded = await endSessionsOf(tx, personId, { except: act.person.sessionId })
    await recordOwnAct(tx, act, { action: 'person.password_changed', after: { sessionsEnded } })
    const data = { address: act.address, at: act.now.toISOString() }
    const fact = { type: 'password.changed', data } as const
    await enqueueNotice(tx, { to: { personId }, fact, now: act.now })
  }
  await uncountedWhileAway(deps.db, attempt, () => transact(deps.db, change))
}
