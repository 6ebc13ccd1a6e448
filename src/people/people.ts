import { sql } from 'kysely'
import type { Session } from '../contract/people/sessions.ts'
import { ServiceError } from '../contract/errors.ts'
import { isAllowed, type Role } from '../contract/roles.ts'
import type { Db, Tx } from '../database/connection.ts'
import { newId } from '../platform/random.ts'
import { InputReader } from '../platform/input-reader.ts'
import { recordAct, type Actor } from '../audit/record-acts.ts'
import { effectiveState, stateColumnsOfW } from '../workspace/state.ts'
import { lockMailbox } from './mailbox.ts'
import { enqueueRelease } from './members/enqueue-release.ts'

type NewPerson = { email: string; name: string; passwordHash: string | null; now: Date }

/** The person with this e-mail address, made when there is none. An existing person keeps name and password. */
export async function selectOrInsertPerson(
  db: Db,
  person: NewPerson,
): Promise<{ id: string; isNew: boolean }> {
  const email = person.email.trim()
  const known = await db
    .selectFrom('person')
    .select('id')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst()
  if (known !== undefined) return { id: known.id, isNew: false }
  const id = newId(person.now)
  await db
    .insertInto('person')
    .values({
      id,
      email,
      name: person.name.trim(),
      password_hash: person.passwordHash,
      created_at: person.now,
    })
    .execute()
  return { id, isNew: true }
}

/**
 * Makes the account of a confirmed e-mail address. Codes: `conflict` when it has one already.
 */
export async function insertPerson(tx: Tx, person: NewPerson): Promise<string> {
  await lockMailbox(tx, person.email)
  const { id, isNew } = await selectOrInsertPerson(tx, person)
  if (isNew) return id
  throw new ServiceError('conflict', {
    message: 'There is already an account with this e-mail address. Sign in to continue.',
  })
}

/** Codes: `invalid_request` with every field that is wrong. */
export function refuseInvalidPerson({ name, email }: { name?: string; email?: string }): void {
  const input = new InputReader()
  if (name !== undefined) input.line('name', name, 200)
  if (email !== undefined) input.email('email', email)
  input.finish()
}

type NewMember = { workspaceId: string; personId: string; name: string; role: Role; actor: Actor; now: Date }

/** Makes a person a member; a removed member comes back. Returns whether anything changed. */
export async function addMember(tx: Tx, member: NewMember): Promise<boolean> {
  const result = await tx
    .insertInto('member')
    .values({
      workspace_id: member.workspaceId,
      person_id: member.personId,
      role: member.role,
      created_at: member.now,
      removed_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'person_id'])
        .doUpdateSet({ role: member.role, removed_at: null })
        .where((where) =>
          where.or([where('member.removed_at', 'is not', null), where('member.role', '<>', member.role)]),
        ),
    )
    .executeTakeFirst()
  if (result.numInsertedOrUpdatedRows !== 1n) return false
  await recordAct(tx, {
    workspaceId: member.workspaceId,
    actor: member.actor,
    at: member.now,
    action: 'member.added',
    object: { kind: 'person', id: member.personId, name: member.name },
    after: { role: member.role },
  })
  if (!isAllowed(member.role, 'work_on_incidents')) await enqueueRelease(tx, member)
  return true
}

/** Who is signed in and where they may go: `only` to one workspace, whose issuer opened the session. */
export async function selectSession(
  db: Db,
  personId: string,
  { now, only = null }: { now: Date; only?: string | null },
): Promise<Session> {
  const person = await db
    .selectFrom('person')
    .select(['id', 'name', 'email', 'time_zone as timeZone'])
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  const workspaces = await selectMemberships(db, personId, { now, only })
  return { person, workspaces, openedBy: only === null ? null : (workspaces[0]?.slug ?? null) }
}

/** The workspaces a person belongs to, by company name. */
async function selectMemberships(
  db: Db,
  personId: string,
  { now, only }: { now: Date; only: string | null },
): Promise<Session['workspaces']> {
  const rows = await db
    .selectFrom('member as m')
    .innerJoin('workspace as w', 'w.id', 'm.workspace_id')
    .select(['w.slug', 'w.company_name', ...stateColumnsOfW, 'm.role'])
    .where('m.person_id', '=', personId)
    .where('m.removed_at', 'is', null)
    .$if(only !== null, (query) => query.where('w.id', '=', only))
    .orderBy('w.company_name')
    .execute()
  return rows.map((row) => ({
    slug: row.slug,
    companyName: row.company_name,
    role: row.role,
    state: effectiveState(row, now),
  }))
}

/** One membership by the workspace's slug; strangers and unknown slugs look the same. Codes: `not_found`. */
export async function selectMembership(
  db: Db,
  personId: string,
  slug: string,
): Promise<{ workspaceId: string; role: Role }> {
  const membership = await db
    .selectFrom('member as m')
    .innerJoin('workspace as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'm.role'])
    .where('m.person_id', '=', personId)
    .where('w.slug', '=', slug)
    .where('m.removed_at', 'is', null)
    .executeTakeFirst()
  if (membership === undefined) throw new ServiceError('not_found')
  return { workspaceId: membership.id, role: membership.role }
}
