import type { Role } from '../roles.ts'

export type MemberRow = {
  /** Of the person. */
  id: string
  name: string
  email: string
  role: Role
  joinedAt: string
  /** Who asks. */
  isYou: boolean
}

export type InvitationRow = {
  id: string
  email: string
  role: Role
  invitedBy: string
  sentAt: string
  expiresAt: string
  isExpired: boolean
}

/** `invitations`: those that wait for an answer; null for those who may not invite. */
export type MemberList = { members: MemberRow[]; invitations: InvitationRow[] | null }

/** What an invitation says to whoever holds its link. */
export type InvitationState = {
  companyName: string
  invitedBy: string
  role: Role
  email: string
  expiresAt: string
  /** The person signs in instead of choosing a password. */
  hasAccount: boolean
}
