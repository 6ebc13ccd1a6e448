import type { Selectable } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import { stateCapabilities, type Plan } from '../contract/plans.ts'
import type { Db, Tx } from '../database/connection.ts'
import type { Tables } from '../database/tables.ts'
import { newId } from '../platform/random.ts'
import { recordAct, type Actor } from './audit.ts'
import { enqueueOpeningsOfWorkspace } from './families/enqueue-openings.ts'
import { refuseInvalidCompany } from './company/company-rules.ts'
import { effectiveState, type PlanAndDates } from './state.ts'

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
        workspace.plan === 'trial' ? new Date(workspace.now.getTime() + trialDays * 24 * 3600 * 1000) : null,
      paid_until: null,
      closed_at: null,
      created_at: workspace.now,
    })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) {
    throw new ServiceError('invalid_request', { fields: { slug: 'This address is taken.' } })
  }
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

export type WorkspaceRow = Selectable<Tables['workspace']>

/** Puts a workspace on a plan. A plan given by an operator has no end; a trial runs 30 days from now. Codes: `not_found`. */
export async function setPlan(
  db: Db,
  { workspaceId, plan, actor, now }: { workspaceId: string; plan: Plan; actor: Actor; now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await selectWorkspace(tx, workspaceId)
    const trialEndsAt = plan === 'trial' ? new Date(now.getTime() + trialDays * 24 * 3600 * 1000) : null
    await tx
      .updateTable('workspace')
      .set({ plan, trial_ends_at: trialEndsAt, paid_until: null })
      .where('id', '=', workspaceId)
      .execute()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'workspace.plan_changed',
      object: { kind: 'workspace', id: workspaceId, name: before.company_name },
      before: { plan: before.plan },
      after: { plan },
    })
    const after = { ...before, plan, trial_ends_at: trialEndsAt, paid_until: null }
    await resumeMonitoring(tx, { workspaceId, before, after, now })
  })
}

/** Closes a workspace, or reopens it with `closedAt: null`. Codes: `not_found`. */
export async function setClosed(
  db: Db,
  {
    workspaceId,
    closedAt,
    actor,
    now,
  }: { workspaceId: string; closedAt: Date | null; actor: Actor; now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const workspace = await selectWorkspace(tx, workspaceId)
    await tx.updateTable('workspace').set({ closed_at: closedAt }).where('id', '=', workspaceId).execute()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: closedAt === null ? 'workspace.reopened' : 'workspace.closed',
      object: { kind: 'workspace', id: workspaceId, name: workspace.company_name },
    })
    await resumeMonitoring(tx, {
      workspaceId,
      before: workspace,
      after: { ...workspace, closed_at: closedAt },
      now,
    })
  })
}

type Change = { workspaceId: string; before: PlanAndDates; after: PlanAndDates; now: Date }

/** Nothing opens while a workspace is read-only or closed: what was found meanwhile is looked at once that ends. */
async function resumeMonitoring(tx: Tx, { workspaceId, before, after, now }: Change): Promise<void> {
  const isMonitored = (workspace: PlanAndDates) =>
    stateCapabilities[effectiveState(workspace, now)].monitoring
  if (isMonitored(before) || !isMonitored(after)) return
  const ended = [before.closed_at, before.plan === 'trial' ? before.trial_ends_at : before.paid_until]
  const past = ended.filter((at) => at !== null && at <= now).map((at) => at?.getTime() ?? 0)
  const resumed = past.length === 0 ? { now } : { now, pausedFrom: new Date(Math.min(...past)) }
  await enqueueOpeningsOfWorkspace(tx, workspaceId, resumed)
}

/** From the first publication on, addresses with the slug are in published documents: it does not change any more. */
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
