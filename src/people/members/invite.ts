import { sql } from 'kysely'
import type { AuditAction } from '../../contract/audit/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { InvitationRow } from '../../contract/people/members.ts'
import { isAllowed, type Role } from '../../contract/roles.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { newId } from '../../platform/random.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { dayMs } from '../../contract/durations.ts'
import { recordAct } from '../../audit/record-acts.ts'
import { lockRole } from '../../workspace/lock-role.ts'
import { membersOf } from '../../workspace/members-of.ts'
import { enqueueLetter } from '../links/enqueue-letter.ts'
import { takeMailRequest, toMailbox } from '../links/mail-requests.ts'
import { endLinks, issueLink } from '../links/one-time-link.ts'
import { refuseInvalidPerson } from '../people.ts'
import { requireRoleAllows, type MemberAct } from './owner-rules.ts'

const lifetimeMs = 7 * dayMs
/** Invitations that wait in one workspace, and messages of one workspace in a day. */
const maxWaiting = 100
const maxSentADay = 200

type InvitationDeps = { db: Db; sealing: Sealing }

/**
 * Invites an address to be a member. One that waits for an answer is sent again, with the new role. Codes: `forbidden` (an owner is made by
 * owners), `invalid_request` (field `email`), `conflict` (too many wait), `rate_limited`, `not_configured`.
 */
export async function invite(
  { db, sealing }: InvitationDeps,
  act: MemberAct & { companyName: string },
  invited: { email: string; role: Role },
): Promise<string> {
  const { workspaceId, actor, now } = act
  const { role } = invited
  refuseInvalidPerson(invited)
  const email = invited.email.trim()
  requireRoleAllows(act.role, role)
  await refuseMember(db, workspaceId, email)
  await countInvitation(db, act, email)
  return transact(db, async (tx) => {
    // an invitation written while its author is being removed would escape `withdrawInvitationsOf`
    const acting = await lockRole(tx, act, 'manage_members')
    requireRoleAllows(acting, role)
    const waiting = await lockWaiting(tx, workspaceId, email)
    if (waiting !== undefined) {
      requireRoleAllows(acting, waiting.role)
      await sendAgain(tx, sealing, { act, invitation: waiting, role })
      return waiting.id
    }
    const id = newId(now)
    const link = await issueLink(tx, sealing, newLink(email, now))
    await tx
      .insertInto('invitation')
      .values({
        id,
        workspace_id: workspaceId,
        email,
        role,
        invited_by: actor.id,
        invited_by_name: actor.name,
        created_at: now,
        sent_at: now,
        expires_at: link.expiresAt,
        link_id: link.id,
        accepted_at: null,
        accepted_by: null,
        withdrawn_at: null,
      })
      .execute()
    await tell(tx, { act, email, role, link })
    await recordInvitation(tx, act, { action: 'invitation.sent', id, email, role })
    return id
  })
}

/** Sends an invitation once more, with a new link. Codes: `not_found`, `forbidden`, `rate_limited`, `not_configured`. */
export async function resendInvitation(
  { db, sealing }: InvitationDeps,
  act: MemberAct & { companyName: string },
  invitationId: string,
): Promise<void> {
  const known = await selectWaiting(db, act.workspaceId, invitationId)
  requireRoleAllows(act.role, known.role)
  await countInvitation(db, act, known.email)
  await transact(db, async (tx) => {
    const acting = await lockRole(tx, act, 'manage_members')
    const invitation = await lockInvitation(tx, act.workspaceId, invitationId)
    requireRoleAllows(acting, invitation.role)
    await sendAgain(tx, sealing, { act, invitation, role: invitation.role })
  })
}

/** Takes an invitation back: its link ends. Codes: `not_found`, `forbidden`. */
export async function withdrawInvitation(db: Db, act: MemberAct, invitationId: string): Promise<void> {
  await transact(db, async (tx) => {
    const invitation = await lockInvitation(tx, act.workspaceId, invitationId)
    requireRoleAllows(act.role, invitation.role)
    await endInvitation(tx, act, invitation)
  })
}

/**
 * Withdraws invitations that their author could no longer send: all of them once they are no member (null).
 */
export async function withdrawInvitationsOf(
  tx: Tx,
  act: MemberAct,
  { personId, role }: { personId: string; role: Role | null },
): Promise<void> {
  const waiting = await waitingIn(tx, act.workspaceId)
    .select(columns)
    .where('invited_by', '=', personId)
    .forNoKeyUpdate()
    .execute()
  for (const invitation of waiting) {
    if (role === null || !mayInvite(role, invitation.role)) await endInvitation(tx, act, invitation)
  }
}

function mayInvite(role: Role, invited: Role): boolean {
  return isAllowed(role, invited === 'owner' ? 'grant_owner' : 'manage_members')
}

