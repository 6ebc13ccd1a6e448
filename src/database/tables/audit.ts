import type { Generated } from 'kysely'
import type { AuditAction, AuditObjectKind } from '../../contract/audit/shapes.ts'
import type { JsonOrNull } from '../json-column.ts'
import type { ActorKind } from '../../contract/roles.ts'

/** Who did what. */
export type AuditTables = {
  audit_event: AuditEventTable
  audit_due: AuditDueTable
  audit_link: AuditLinkTable
  audit_chain: AuditChainTable
}

type AuditDueTable = { chain: string; event_id: number }

type AuditLinkTable = { chain: string; position: number; event_id: number; hash: Buffer }

type AuditChainTable = { chain: string; position: number; hash: Buffer }

type AuditEventTable = {
  id: Generated<number>
  workspace_id: string | null
  at: Date
  actor_kind: ActorKind
  actor_id: string | null
  actor_name: string
  action: AuditAction
  object_kind: AuditObjectKind
  object_id: string
  object_name: string | null
  before: JsonOrNull<unknown>
  after: JsonOrNull<unknown>
  request_id: string | null
  address: string | null
  original_id: Generated<number | null>
}
