import type { Selectable } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import type { Plan } from '../contract/workspace/plans.ts'
import type { Db, Tx } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import type { Tables } from '../database/tables.ts'
import { lineProblem } from '../platform/input-reader.ts'
import { newId } from '../platform/random.ts'
import { dayMs } from '../contract/durations.ts'
import { recordAct, type Actor } from '../audit/record-acts.ts'
import { refuseInvalidCompany } from './company/company-rules.ts'
import { pausedSince, resumeMonitoring } from './monitoring/resume-monitoring.ts'
import { refuseRedirectedSlug, slugTaken } from './redirects.ts'
import { isMonitored, type PlanAndDates } from './state.ts'

const trialDays = 30
type NewWorkspace = {
  slug: string
  companyName: string
  securityContactEmail: string
  timeZone?: string
  plan: Plan
  actor: Actor
  now: Date
}

/** Makes a workspace; a trial runs 30 days. Codes: `invalid_request` (slug malformed, reserved or taken; name or address missing). */
export async function createWorkspace(tx: Tx, workspace: NewWorkspace): Promise<{ id: string }> {
  refuseInvalidCompany(workspace)
  await refuseRedirectedSlug(tx, workspace)
  const id = newId(workspace.now)
  const made = await tx
    .insertInto('workspace')
    .values({
      id,
      slug: workspace.slug,
      company_name: workspace.companyName.trim(),
      security_contact_email: workspace.securityContactEmail.trim(),
      time_zone: workspace.timeZone ?? 'UTC',
      plan: workspace.plan,
      trial_ends_at:
        workspace.plan === 'trial' ? new Date(workspace.now.getTime() + trialDays * dayMs) : null,
      paid_until: null,
      closed_at: null,
      created_at: workspace.now,
    })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) throw slugTaken()
  await recordAct(tx, {
    workspaceId: id,
    actor: workspace.actor,
    at: workspace.now,
    action: 'workspace.created',
    object: { kind: 'workspace', id, name: workspace.companyName },
    after: { slug: workspace.slug, plan: workspace.plan },
  })
  return { id }
}

/** The workspace's row. Codes: `not_found`. */
export async function selectWorkspace(db: Db, workspaceId: string): Promise<WorkspaceRow> {
  const workspace = await db
    .selectFrom('workspace')
    .selectAll()
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (workspace === undefined) throw new ServiceError('not_found')
  return workspace
}

/** For the operator, who names a workspace by its slug. */
export async function selectWorkspaceId(db: Db, slug: string): Promise<string | undefined> {
  const row = await db.selectFrom('workspace').select('id').where('slug', '=', slug).executeTakeFirst()
  return row?.id
}

export type WorkspaceRow = Selectable<Tables['workspace']>

/** As `selectWorkspace`, locked: what else changes it waits for the transaction. What is written in it goes on. */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<WorkspaceRow> {
  await tx.selectFrom('workspace').select('id').where('id', '=', workspaceId).forNoKeyUpdate().execute()
  return selectWorkspace(tx, workspaceId)
}

/**
 * The same for freezing or ending it, or changing its address: waits for all writes in progress, and later ones wait for the transaction.
 */
export async function lockWholeWorkspace(tx: Tx, workspaceId: string): Promise<WorkspaceRow> {
  await tx.selectFrom('workspace').select('id').where('id', '=', workspaceId).forUpdate().execute()
  return selectWorkspace(tx, workspaceId)
}

type PlanChange = {
  workspaceId: string
  plan: Plan
  /** When it ends; null: never. Without it a trial ends in 30 days and any other plan never. */
  until?: Date | null
  actor: Actor
  now: Date
}

/** Puts a workspace on a plan, from now on. Codes: `not_found`. */
export async function setPlan(db: Db, change: PlanChange): Promise<void> {
  await transact(db, (tx) => setPlanInside(tx, change))
}

