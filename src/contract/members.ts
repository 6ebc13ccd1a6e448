import type { Role } from './roles.ts'

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

export type MemberList = { members: MemberRow[] }
