import { Type } from 'typebox'
import { Session } from '../sessions.ts'
import { InvitationState, MemberList } from '../members.ts'
import { roles } from '../../roles.ts'
import { answer, nothing, operation } from '../../operation.ts'
import { extended } from '../../schema.ts'

const members = '/workspaces/:slug/members'
const invitations = '/workspaces/:slug/invitations'
const role = Type.Enum(roles)
const text = Type.String({ maxLength: 300 })
const password = Type.String({ maxLength: 1000 })
/** Acts on an owner, or making one, need a fresh proof of identity. */
const confirmed = Type.Optional(password)

export const listMembers = operation({
  method: 'GET',
  path: members,
  permission: 'any_member',
  answer: answer(MemberList),
})

/** 403 `forbidden`: only owners make and unmake owners. 409 `conflict`: the last owner stays one. */
export const changeRole = operation({
  method: 'PATCH',
  path: `${members}/:person`,
  permission: 'manage_members',
  body: Type.Object({ role, password: confirmed }),
  answer: nothing,
})

/** Their tokens keep working. 409 `conflict`: the last owner stays, and the asking member leaves instead. */
export const removeMember = operation({
  method: 'POST',
  path: `${members}/:person/remove`,
  permission: 'manage_members',
  body: Type.Object({ password: confirmed }),
  answer: nothing,
  worksReadOnly: 'until_closed',
})

/** 409 `conflict`: the last owner stays. */
export const leaveWorkspace = operation({
  method: 'POST',
  path: '/workspaces/:slug/leave',
  permission: 'any_member',
  answer: answer(Session),
  worksReadOnly: 'until_closed',
})

/** Sends an invitation, again with a new link where one waits already. */
export const invite = operation({
  method: 'POST',
  path: invitations,
  permission: 'manage_members',
  body: Type.Object({ email: text, role, password: confirmed }),
  answer: answer(Type.Object({ id: Type.String() }), 201),
})

/** With a new link; the earlier one ends. */
export const resendInvitation = operation({
  method: 'POST',
  path: `${invitations}/:invitation/resend`,
  permission: 'manage_members',
  answer: nothing,
})

export const withdrawInvitation = operation({
  method: 'DELETE',
  path: `${invitations}/:invitation`,
  permission: 'manage_members',
  answer: nothing,
  worksReadOnly: 'until_closed',
})

/** The secret travels in bodies only: addresses end up in logs. 404 when the link has ended. */
export const getInvitation = operation({
  method: 'POST',
  path: '/invitations/state',
  permission: 'anyone',
  body: Type.Object({ secret: text }),
  answer: answer(InvitationState),
})

/** For an e-mail without an account. */
export const acceptInvitation = operation({
  method: 'POST',
  path: '/invitations/accept',
  permission: 'anyone',
  body: Type.Object({ secret: text, name: text, password }),
  answer: answer(extended(Session, { slug: Type.String() })),
})

/** For who has an account and is signed in to it; 403 `forbidden` in a session that a company opened. */
export const joinByInvitation = operation({
  method: 'POST',
  path: '/invitations/join',
  permission: 'signed_in',
  body: Type.Object({ secret: text }),
  answer: answer(extended(Session, { slug: Type.String() })),
})
