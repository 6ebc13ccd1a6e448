import { sql } from 'kysely'
import type { Setup } from '../contract/people/operations/session.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { randomText } from '../platform/random.ts'
import { hashSecret } from '../platform/secret-hash.ts'
import { createWorkspace } from '../workspace/workspaces.ts'
import { hashPassword } from './password.ts'
import { addMember, refuseInvalidPerson, selectOrInsertPerson } from './people.ts'
import { openSession } from './sessions.ts'
import type { SignInDeps } from './sign-in.ts'

/** A new one-time set-up link's secret, or undefined when the installation has a member already. Earlier links end. */
export async function issueSetupLink(db: Db, now: Date): Promise<string | undefined> {
  return transact(db, async (tx) => {
    if (await hasMember(tx)) return undefined
    const secret = randomText(32)
    await tx.deleteFrom('setup_link').execute()
    await tx
      .insertInto('setup_link')
      .values({ secret_hash: hashSecret(secret), created_at: now, used_at: null })
      .execute()
    return secret
  })
}

/** True while the link can still make the first owner. */
export async function isSetupOpen(db: Db, secret: string): Promise<boolean> {
  const link = await db
    .selectFrom('setup_link')
    .select('used_at')
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirst()
  return link !== undefined && link.used_at === null && !(await hasMember(db))
}

async function hasMember(db: Db): Promise<boolean> {
  return (await db.selectFrom('member').select('person_id').limit(1).executeTakeFirst()) !== undefined
}

type Completion = {
  secret: string
  setup: Omit<Setup, 'secret'>
  address: string
  now: Date
  /** Of the session cookie that came along; see signIn. */
  replacedSecret: string | undefined
}

/**
 * Makes the first workspace and its owner, and signs the owner in; the link ends. The link is checked before any expensive work.
 * Codes: `not_found` (link unknown or used), `invalid_request`.
 */
export async function completeSetup(
  { db, passwords }: SignInDeps,
  { secret, setup, address, now, replacedSecret }: Completion,
): Promise<{ personId: string; secret: string; expiresAt: Date }> {
  if (!(await isSetupOpen(db, secret))) throw new ServiceError('not_found')
  refuseInvalidPerson(setup)
  const passwordHash = await passwords.take(address, () => hashPassword(setup.password))
  return transact(db, async (tx) => {
    const used = await sql`
      update setup_link set used_at = ${now} where secret_hash = ${hashSecret(secret)} and used_at is null`.execute(
      tx,
    )
    if (used.numAffectedRows !== 1n || (await hasMember(tx))) throw new ServiceError('not_found')
    const person = await selectOrInsertPerson(tx, { email: setup.email, name: setup.name, passwordHash, now })
    const actor = { kind: 'person', id: person.id, name: setup.name } as const
    const workspace = await createWorkspace(tx, { ...setup, plan: 'trial', actor, now })
    await addMember(tx, {
      workspaceId: workspace.id,
      personId: person.id,
      name: setup.name,
      role: 'owner',
      actor,
      now,
    })
    const session = await openSession(tx, { personId: person.id, address, replacedSecret, now })
    return { personId: person.id, ...session }
  })
}
