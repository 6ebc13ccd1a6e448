import { sql } from 'kysely'
import type { Closing } from '../../contract/workspace/closing-operations.ts'
import { ServiceError } from '../../contract/errors.ts'
import { shownSecond } from '../../contract/shown-time.ts'
import { runningStatuses } from '../../contract/workspace/plans.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { dayMs } from '../../contract/durations.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { lockWholeWorkspace, lockWorkspace, setClosedInside, type WorkspaceRow } from '../workspaces.ts'

/** How long a workspace has to be closed before it can be deleted. */
const waitedDays = 30

type Act = { workspaceId: string; actor: Actor; now: Date }
type Confirmed = Act & { confirmName: string }

export function closingOf({ closed_at: closedAt }: WorkspaceRow): Closing {
  return {
    closedAt: closedAt?.toISOString() ?? null,
    deletableAt: closedAt === null ? null : deletableAt(closedAt).toISOString(),
  }
}

function deletableAt(closedAt: Date): Date {
  return new Date(closedAt.getTime() + waitedDays * dayMs)
}

/** A subscription ends with the period that has been paid for. Codes: `invalid_request`, `conflict`, `not_found`. */
export async function closeWorkspace(db: Db, { confirmName, ...act }: Confirmed): Promise<void> {
  await transact(db, async (tx) => {
    const workspace = undeleted(await lockWorkspace(tx, act.workspaceId))
    refuseOtherName(workspace, confirmName)
    if (workspace.closed_at !== null)
      throw new ServiceError('conflict', { message: 'The workspace is already closed.' })
    await setClosedInside(tx, { ...act, closedAt: act.now })
    await endSubscription(tx, act)
  })
}

async function endSubscription(tx: Tx, { workspaceId, now }: Act): Promise<void> {
  const running = await tx
    .selectFrom('billing_subscription')
    .select('subscription_id as subscriptionId')
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', [...runningStatuses])
    .executeTakeFirst()
  if (running === undefined) return
  await enqueue(tx, { kind: 'end_subscription', key: running.subscriptionId, payload: running, runAt: now })
}

/** Codes: `conflict`, `not_found`. */
export async function reopenWorkspace(db: Db, act: Act): Promise<void> {
  await transact(db, async (tx) => {
    const workspace = undeleted(await lockWorkspace(tx, act.workspaceId))
    if (workspace.closed_at === null)
      throw new ServiceError('conflict', { message: 'The workspace is open.' })
    await setClosedInside(tx, { ...act, closedAt: null })
  })
}

/**
 * Ends a workspace for good: from now on nobody belongs to it, its tokens and public pages are gone, its address is free, and a job removes what
 * is stored. Only that it was deleted stays, without its name. Codes: `invalid_request`, `conflict`, `not_found`.
 */
export async function deleteWorkspace(db: Db, { confirmName, ...act }: Confirmed): Promise<void> {
  await transact(db, async (tx) => {
    const workspace = undeleted(await lockWholeWorkspace(tx, act.workspaceId))
    refuseOtherName(workspace, confirmName)
    refuseTooEarly(workspace, act.now)
    await endWorkspace(tx, act)
  })
}

/** From the end of the transaction on there is no such workspace; a job removes what is stored. */
export async function endWorkspace(tx: Tx, { workspaceId, actor, now }: Act): Promise<void> {
  await allowDeletion(tx, workspaceId)
  await tx
    .updateTable('workspace')
    .set({ slug: deletedSlug(workspaceId) })
    .where('id', '=', workspaceId)
    .execute()
  await sql`update member set removed_at = ${now}::timestamptz
    where workspace_id = ${workspaceId} and removed_at is null`.execute(tx)
  await sql`update token set revoked_at = ${now}::timestamptz
    where workspace_id = ${workspaceId} and revoked_at is null`.execute(tx)
  await recordAct(tx, {
    workspaceId: null,
    actor,
    at: now,
    action: 'workspace.deleted',
    object: { kind: 'workspace', id: workspaceId },
  })
  await enqueue(tx, { kind: 'delete_workspace', key: workspaceId, payload: { workspaceId }, runAt: now })
}

/** The address of a deleted workspace until its rows are gone. */
export function deletedSlug(workspaceId: string): string {
  return `deleted-${workspaceId.replaceAll('-', '')}`
}

/** One that another owner has deleted meanwhile is gone. Codes: `not_found`. */
function undeleted(workspace: WorkspaceRow): WorkspaceRow {
  if (workspace.slug === deletedSlug(workspace.id)) throw new ServiceError('not_found')
  return workspace
}

/** What is append-only, and the address in published documents, can be changed for this workspace in this transaction. */
export async function allowDeletion(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select set_config('service.deleted_workspace', ${workspaceId}, true)`.execute(tx)
}

function refuseOtherName({ company_name: name }: WorkspaceRow, confirmName: string): void {
  if (confirmName.trim() === name) return
  throw new ServiceError('invalid_request', {
    fields: { confirmName: 'This is not the name of the company.' },
  })
}

function refuseTooEarly({ closed_at: closedAt }: WorkspaceRow, now: Date): void {
  if (closedAt === null) throw new ServiceError('conflict', { message: 'Close the workspace first.' })
  const from = deletableAt(closedAt)
  if (from <= now) return
  throw new ServiceError('conflict', {
    message: `A closed workspace can be deleted after ${waitedDays} days: from ${shownSecond(from)}.`,
  })
}
