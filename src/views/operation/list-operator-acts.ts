import { sql } from 'kysely'
import { auditActions, type AuditAction } from '../../contract/audit/shapes.ts'
import type { Db } from '../../database/connection.ts'

/** An act on a workspace as a whole that no member of it did: an operator, or the payment provider. */
export type OperatorAct = { at: Date; by: string; action: AuditAction; words: string; details: string | null }

const shown: readonly AuditAction[] = [
  'workspace.created',
  'workspace.plan_changed',
  'workspace.ceilings_changed',
  'workspace.suspended',
  'workspace.suspension_lifted',
  'workspace.closed',
  'workspace.reopened',
]
const listed = 20

/** The newest first. Index audit_event_object. */
export async function listOperatorActs(db: Db, slug: string): Promise<OperatorAct[]> {
  const { rows } = await sql<{ at: Date; by: string; action: AuditAction; after: unknown }>`
    select e.at, e.actor_name as by, e.action, e.after from workspace w
    join audit_event e on e.workspace_id = w.id and e.object_id = w.id::text
    where w.slug = ${slug} and e.actor_kind = 'system' and e.action = any(${[...shown]}::text[])
    order by e.at desc, e.id desc limit ${sql.lit(listed)}`.execute(db)
  return rows.map(({ after, ...act }) => ({
    ...act,
    words: auditActions[act.action],
    details: detailsOf(act.action, after),
  }))
}

/** What was set, each field with its value; nothing of a workspace's own. */
function detailsOf(action: AuditAction, after: unknown): string | null {
  if (action === 'workspace.created' || typeof after !== 'object' || after === null) return null
  const set = Object.entries(after).filter(([, value]) => value !== null)
  return set.map(([name, value]) => `${names[name] ?? name}: ${String(value)}`).join(', ')
}

const names: Record<string, string> = { endsAt: 'ends', sboms: 'SBOMs' }
