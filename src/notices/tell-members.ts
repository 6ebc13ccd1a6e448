import { sql } from 'kysely'
import {
  choiceOf,
  noticeRules,
  type Audience,
  type NoticeChoices,
  type ChosenKind,
  type NoticeFact,
  type NoticeKind,
  type NoticeJob,
} from '../contract/notices/shapes.ts'
import type { Role } from '../contract/roles.ts'
import type { Db, Tx } from '../database/connection.ts'
import { newId } from '../platform/random.ts'
import { membersOf } from '../workspace/members-of.ts'
import { effectiveState, stateColumns } from '../workspace/state.ts'
import { insertMails } from './mail/insert-mails.ts'

type Telling = Audience & { workspaceId: string; eventId: string; fact: NoticeFact }

/** Tells members what concerns them (job `send_mail`). A second run tells nobody twice. */
export async function sendNotice(db: Db, { to, ...notice }: NoticeJob, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if ('workspaceId' in to) await tellMembers(tx, { ...notice, ...to }, now)
    else await tellPerson(tx, { ...notice, ...to }, now)
  })
}

/**
 * Makes an entry in the bell of every member whom the fact concerns, and a message to those who want it at once. The digest, when it is
 * due, takes its entries from the bell.
 */
export async function tellMembers(tx: Tx, telling: Telling, now: Date): Promise<void> {
  const { workspaceId, eventId, fact } = telling
  const workspace = await tx
    .selectFrom('workspace')
    .select(stateColumns)
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (!noticeRules[fact.type].states.includes(effectiveState(workspace, now))) return
  const told = (await selectActiveMembers(tx, workspaceId)).flatMap((member) => {
    const isNamed = telling.named?.includes(member.personId) === true
    if (telling.except?.includes(member.personId) === true) return []
    return isNamed || isToldByRole(fact.type, member.role) ? [{ ...member, isNamed }] : []
  })
  await insertBellEntries(tx, { workspaceId, eventId, fact, people: told }, now)
  const atOnce = told.filter(({ choices }) => choiceOf(fact.type, choices) === 'at_once')
  await insertMails(tx, { workspaceId, eventId, fact, people: atOnce }, now)
}

/** Tells a person about their own account, whatever workspaces they belong to. */
async function tellPerson(
  tx: Tx,
  { personId, eventId, fact }: { personId: string; eventId: string; fact: NoticeFact },
  now: Date,
): Promise<void> {
  const { email, name } = await tx
    .selectFrom('person')
    .select(['email', 'name'])
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  const told = { workspaceId: null, eventId, fact, people: [{ personId, email, name, isNamed: true }] }
  await insertBellEntries(tx, told, now)
  await insertMails(tx, told, now)
}

function isToldByRole(kind: NoticeFact['type'], role: Role): boolean {
  return noticeRules[kind].onlyNamed !== true && isForRole(kind, role)
}

/** Whether a role may see what notices of a kind are about. */
export function isForRole(kind: NoticeKind | ChosenKind, role: Role): boolean {
  return noticeRules[kind].roles.includes(role)
}

export type ActiveMember = {
  personId: string
  role: Role
  email: string
  name: string
  choices: NoticeChoices
}

export async function selectActiveMembers(db: Db, workspaceId: string): Promise<ActiveMember[]> {
  const members = await membersOf(db, workspaceId)
    .leftJoin('member_notices as n', (join) =>
      join.onRef('n.workspace_id', '=', 'm.workspace_id').onRef('n.person_id', '=', 'm.person_id'),
    )
    .select(['m.person_id', 'm.role', 'p.email', 'p.name', 'n.choices'])
    .orderBy('m.person_id')
    .execute()
  return members.map(({ person_id: personId, role, email, name, choices }) => ({
    personId,
    role,
    email,
    name,
    choices: choices ?? {},
  }))
}

type BellOf = {
  workspaceId: string | null
  eventId: string
  fact: NoticeFact
  people: readonly { personId: string; isNamed: boolean }[]
  /** No digest should include it. */
  digestedAt?: Date
}

/** One for each event and person, however often it is told. */
export async function insertBellEntries(
  tx: Tx,
  { workspaceId, eventId, fact, people, digestedAt }: BellOf,
  now: Date,
): Promise<void> {
  if (people.length === 0) return
  const ids = people.map(() => newId(now))
  await sql`
    insert into bell_entry (id, workspace_id, person_id, event_id, kind, fact, is_named, created_at, digested_at)
    select t.id, ${workspaceId}::uuid, t.person_id, ${eventId}::uuid, ${fact.type}, ${JSON.stringify(fact)}::jsonb, t.is_named,
      ${now}::timestamptz, ${digestedAt ?? null}::timestamptz
    from unnest(${ids}::uuid[], ${people.map(({ personId }) => personId)}::uuid[],
      ${people.map(({ isNamed }) => isNamed)}::boolean[]) t(id, person_id, is_named)
    on conflict (event_id, person_id) do nothing`.execute(tx)
}