/** Invitations that wait for an answer, the newest first. */
export async function listInvitations(db: Db, workspaceId: string, now: Date): Promise<InvitationRow[]> {
  const rows = await waitingIn(db, workspaceId)
    .select(['id', 'email', 'role', 'invited_by_name', 'sent_at', 'expires_at'])
    .orderBy('sent_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ invited_by_name: invitedBy, sent_at: sentAt, expires_at: expiresAt, ...row }) => ({
    ...row,
    invitedBy,
    sentAt: sentAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isExpired: expiresAt <= now,
  }))
}

const columns = ['id', 'email', 'role', 'link_id'] as const
type Invitation = { id: string; email: string; role: Role; link_id: string | null }

function waitingIn(db: Db, workspaceId: string) {
  return db
    .selectFrom('invitation')
    .where('workspace_id', '=', workspaceId)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
}

async function selectWaiting(db: Db, workspaceId: string, id: string): Promise<Invitation> {
  const invitation = await waitingIn(db, workspaceId).select(columns).where('id', '=', id).executeTakeFirst()
  if (invitation === undefined) throw new ServiceError('not_found')
  return invitation
}

async function lockInvitation(tx: Tx, workspaceId: string, id: string): Promise<Invitation> {
  const invitation = await waitingIn(tx, workspaceId)
    .select(columns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (invitation === undefined) throw new ServiceError('not_found')
  return invitation
}

/** The one of an address. Two invitations of one address at once wait for each other on the workspace's row. */
async function lockWaiting(tx: Tx, workspaceId: string, email: string): Promise<Invitation | undefined> {
  await tx.selectFrom('workspace').select('id').where('id', '=', workspaceId).forNoKeyUpdate().execute()
  const waiting = await waitingIn(tx, workspaceId)
    .select(columns)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (waiting !== undefined) return waiting
  const { count } = await waitingIn(tx, workspaceId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count < maxWaiting) return undefined
  throw new ServiceError('conflict', {
    message: `${maxWaiting} invitations wait for an answer. Withdraw some of them first.`,
  })
}

async function refuseMember(db: Db, workspaceId: string, email: string): Promise<void> {
  const member = await membersOf(db, workspaceId)
    .select('p.id')
    .where(sql<boolean>`lower(p.email) = lower(${email})`)
    .executeTakeFirst()
  if (member === undefined) return
  throw new ServiceError('invalid_request', { fields: { email: 'This person is already a member.' } })
}

async function countInvitation(
  db: Db,
  { workspaceId, now }: Pick<MemberAct, 'workspaceId' | 'now'>,
  email: string,
): Promise<void> {
  const bounds = [
    { subject: ['invitation', 'workspace', workspaceId], limit: maxSentADay, withinMs: dayMs },
    { subject: toMailbox(`invitation ${workspaceId}`, email), limit: 5, withinMs: dayMs },
    { subject: toMailbox('invitation', email), limit: 20, withinMs: dayMs },
  ]
  await takeMailRequest(db, bounds, now)
}

function newLink(recipient: string, now: Date) {
  return { purpose: 'invitation', recipient, personId: null, lifetimeMs, now } as const
}

type Again = { act: MemberAct & { companyName: string }; invitation: Invitation; role: Role }

async function sendAgain(tx: Tx, sealing: Sealing, { act, invitation, role }: Again): Promise<void> {
  const { actor, now } = act
  const { id, email } = invitation
  if (invitation.link_id !== null) await endLinks(tx, { id: invitation.link_id }, now)
  const link = await issueLink(tx, sealing, newLink(email, now))
  await tx
    .updateTable('invitation')
    .set({
      role,
      invited_by: actor.id,
      invited_by_name: actor.name,
      sent_at: now,
      expires_at: link.expiresAt,
      link_id: link.id,
    })
    .where('id', '=', id)
    .execute()
  await tell(tx, { act, email, role, link })
  await recordInvitation(tx, act, { action: 'invitation.sent_again', id, email, role })
}

type Telling = {
  act: MemberAct & { companyName: string }
  email: string
  role: Role
  link: { id: string; expiresAt: Date }
}

async function tell(tx: Tx, { act, email, role, link }: Telling): Promise<void> {
  const { companyName: company, actor, now } = act
  const data = { company, by: actor.name, role, expiresAt: link.expiresAt.toISOString() }
  const fact = { type: 'letter.invitation', data } as const
  await enqueueLetter(tx, { fact, to: { email, name: '' }, linkId: link.id, now })
}

async function endInvitation(
  tx: Tx,
  act: MemberAct,
  { id, email, role, link_id }: Invitation,
): Promise<void> {
  await tx.updateTable('invitation').set({ withdrawn_at: act.now }).where('id', '=', id).execute()
  if (link_id !== null) await endLinks(tx, { id: link_id }, act.now)
  await recordInvitation(tx, act, { action: 'invitation.withdrawn', id, email, role })
}

type Invited = {
  action: Extract<AuditAction, `invitation.${string}`>
  id: string
  email: string
  role: Role
}

async function recordInvitation(
  tx: Tx,
  { workspaceId, actor, now }: MemberAct,
  { action, id, email, role }: Invited,
): Promise<void> {
  const object = { kind: 'invitation', id, name: email } as const
  await recordAct(tx, { workspaceId, actor, at: now, action, object, after: { role } })
}