/** As `setPlan`, in the transaction of what decides it. */
export async function setPlanInside(
  tx: Tx,
  { workspaceId, plan, until, actor, now }: PlanChange,
): Promise<void> {
  const before = await lockWorkspace(tx, workspaceId)
  const endOfTrial = until ?? new Date(now.getTime() + trialDays * dayMs)
  const after = {
    ...before,
    plan,
    trial_ends_at: plan === 'trial' ? endOfTrial : null,
    paid_until: plan === 'trial' ? null : (until ?? null),
  }
  await writePlan(tx, { before, after, now })
  await recordAct(tx, {
    workspaceId,
    actor,
    at: now,
    action: 'workspace.plan_changed',
    object: { kind: 'workspace', id: workspaceId, name: before.company_name },
    before: { plan: before.plan, endsAt: endOf(before) },
    after: { plan, endsAt: endOf(after) },
  })
}

function endOf({ plan, trial_ends_at, paid_until }: PlanAndDates): string | null {
  return (plan === 'trial' ? trial_ends_at : paid_until)?.toISOString() ?? null
}

/**
 * Closes a workspace, or reopens it with `closedAt: null`: a plan that is paid for goes on, a trial does not. Twice changes nothing: since when it
 * is closed says from when on it can be deleted. Codes: `not_found`.
 */
export async function setClosed(db: Db, change: Closing): Promise<void> {
  await transact(db, (tx) => setClosedInside(tx, change))
}

type Closing = { workspaceId: string; closedAt: Date | null; actor: Actor; now: Date }

/** As `setClosed`, in the transaction of what goes with it. */
export async function setClosedInside(tx: Tx, { workspaceId, closedAt, actor, now }: Closing): Promise<void> {
  const before = await lockWorkspace(tx, workspaceId)
  if ((before.closed_at === null) === (closedAt === null)) return
  const plan = closedAt === null && before.plan === 'trial' ? ('free' as const) : before.plan
  await writePlan(tx, { before, after: { ...before, plan, closed_at: closedAt }, now })
  await recordAct(tx, {
    workspaceId,
    actor,
    at: now,
    action: closedAt === null ? 'workspace.reopened' : 'workspace.closed',
    object: { kind: 'workspace', id: workspaceId, name: before.company_name },
  })
}

/** What is wrong with the reason of a suspension, or of its end; undefined: nothing. */
export function suspensionReasonProblem(reason: string): string | undefined {
  return lineProblem(reason, { min: 0, max: 300 })
}

/**
 * The operator suspends a workspace, or lifts that: until then it is read-only, whatever its plan; incidents can be decided and filed. Twice
 * changes nothing. The workspace reads the reason in its audit trail. Codes: `not_found`.
 */
export async function setSuspended(
  db: Db,
  {
    workspaceId,
    isSuspended,
    reason,
    actor,
    now,
  }: { workspaceId: string; isSuspended: boolean; reason?: string; actor: Actor; now: Date },
): Promise<void> {
  await transact(db, async (tx) => {
    const before = await lockWorkspace(tx, workspaceId)
    if ((before.suspended_at !== null) === isSuspended) return
    await writePlan(tx, { before, after: { ...before, suspended_at: isSuspended ? now : null }, now })
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: isSuspended ? 'workspace.suspended' : 'workspace.suspension_lifted',
      object: { kind: 'workspace', id: workspaceId, name: before.company_name },
      ...(reason === undefined ? {} : { after: { reason } }),
    })
  })
}

/** What a plan and the state of a workspace are made of, and what follows where its monitoring begins or ends. */
export async function writePlan(
  tx: Tx,
  { before, after, now }: { before: WorkspaceRow; after: WorkspaceRow; now: Date },
): Promise<void> {
  await tx
    .updateTable('workspace')
    .set({
      plan: after.plan,
      trial_ends_at: after.trial_ends_at,
      paid_until: after.paid_until,
      closed_at: after.closed_at,
      suspended_at: after.suspended_at,
      moving_at: after.moving_at,
      moved_to: after.moved_to,
      paused_from: isMonitored(after, now) ? null : pausedSince(before, now),
    })
    .where('id', '=', before.id)
    .execute()
  if (isMonitored(before, now) || !isMonitored(after, now)) return
  await resumeMonitoring(tx, { workspaceId: before.id, pausedFrom: pausedSince(before, now), now })
}

/** From the first publication on, addresses with the slug are in published documents: it can no longer change. */
export async function freezeSlug(
  tx: Tx,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('workspace')
    .set({ slug_frozen_at: now })
    .where('id', '=', workspaceId)
    .where('slug_frozen_at', 'is', null)
    .execute()
}
