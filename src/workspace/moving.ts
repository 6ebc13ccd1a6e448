import { sql } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import type { AuditAction } from '../contract/audit/shapes.ts'
import type { Db, Tx } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../audit/record-acts.ts'
import { endWorkspace } from './closing/close-workspace.ts'
import { resumeMonitoring } from './monitoring/resume-monitoring.ts'
import { isMonitored } from './state.ts'
import { lockWholeWorkspace, lockWorkspace, writePlan, type WorkspaceRow } from './workspaces.ts'

type Act = { workspaceId: string; actor: Actor; now: Date }

/**
 * Freezes a workspace that is about to move: it becomes read-only, nothing new is told, and it says why. A second call changes nothing.
 * Codes: `not_found`, `conflict` (it has moved).
 */
export async function freezeWorkspace(db: Db, act: Act): Promise<void> {
  await transact(db, async (tx) => {
    const before = await lockWholeWorkspace(tx, act.workspaceId)
    if (before.moved_to !== null)
      throw new ServiceError('conflict', {
        message: `The workspace has moved to ${before.moved_to} already.`,
      })
    if (before.moving_at !== null) return
    await writePlan(tx, { before, after: { ...before, moving_at: act.now }, now: act.now })
    await record(tx, act, { action: 'workspace.frozen', before })
  })
}

/**
 * Undoes a freeze, and a redirect: the workspace is here again, and what arrived meanwhile at its sources is matched. Twice changes nothing.
 * Codes: `not_found`.
 */
export async function unfreezeWorkspace(db: Db, act: Act): Promise<void> {
  await transact(db, async (tx) => {
    const before = await lockWholeWorkspace(tx, act.workspaceId)
    if (before.moving_at === null) return
    await endRedirect(tx, before.slug)
    await writePlan(tx, { before, after: { ...before, moving_at: null, moved_to: null }, now: act.now })
    await record(tx, act, { action: 'workspace.unfrozen', before })
  })
}

/** Records that an archive of the workspace was written, and how far its trail goes there. Codes: `not_found`. */
export async function recordPacked(db: Db, { events, ...act }: Act & { events: number }): Promise<void> {
  await transact(db, async (tx) => {
    const before = await lockWholeWorkspace(tx, act.workspaceId)
    await record(tx, act, { action: 'workspace.packed', before, after: { events } })
  })
}

/** What may be recorded in a workspace after its archive was written: it says nothing about what is in it. */
const recordedAfterwards: readonly AuditAction[] = [
  'workspace.packed',
  'workspace.redirected',
  'workspace.frozen',
]

/**
 * The move is complete: public addresses lead to the other installation, until a day or for good, and tokens are refused with the new address.
 * Codes: `not_found`, `conflict` (it was not exported, or something was recorded after that and would be lost).
 */
export async function redirectWorkspace(
  db: Db,
  { origin, until, ...act }: Act & { origin: string; until: Date | null },
): Promise<void> {
  await transact(db, async (tx) => {
    const before = await lockWholeWorkspace(tx, act.workspaceId)
    await refuseUnpacked(tx, before)
    await tx.updateTable('workspace').set({ moved_to: origin }).where('id', '=', act.workspaceId).execute()
    const address = { origin, until, set_at: act.now }
    await tx
      .insertInto('moved_address')
      .values({ slug: before.slug, ...address })
      .onConflict((conflict) => conflict.column('slug').doUpdateSet(address))
      .execute()
    const after = { origin, until: until?.toISOString() ?? null }
    await record(tx, act, { action: 'workspace.redirected', before, after })
  })
}

async function refuseUnpacked(tx: Tx, { id, moving_at: movingAt }: WorkspaceRow): Promise<void> {
  if (movingAt === null)
    throw new ServiceError('conflict', {
      message: 'The workspace is not frozen: export it first, and import it at the other installation.',
    })
  const { rows } = await sql<{ events: number }>`
    select coalesce((after ->> 'events')::bigint, 0) as events from audit_event
    where workspace_id = ${id} and action = 'workspace.packed' order by id desc limit 1`.execute(tx)
  const [packed] = rows
  if (packed === undefined)
    throw new ServiceError('conflict', { message: 'The workspace was not exported since it was frozen.' })
  const late = await tx
    .selectFrom('audit_event as e')
    .leftJoin('audit_link as l', 'l.event_id', 'e.id')
    .select('e.action')
    .where('e.workspace_id', '=', id)
    .where((of) => of.or([of('l.position', 'is', null), of('l.position', '>', packed.events)]))
    .where('e.action', 'not in', recordedAfterwards)
    .orderBy('e.id')
    .executeTakeFirst()
  if (late === undefined) return
  throw new ServiceError('conflict', {
    message: `Something was recorded after the export (${late.action}), which the archive lacks: export again, and import that.`,
  })
}

/** Removes the copy that stays behind; its addresses lead on. Codes: `not_found`, `conflict` (it has not moved). */
export async function discardWorkspace(db: Db, act: Act): Promise<void> {
  await transact(db, async (tx) => {
    const { moved_to: movedTo } = await lockWholeWorkspace(tx, act.workspaceId)
    if (movedTo === null)
      throw new ServiceError('conflict', {
        message: 'The workspace has not moved: only the copy that a move leaves behind is discarded.',
      })
    await endWorkspace(tx, act)
  })
}

/** A workspace with this address is here again. */
async function endRedirect(tx: Tx, slug: string): Promise<void> {
  await tx.deleteFrom('moved_address').where('slug', '=', slug).execute()
}

/** An arrived workspace is matched against the data here, for the time since it was frozen. */
export async function beginAfterMove(
  tx: Tx,
  { workspaceId, now }: Pick<Act, 'workspaceId' | 'now'>,
): Promise<void> {
  const workspace = await lockWorkspace(tx, workspaceId)
  await endRedirect(tx, workspace.slug)
  if (!isMonitored(workspace, now)) return
  await tx.updateTable('workspace').set({ paused_from: null }).where('id', '=', workspaceId).execute()
  await resumeMonitoring(tx, { workspaceId, pausedFrom: workspace.paused_from ?? now, now })
}

async function record(
  tx: Tx,
  { workspaceId, actor, now }: Act,
  { action, before, after }: { action: AuditAction; before: WorkspaceRow; after?: unknown },
): Promise<void> {
  await recordAct(tx, {
    workspaceId,
    actor,
    at: now,
    action,
    object: { kind: 'workspace', id: workspaceId, name: before.company_name },
    ...(after === undefined ? {} : { after }),
  })
}
