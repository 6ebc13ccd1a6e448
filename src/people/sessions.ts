import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database/connection.ts'
import { hasPassed } from '../platform/clock.ts'
import { newId, randomText } from '../platform/random.ts'
import { hashSecret } from '../platform/secret-hash.ts'
import { dayMs } from '../contract/durations.ts'

/** A session ends 30 days after sign-in, or after 7 days without use. */
export const sessionLifetimeMs = 30 * dayMs
const idleMs = 7 * dayMs
/** The last use is noted at most this often. */
const noteEveryMs = 60 * 1000

export type SignedInPerson = {
  sessionId: string
  personId: string
  name: string
  email: string
  /** When they last proved who they are; null: before there was a note of it. */
  confirmedAt: Date | null
  /** More than a password opened the session. */
  hasSecondFactor: boolean
  /** The workspace whose issuer opened the session: it is good for no other. Null: the person's own password or passkey did. */
  companyWorkspaceId: string | null
}

/**
 * The secret of the session cookie sent along: that session ends, against session fixation. A sign-in by a company's issuer ends
 * only a session of that issuer: otherwise whoever runs it could sign people out of everything else.
 */
export type Replacing = { replacedSecret: string | undefined }

type Opening = Partial<Replacing> & {
  personId: string
  address: string
  hasSecondFactor?: boolean
  company?: { workspaceId: string; confirmedAt: Date | null }
  now: Date
}

/** Opens a session. The secret goes into a cookie; only its hash is stored. */
export async function openSession(
  db: Db,
  { personId, address, hasSecondFactor = false, company, replacedSecret, now }: Opening,
): Promise<{ secret: string; expiresAt: Date }> {
  if (replacedSecret !== undefined)
    await endSession(db, replacedSecret, { companyWorkspaceId: company?.workspaceId ?? null })
  const secret = randomText(32)
  const expiresAt = new Date(now.getTime() + sessionLifetimeMs)
  await db
    .insertInto('session')
    .values({
      id: newId(now),
      secret_hash: hashSecret(secret),
      person_id: personId,
      created_at: now,
      last_seen_at: now,
      expires_at: expiresAt,
      address,
      confirmed_at: company === undefined ? now : company.confirmedAt,
      has_second_factor: hasSecondFactor,
      company_workspace_id: company?.workspaceId ?? null,
    })
    .execute()
  return { secret, expiresAt }
}

/** Who a session cookie belongs to; undefined when the session is unknown, ended or idle for too long. */
export async function selectSignedInPerson(
  db: Db,
  secret: string,
  now: Date,
): Promise<SignedInPerson | undefined> {
  const session = await db
    .selectFrom('session as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select(['s.id', 's.last_seen_at', 's.confirmed_at', 's.has_second_factor', 's.company_workspace_id'])
    .select(['p.id as person_id', 'p.name', 'p.email'])
    .where('s.secret_hash', '=', hashSecret(secret))
    .where('s.expires_at', '>', now)
    .where('s.last_seen_at', '>', idleBefore(now))
    .executeTakeFirst()
  if (session === undefined) return undefined
  if (hasPassed(session.last_seen_at, noteEveryMs, now)) {
    // a session from before the clock was set back lives no longer than one opened now
    const latestEnd = new Date(now.getTime() + sessionLifetimeMs)
    await sql`update session set last_seen_at = ${now}, expires_at = least(expires_at, ${latestEnd})
      where id = ${session.id}`.execute(db)
  }
  const { id, person_id, name, email, confirmed_at, has_second_factor, company_workspace_id } = session
  return {
    sessionId: id,
    personId: person_id,
    name,
    email,
    confirmedAt: confirmed_at,
    hasSecondFactor: has_second_factor,
    companyWorkspaceId: company_workspace_id,
  }
}

/** A session that was last used before has ended. */
export function idleBefore(now: Date): Date {
  return new Date(now.getTime() - idleMs)
}

/** The workspace whose issuer opened a session; null: the person did. */
type OpenedBy = Pick<SignedInPerson, 'companyWorkspaceId'>

/** The sessions that a session may list and end: one opened by a company's issuer, only those of that issuer. */
export function withinReach({ companyWorkspaceId }: OpenedBy): RawBuilder<boolean> {
  return companyWorkspaceId === null
    ? sql<boolean>`true`
    : sql<boolean>`company_workspace_id = ${companyWorkspaceId}`
}

/** Ends the session of a cookie, if there is one and it is within reach. */
async function endSession(db: Db, secret: string, by: OpenedBy): Promise<void> {
  await db
    .deleteFrom('session')
    .where('secret_hash', '=', hashSecret(secret))
    .where(withinReach(by))
    .execute()
}

/** Ends one of a person's sessions. Returns whether it was there, and within reach of the one that asks. */
export async function endSessionOf(db: Db, person: SignedInPerson, sessionId: string): Promise<boolean> {
  const ended = await db
    .deleteFrom('session')
    .where('id', '=', sessionId)
    .where('person_id', '=', person.personId)
    .where(withinReach(person))
    .executeTakeFirst()
  return ended.numDeletedRows > 0n
}

/** Ends those of a person's sessions that are within reach of the one that asks. Returns how many there were. */
export async function endSessionsWithinReach(db: Db, person: SignedInPerson): Promise<number> {
  if (person.companyWorkspaceId === null) return endSessionsOf(db, person.personId)
  const ended = await db
    .deleteFrom('session')
    .where('person_id', '=', person.personId)
    .where(withinReach(person))
    .executeTakeFirst()
  return Number(ended.numDeletedRows)
}

/** Ends a person's sessions, all or all but one, and sign-ins that wait for a second factor. Returns how many sessions there were. */
export async function endSessionsOf(
  db: Db,
  personId: string,
  { except }: { except?: string } = {},
): Promise<number> {
  await db.deleteFrom('sign_in_step').where('person_id', '=', personId).execute()
  let ending = db.deleteFrom('session').where('person_id', '=', personId)
  if (except !== undefined) ending = ending.where('id', '<>', except)
  return Number((await ending.executeTakeFirst()).numDeletedRows)
}
