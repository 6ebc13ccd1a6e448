import { ServiceError } from '../../contract/errors.ts'
import { isAllowed, type Role } from '../../contract/roles.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { recordAct } from '../../audit/record-acts.ts'
import { lockGates } from '../../workspace/lock-role.ts'
import { membersOf } from '../../workspace/members-of.ts'
import { enqueueNotice } from '../../workspace/enqueue-notice.ts'
import { enqueueRelease } from './enqueue-release.ts'
import { withdrawInvitationsOf } from './invite.ts'
import { requireRoleAllows, type MemberAct } from './owner-rules.ts'

type Target = { personId: string; name: string; role: Role }

/**
 * Whether an act is about an owner, and so needs a fresh proof of identity. `role`: the member's new role. Codes: `not_found`,
 * `forbidden`.
 */
export async function isAboutOwner(
  db: Db,
  act: Pick<MemberAct, 'workspaceId' | 'role'>,
  { personId, role }: { personId: string; role?: Role },
): Promise<boolean> {
  const member = await selectMember(db, act.workspaceId, personId)
  const concerned = [member.role, ...(role === undefined ? [] : [role])]
  for (const one of concerned) requireRoleAllows(act.role, one)
  return member.role !== role && concerned.includes('owner')
}

/** The member of a workspace. Codes: `not_found`. */
async function selectMember(db: Db, workspaceId: string, personId: string): Promise<Target> {
  const member = await membersOf(db, workspaceId)
    .select(['p.name', 'm.role'])
    .where('m.person_id', '=', personId)
    .executeTakeFirst()
  if (member === undefined) throw new ServiceError('not_found')
  return { personId, ...member }
}

/**
 * The member, with every owner of the workspace and the one who acts locked: of two owners who leave at once, the second finds that they are the last,
 * and of two who remove each other, that they are no member. `actingRole`: of the one who acts. Codes: `not_found`, `forbidden`.
 */
async function lockMember(
  tx: Tx,
  { workspaceId, actor }: MemberAct,
  personId: string,
): Promise<Target & { owners: number; actingRole: Role }> {
  await lockGates(tx, workspaceId, [personId, actor.id])
  const held = await tx
    .selectFrom('member')
    .select(['person_id', 'role'])
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .where((where) => where.or([where('role', '=', 'owner'), where('person_id', 'in', [personId, actor.id])]))
    .orderBy('person_id')
    .forNoKeyUpdate()
    .execute()
  const owners = held.filter(({ role }) => role === 'owner').length
  const member = await selectMember(tx, workspaceId, personId)
  const acting = held.find(({ person_id }) => person_id === actor.id)
  if (acting === undefined) throw new ServiceError('forbidden')
  return { ...member, owners, actingRole: acting.role }
}

/** Once the role is locked: it may have been taken away since the request was let in. Leaving needs none. Codes: `forbidden`. */
function requireManages({ actingRole, role }: { actingRole: Role; role: Role }): void {
  if (!isAllowed(actingRole, 'manage_members')) throw new ServiceError('forbidden')
  requireRoleAllows(actingRole, role)
}

function refuseLastOwner({ role, owners }: Pick<Target, 'role'> & { owners: number }): void {
  if (role !== 'owner' || owners > 1) return
  throw new ServiceError('conflict', {
    message: 'A workspace must have at least one owner. Make somebody else an owner first.',
  })
}

/**
 * Gives a member another role. Codes: `not_found`, `forbidden` (owners are made and unmade by owners), `conflict` (the last owner).
 */
export async function changeRole(
  db: Db,
  act: MemberAct,
  { personId, role }: { personId: string; role: Role },
): Promise<void> {
  const { workspaceId, actor, now } = act
  await transact(db, async (tx) => {
    const member = await lockMember(tx, act, personId)
    requireManages(member)
    requireRoleAllows(member.actingRole, role)
    if (member.role === role) return
    refuseLastOwner(member)
    await tx
      .updateTable('member')
      .set({ role })
      .where('workspace_id', '=', workspaceId)
      .where('person_id', '=', personId)
      .execute()
    await withdrawInvitationsOf(tx, act, { personId, role })
    if (!isAllowed(role, 'work_on_incidents')) await enqueueRelease(tx, act)
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'member.role_changed',
      object: { kind: 'person', id: personId, name: member.name },
      before: { role: member.role },
      after: { role },
    })
    const data = { member: member.name, from: member.role, to: role, by: actor.name, at: now.toISOString() }
    const fact = { type: 'member.role_changed', data } as const
    await enqueueNotice(tx, { to: { workspaceId }, fact, named: [personId], now })
  })
}

/**
 * Ends a membership at once: the next request of the person finds no workspace. Their tokens keep working, and those who manage tokens are
 * told. Codes: `not_found`, `forbidden` (an owner is removed by owners), `conflict` (the last owner).
 */
export async function removeMember(db: Db, act: MemberAct, personId: string): Promise<void> {
  await transact(db, async (tx) => {
    const member = await lockMember(tx, act, personId)
    if (personId !== act.actor.id) requireManages(member)
    refuseLastOwner(member)
    await endMembership(tx, act, member)
  })
}

async function endMembership(tx: Tx, act: MemberAct, { personId, name, role }: Target): Promise<void> {
  const { workspaceId, actor, now } = act
  await tx
    .updateTable('member')
    .set({ removed_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .execute()
  await withdrawInvitationsOf(tx, act, { personId, role: null })
  await enqueueRelease(tx, act)
  const tokens = await countTokens(tx, { workspaceId, personId, now })
  const hasLeft = personId === actor.id
  await recordAct(tx, {
    workspaceId,
    actor,
    at: now,
    action: hasLeft ? 'member.left' : 'member.removed',
    object: { kind: 'person', id: personId, name },
    before: { role },
    after: { activeTokens: tokens },
  })
  const data = { member: name, role, by: hasLeft ? null : actor.name, tokens, at: now.toISOString() }
  await enqueueNotice(tx, { to: { workspaceId }, fact: { type: 'member.removed', data }, now })
}

/** Tokens that the person made and that keep working. */
async function countTokens(
  tx: Tx,
  { workspaceId, personId, now }: { workspaceId: string; personId: string; now: Date },
): Promise<number> {
  const { count } = await tx
    .selectFrom('token')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('created_by', '=', personId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return count
}
