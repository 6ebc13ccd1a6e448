import type { QueryCreator, RawBuilder } from 'kysely'
import type { Tx } from '../database/connection.ts'
import type { Tables } from '../database/tables.ts'
import { chunksOf } from '../platform/postgres/columns.ts'
import type { AuditAction, AuditObjectKind } from '../contract/audit/shapes.ts'
import type { ActorKind } from '../contract/roles.ts'

/** Below the number of parameters that a statement may have. */
const actsAtOnce = 1_000

export type Actor = {
  kind: ActorKind
  id: string | null
  name: string
  requestId?: string
  address?: string
}

type Act = {
  /** null: an act on the installation, such as a sign-in */
  workspaceId: string | null
  actor: Actor
  at: Date
  action: AuditAction
  object: { kind: AuditObjectKind; id: string; name?: string }
  before?: unknown
  after?: unknown
}

/** Writes the audit event of an act in the transaction of the act. Never give it a secret. */
export async function recordAct(tx: Tx, act: Act): Promise<void> {
  await recordActs(tx, [act])
}

/** As `recordAct`, for an act on many things. */
export async function recordActs(tx: Tx, acts: readonly Act[]): Promise<void> {
  for (const some of chunksOf(acts, actsAtOnce)) {
    await tx.insertInto('audit_event').values(some.map(toEvent)).execute()
  }
}

/**
 * As `recordAct`, as a common table expression in the statement of the act. `before`: what only that statement knows, as JSON or null.
 */
export function insertOfAct(
  db: QueryCreator<Tables>,
  act: Omit<Act, 'before'>,
  before: RawBuilder<string | null>,
) {
  return db.insertInto('audit_event').values({ ...toEvent(act), before })
}

function toEvent(act: Act) {
  return {
    workspace_id: act.workspaceId,
    at: act.at,
    actor_kind: act.actor.kind,
    actor_id: act.actor.id,
    actor_name: act.actor.name,
    action: act.action,
    object_kind: act.object.kind,
    object_id: act.object.id,
    object_name: act.object.name ?? null,
    before: act.before === undefined ? null : JSON.stringify(act.before),
    after: act.after === undefined ? null : JSON.stringify(act.after),
    request_id: act.actor.requestId ?? null,
    address: act.actor.address ?? null,
  }
}
