import { Type, type Static } from 'typebox'
import { roles } from '../roles.ts'
import { time, nullable } from '../schema.ts'

export const MemberRow = Type.Object({
  /** Of the person. */
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Type.Enum(roles),
  joinedAt: time,
  /** Who asks. */
  isYou: Type.Boolean(),
})
export type MemberRow = Static<typeof MemberRow>

export const InvitationRow = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: Type.Enum(roles),
  invitedBy: Type.String(),
  sentAt: time,
  expiresAt: time,
  isExpired: Type.Boolean(),
})
export type InvitationRow = Static<typeof InvitationRow>

/** `invitations`: those that wait for an answer; null for those who may not invite. */
export const MemberList = Type.Object({
  members: Type.Array(MemberRow),
  invitations: nullable(Type.Array(InvitationRow)),
})
export type MemberList = Static<typeof MemberList>

/** What an invitation says to whoever holds its link. */
export const InvitationState = Type.Object({
  companyName: Type.String(),
  invitedBy: Type.String(),
  role: Type.Enum(roles),
  email: Type.String(),
  expiresAt: time,
  /** The person signs in instead of choosing a password. */
  hasAccount: Type.Boolean(),
})
export type InvitationState = Static<typeof InvitationState>
