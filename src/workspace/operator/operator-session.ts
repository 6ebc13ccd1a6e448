import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { clockSkewMs } from '../../platform/clock.ts'
import { newId, randomText } from '../../platform/random.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { hashSecret } from '../../platform/secret-hash.ts'
import { hourMs, minuteMs } from '../../contract/durations.ts'

/** An operator is whoever runs the service: nobody of a workspace, and no person the service knows. */
const linkMs = 15 * minuteMs
const sessionMs = 8 * hourMs

export type OperatorSession = { id: string; expiresAt: Date }
type Opened = { secret: string; expiresAt: Date }

/** Who acts in a session of the pages for operators: without the address, because workspaces read it in their audit trail. */
export function pageOperator(requestId: string): Actor {
  return { kind: 'system', id: null, name: 'operator', requestId }
}

/** The secret of a new one-time link; its hash is stored. Earlier links stay until they end; what has ended goes. */
export async function issueOperatorLink(db: Db, now: Date): Promise<Opened> {
  const secret = randomText(32)
  const expiresAt = new Date(now.getTime() + linkMs)
  await transact(db, async (tx) => {
    await tx.deleteFrom('operator_link').where('expires_at', '<=', now).execute()
    await tx.deleteFrom('operator_session').where('expires_at', '<=', now).execute()
    await tx
      .insertInto('operator_link')
      .values({ secret_hash: hashSecret(secret), created_at: now, expires_at: expiresAt })
      .execute()
  })
  return { secret, expiresAt }
}

/** What was made before the clock was set back lives no longer than what is made now. */
function latestEnd(now: Date, lifetimeMs: number): Date {
  return new Date(now.getTime() + lifetimeMs + clockSkewMs)
}

/** Whether a link can still open a session; looking uses nothing up. */
export async function isOperatorLinkOpen(db: Db, secret: string, now: Date): Promise<boolean> {
  const link = await db
    .selectFrom('operator_link')
    .select('expires_at')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', now)
    .where('expires_at', '<=', latestEnd(now, linkMs))
    .executeTakeFirst()
  return link !== undefined
}

type Opening = { link: string; address: string; requestId: string; now: Date }

/** Opens a session with a link, which ends; undefined when the link is unknown, used or over. */
export async function openOperatorSession(
  db: Db,
  { link, address, requestId, now }: Opening,
): Promise<Opened | undefined> {
  return transact(db, async (tx) => {
    if (!(await isOperatorLinkOpen(tx, link, now))) return undefined
    const used = await tx
      .deleteFrom('operator_link')
      .where('secret_hash', '=', hashSecret(link))
      .executeTakeFirst()
    if (used.numDeletedRows !== 1n) return undefined
    const secret = randomText(32)
    const expiresAt = new Date(now.getTime() + sessionMs)
    const id = newId(now)
    await tx
      .insertInto('operator_session')
      .values({ id, secret_hash: hashSecret(secret), created_at: now, expires_at: expiresAt, address })
      .execute()
    await recordAct(tx, {
      workspaceId: null,
      actor: { ...pageOperator(requestId), address },
      at: now,
      action: 'operator.signed_in',
      object: { kind: 'operator_session', id },
    })
    return { secret, expiresAt }
  })
}

/** The session of a cookie; undefined when it is unknown or over. */
export async function selectOperatorSession(
  db: Db,
  secret: string,
  now: Date,
): Promise<OperatorSession | undefined> {
  const row = await db
    .selectFrom('operator_session')
    .select(['id', 'expires_at'])
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', now)
    .where('expires_at', '<=', latestEnd(now, sessionMs))
    .executeTakeFirst()
  return row === undefined ? undefined : { id: row.id, expiresAt: row.expires_at }
}

/** How many sessions are open. */
export async function countOperatorSessions(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from operator_session where expires_at > ${now}`.execute(db)
  return rows[0]?.open ?? 0
}

type Ending = { sessionId: string; actor: Actor; now: Date }

export async function endOperatorSession(db: Db, { sessionId, actor, now }: Ending): Promise<void> {
  await transact(db, async (tx) => {
    const gone = await tx.deleteFrom('operator_session').where('id', '=', sessionId).executeTakeFirst()
    if (gone.numDeletedRows === 0n) return
    await recordAct(tx, {
      workspaceId: null,
      actor,
      at: now,
      action: 'operator.signed_out',
      object: { kind: 'operator_session', id: sessionId },
    })
  })
}

/** Ends every session, and every link that is not used yet; how many of each. */
export async function endAllOperatorSessions(
  db: Db,
  { actor, now }: Omit<Ending, 'sessionId'>,
): Promise<{ sessions: number; links: number }> {
  return transact(db, async (tx) => {
    const sessions = await tx.deleteFrom('operator_session').executeTakeFirst()
    const links = await tx.deleteFrom('operator_link').executeTakeFirst()
    const ended = { sessions: Number(sessions.numDeletedRows), links: Number(links.numDeletedRows) }
    await recordAct(tx, {
      workspaceId: null,
      actor,
      at: now,
      after: ended,
      action: 'operator.sessions_ended',
      object: { kind: 'installation', id: 'installation' },
    })
    return ended
  })
}
