import type { Role } from '../roles.ts'
import type { Plan, WorkspaceState } from './plans.ts'

export type WorkspaceDetail = {
  id: string
  slug: string
  companyName: string
  timeZone: string
  plan: Plan
  state: WorkspaceState
  trialEndsAt: string | null
  /** When the subscription ends; null: it renews itself or has no end. */
  paidUntil: string | null
  /** Owners buy and change plans themselves; else the operator sets them. */
  isSelfService: boolean
  role: Role
  /** Deliveries that failed in the last day, as Delivery problems lists them; null for roles that may not see them. */
  recentProblems: number | null
  /** Address of the public interface, for ready-made commands. */
  baseUrl: string
}
