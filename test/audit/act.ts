import { auditActions, type AuditAction } from '../../src/contract/audit/shapes.ts'
import type { ActorKind, Role } from '../../src/contract/roles.ts'

/** What is recorded, and about whom. */
export type Recorded = readonly [AuditAction, ActorKind, string]
export type Act = { what: string; recorded: readonly Recorded[]; act: () => Promise<unknown> }

export const person = (action: AuditAction, role: Role): Recorded => [action, 'person', `${role} of acme`]

/** An act that records one event of a member. */
export const oneOf = (action: AuditAction, role: Role, act: () => Promise<unknown>): Act => ({
  what: auditActions[action],
  recorded: [person(action, role)],
  act,
})
