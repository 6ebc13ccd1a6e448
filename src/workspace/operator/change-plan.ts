import { existingTime, isDay } from '../../contract/calendar.ts'
import { plans, type Plan } from '../../contract/workspace/plans.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Actor } from '../../audit/record-acts.ts'
import { lockWorkspace, setClosedInside, setPlanInside } from '../workspaces.ts'

/** What an operator puts a workspace on: a plan, or `closed`. */
export type OperatedPlan = Plan | 'closed'
export const operatedPlans: readonly OperatedPlan[] = [...plans, 'closed']

type Change = {
  workspaceId: string
  plan: OperatedPlan
  /** When it ends; undefined: a trial in 30 days, another plan never. */
  until: Date | undefined
  actor: Actor
  now: Date
}

/** Puts a workspace on a plan, which reopens one that is closed, or closes it. Codes: `not_found`. */
export async function changePlan(db: Db, { workspaceId, plan, until, actor, now }: Change): Promise<void> {
  await transact(db, async (tx) => {
    const before = await lockWorkspace(tx, workspaceId)
    const act = { workspaceId, actor, now }
    if (plan === 'closed') return setClosedInside(tx, { ...act, closedAt: now })
    if (before.closed_at !== null) await setClosedInside(tx, { ...act, closedAt: null })
    return setPlanInside(tx, { ...act, plan, ...(until === undefined ? {} : { until }) })
  })
}

export function isOperatedPlan(text: string): text is OperatedPlan {
  return (operatedPlans as readonly string[]).includes(text)
}

/** When a plan ends, read from what an operator typed; else why it is refused. */
export type ReadEnd = { until: Date | undefined } | { refused: string }

/** A day, at whose end in UTC the plan ends, or a moment; nothing: no end. */
export function readEnd(text: string, plan: OperatedPlan, now: Date): ReadEnd {
  if (text === '') return { until: undefined }
  if (plan === 'closed' || plan === 'free') return { refused: `"${plan}" has no end` }
  const isMoment = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text)
  const until = isDay(text) || isMoment ? existingTime(isMoment ? text : `${text}T23:59:59.999Z`) : null
  if (until === null)
    return {
      refused: `expected a day (2027-01-31) or a moment (2027-01-31T12:00:00Z), found "${text}"`,
    }
  return until <= now ? { refused: `expected a time to come, found "${text}"` } : { until }
}
