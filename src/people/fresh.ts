import { ServiceError } from '../contract/errors.ts'
import { besideAct } from '../database/beginning-with.ts'
import { transact } from '../platform/concurrency/transact.ts'
import type { OwnAct } from './own-act.ts'
import { isPasswordRight } from './password.ts'
import type { SignedInPerson } from './sessions.ts'
import { giveAttemptBack, noteFailure, takeAttempt, type Attempt } from './sign-in-window.ts'
import { uncountedWhileAway } from './unjudged-attempt.ts'
import type { SignInDeps } from './sign-in.ts'

/** How long a proof of identity counts for acts that nobody may do at somebody else's open screen. */
const freshMs = 10 * 60 * 1000

/**
 * The one rule for dangerous acts: the person must have proven their identity within the last ten minutes, by signing in or by confirming it.
 * Codes: `confirmation_required`.
 */
export function requireFresh({ confirmedAt }: Pick<SignedInPerson, 'confirmedAt'>, now: Date): void {
  const age = confirmedAt === null ? Infinity : now.getTime() - confirmedAt.getTime()
  // one from the future was recorded before the clock was set back
  if (age > freshMs || age < -freshMs) throw new ServiceError('confirmation_required')
}

/**
 * A session that a company's issuer opened reaches only that company's workspace: otherwise whoever runs the issuer could enter a
 * member's other workspaces, or create one in their name. `purpose`: what the person wants to do. Codes: `forbidden`.
 */
export function refuseCompanySession(
  { companyWorkspaceId }: Pick<SignedInPerson, 'companyWorkspaceId'>,
  purpose: string,
): void {
  if (companyWorkspaceId === null) return
  throw new ServiceError('forbidden', {
    message: `You signed in with your company. Sign in with your own password or passkey to ${purpose}.`,
  })
}

/**
 * Both checks for acts on the account itself, which reaches beyond one company: otherwise whoever runs a company's issuer could add a
 * way into every workspace of a member. Codes: `forbidden`, `confirmation_required`.
 */
export function requireOwnProof(
  person: Pick<SignedInPerson, 'confirmedAt' | 'companyWorkspaceId'>,
  now: Date,
): void {
  refuseCompanySession(person, 'change this')
  requireFresh(person, now)
}

/** Records that the person of a session has just proven their identity. */
export async function confirmSession(
  { db }: Pick<SignInDeps, 'db'>,
  { person, now }: Pick<OwnAct, 'person' | 'now'>,
): Promise<void> {
  await db.updateTable('session').set({ confirmed_at: now }).where('id', '=', person.sessionId).execute()
}

/**
 * Makes a person prove their identity again, before an act that nobody may do at somebody else's open screen. A wrong password counts as
 * a failed sign-in. Codes: `invalid_request` (`password`), `rate_limited`.
 */
export async function confirmPassword(deps: SignInDeps, typed: OwnAct & { password: string }): Promise<void> {
  // of an act for which it is asked, nothing is done yet
  const db = besideAct(deps.db)
  const { attempt } = await judgeOwnPassword({ ...deps, db }, { ...typed, field: 'password' })
  await uncountedWhileAway(db, attempt, () => transact(db, (tx) => giveAttemptBack(tx, attempt)))
}

type OwnPassword = OwnAct & { field: string; password: string }

/**
 * Returns the attempt, to be released by the act, and the hash that the password matched: another may be in force by then. A wrong
 * password counts as a failed sign-in. Codes: `invalid_request` (the field), `rate_limited`.
 */
export async function judgeOwnPassword(
  { db, passwords }: SignInDeps,
  { field, password, person, address, requestId, now }: OwnPassword,
): Promise<{ attempt: Attempt; judgedHash: string | null }> {
  passwords.refuseWhenFull(address)
  const { personId: id, name, email } = person
  const attempt = { email, address, requestId, now }
  await takeAttempt(db, attempt)
  const { password_hash: judgedHash } = await uncountedWhileAway(db, attempt, () =>
    db.selectFrom('person').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  if (await passwords.take(address, () => isPasswordRight(password, judgedHash)))
    return { attempt, judgedHash }
  await noteFailure(db, attempt, { id, name })
  throw wrongPassword(field)
}

export function wrongPassword(field: string): ServiceError {
  return new ServiceError('invalid_request', { fields: { [field]: 'This is not your password.' } })
}
