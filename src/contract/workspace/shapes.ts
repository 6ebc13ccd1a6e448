import { Type, type Static } from 'typebox'
import { plans, workspaceStates } from './plans.ts'
import { time, nullable } from '../schema.ts'
import { roles } from '../roles.ts'

export const WorkspaceDetail = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  companyName: Type.String(),
  timeZone: Type.String(),
  plan: Type.Enum(plans),
  state: Type.Enum(workspaceStates),
  /** The origin at which it is now; null: here. */
  movedTo: nullable(Type.String()),
  trialEndsAt: nullable(time),
  /** When the subscription ends; null: it renews itself or has no end. */
  paidUntil: nullable(Type.String()),
  /** Owners buy and change plans themselves; else the operator sets them. */
  isSelfService: Type.Boolean(),
  role: Type.Enum(roles),
  /** Deliveries that failed in the last day, as Delivery problems lists them; null for roles that may not see them. */
  recentProblems: nullable(Type.Number()),
  /** Address of the public interface, for ready-made commands. */
  baseUrl: Type.String(),
})
export type WorkspaceDetail = Static<typeof WorkspaceDetail>
