import { ServiceError } from '../../contract/errors.ts'
import type { InvitationState } from '../../contract/people/members.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { enqueueNotice } from '../../workspace/enqueue-notice.ts'
import { findLink, takeLink } from '../links/one-time-link.ts'
import { refuseCompanySession } from '../fresh.ts'
import { findPersonByEmail, refuseOtherMailbox } from '../mailbox.ts'
import { hashPassword, refuseWeakPassword } from '../password.ts'
import { addMember, insertPerson, refuseInvalidPerson } from '../people.ts'
import type { Origin } from '../own-act.ts'
import { openSession, type Replacing, type SignedInPerson } from '../sessions.ts'
import type { SignInDeps } from '../sign-in.ts'
import { effectiveState, refuseWhenReadOnly, stateColumnsOfW } from '../../workspace/state.ts'

const purpose = 'invitation'

/** The invitation, for the bearer of its link. Codes: `not_found`. */
export async function describeInvitation(
  db: Db,
  { secret, now }: { secret: string; now: Date },
): Promise<InvitationState> {
  const link = await findLink(db, { purpose, secret, now })
  const invitation = await selectInvitation(db, link.id)
  return {
    companyName: invitation.company_name,
    invitedBy: invitation.invited_by_name,
    role: invitation.role,
    email: link.recipient,
    expiresAt: invitation.expires_at.toISOString(),
    hasAccount: (await findPersonByEmail(db, link.recipient)) !== undefined,
  }
}

async function selectInvitation(db: Db, linkId: string) {
  const invitation = await db
    .selectFrom('invitation as i')
    .innerJoin('workspace as w', 'w.id', 'i.workspace_id')
    .select(['i.id', 'i.workspace_id', 'i.role', 'i.invited_by_name', 'i.expires_at'])
    .select(['w.slug', 'w.company_name', ...stateColumnsOfW])
    .where('i.link_id', '=', linkId)
    .where('i.accepted_at', 'is', null)
    .where('i.withdrawn_at', 'is', null)
    .executeTakeFirst()
  if (invitation === undefined) throw new ServiceError('not_found')
  return invitation
}

type Accepting = Replacing & {
  secret: string
  name: string
  password: string
  origin: Origin
  now: Date
}

/**
 * Creates the account of somebody new, makes them a member and signs them in. Codes: `not_found` (link), `invalid_request` (fields `name`,
 * `password`), `conflict` (the e-mail has an account: sign in and use `joinByInvitation`), `billing_lapsed`, `rate_limited`.
 */
export async function acceptInvitation(
  { db, passwords }: SignInDeps,
  { secret, name, password, origin, replacedSecret, now }: Accepting,
): Promise<{ slug: string; personId: string; secret: string; expiresAt: Date }> {
  await findLink(db, { purpose, secret, now })
  refuseInvalidPerson({ name })
  refuseWeakPassword(password, 'password')
  const passwordHash = await passwords.take(origin.address, () => hashPassword(password))
  return transact(db, async (tx) => {
    const link = await takeLink(tx, { purpose, secret, now })
    const id = await insertPerson(tx, { email: link.recipient, name, passwordHash, now })
    const person = { id, name: name.trim() }
    const { slug } = await join(tx, { linkId: link.id, person, origin, now })
    const session = await openSession(tx, { personId: id, address: origin.address, replacedSecret, now })
    return { slug, personId: id, ...session }
  })
}

/**
 * Makes a person who has an account a member. Codes: `forbidden` (a session of a company), `not_found` (link), `conflict` (another address),
 * `billing_lapsed`.
 */
export async function joinByInvitation(
  db: Db,
  { secret, person, origin, now }: { secret: string; person: SignedInPerson; origin: Origin; now: Date },
): Promise<{ slug: string }> {
  refuseCompanySession(person, 'join another workspace')
  const { recipient } = await findLink(db, { purpose, secret, now })
  refuseOtherMailbox(person, recipient)
  return transact(db, async (tx) => {
    const link = await takeLink(tx, { purpose, secret, now })
    return join(tx, { linkId: link.id, person: { id: person.personId, name: person.name }, origin, now })
  })
}

type Joining = { linkId: string; person: { id: string; name: string }; origin: Origin; now: Date }

/** Who is a member already keeps the role they have. */
async function join(tx: Tx, { linkId, person, origin, now }: Joining): Promise<{ slug: string }> {
  const invitation = await selectInvitation(tx, linkId)
  refuseWhenReadOnly(effectiveState(invitation, now))
  const { workspace_id: workspaceId, role, slug } = invitation
  const actor: Actor = { kind: 'person', ...person, ...origin }
  await tx
    .updateTable('invitation')
    .set({ accepted_at: now, accepted_by: person.id })
    .where('id', '=', invitation.id)
    .execute()
  await recordAct(tx, {
    workspaceId,
    actor,
    at: now,
    action: 'invitation.accepted',
    object: { kind: 'invitation', id: invitation.id, name: person.name },
    after: { role },
  })
  if (await isMember(tx, workspaceId, person.id)) return { slug }
  await addMember(tx, { workspaceId, personId: person.id, name: person.name, role, actor, now })
  const data = { member: person.name, role, by: invitation.invited_by_name, at: now.toISOString() }
  const fact = { type: 'member.joined', data } as const
  await enqueueNotice(tx, { to: { workspaceId }, fact, except: [person.id], now })
  return { slug }
}

async function isMember(tx: Tx, workspaceId: string, personId: string): Promise<boolean> {
  const member = await tx
    .selectFrom('member')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return member !== undefined
}
