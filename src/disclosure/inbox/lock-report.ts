import { ServiceError } from '../../contract/errors.ts'
import type { AuditAction } from '../../contract/audit/shapes.ts'
import type { EntryKind, ReportState } from '../../contract/disclosure/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { newId } from '../../platform/random.ts'
import { lockSealing, type Sealing } from '../../platform/sealing/sealing.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { entryTextPlace } from '../sealed-places.ts'

/** An act of a member on a report. */
export type ReportAct = { workspaceId: string; number: string; actor: Actor; now: Date }

const lockedColumns = [
  'id',
  'workspace_id',
  'number',
  'received_at',
  'acknowledge_by',
  'answered_at',
  'state',
  'told_at',
  'family_id',
  'embargo_until',
  'wants_credit',
  'credit_consent',
  'consent_withdrawn_at',
  'duplicate_of',
  'receipt_sealed',
  'erased_at',
] as const

export type LockedReport = Awaited<ReturnType<typeof lockReport>>

/** Locks the report: acts on one follow each other, and each sees what the one before has left. Codes: `not_found`. */
export async function lockReport(tx: Tx, { workspaceId, number }: Pick<ReportAct, 'workspaceId' | 'number'>) {
  const row = await tx
    .selectFrom('inbox_report')
    .select(lockedColumns)
    .where('workspace_id', '=', workspaceId)
    .where('number', '=', readNumber(number))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  return row
}

/** Codes: `not_found`: what is no number is the number of no report. */
export function readNumber(text: string): number {
  const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
  if (number === undefined) throw new ServiceError('not_found')
  return number
}

/** Does an act on a report in one transaction. Codes: `not_found`, `conflict` (erased), and those of the act. */
export async function onReport<T>(
  db: Db,
  act: ReportAct,
  run: (tx: Tx, report: LockedReport) => Promise<T>,
): Promise<T> {
  return transact(db, async (tx) => {
    const report = await lockReport(tx, act)
    refuseErased(report)
    return run(tx, report)
  })
}

/** Codes: `conflict`. */
export function refuseErased({ erased_at: erasedAt }: LockedReport): void {
  if (erasedAt === null) return
  throw new ServiceError('conflict', { message: 'What this report said has been erased.' })
}

type Entry = { kind: Exclude<EntryKind, 'reporter' | 'state'>; text: string; sealing: Sealing }

/** Codes: `not_configured`. */
export async function addEntry(
  tx: Tx,
  report: LockedReport,
  { act, kind, text, sealing }: Entry & { act: ReportAct },
): Promise<void> {
  await lockSealing(tx, sealing)
  const { workspaceId, actor, now } = act
  const id = newId(now)
  await tx
    .insertInto('inbox_entry')
    .values({
      id,
      workspace_id: workspaceId,
      report_id: report.id,
      kind,
      at: now,
      person_id: actor.id,
      text_sealed: sealing.seal(entryTextPlace({ workspaceId, id }), text),
      state: null,
    })
    .execute()
}

/** Puts the report into a state, with its entry in the history. */
export async function enterState(
  tx: Tx,
  report: LockedReport,
  { act, state, more = {} }: { act: ReportAct; state: ReportState; more?: { duplicate_of?: string | null } },
): Promise<void> {
  const { workspaceId, actor, now } = act
  await tx
    .updateTable('inbox_report')
    .set({
      state,
      state_at: now,
      closed_at: state === 'closed' ? now : null,
      // closing it without an answer is a decision that there is none
      ...(state === 'closed' ? { remind_at: null } : {}),
      ...(report.state === 'duplicate' ? { duplicate_of: null } : {}),
      ...more,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', report.id)
    .execute()
  await tx
    .insertInto('inbox_entry')
    .values({
      id: newId(now),
      workspace_id: workspaceId,
      report_id: report.id,
      kind: 'state',
      at: now,
      person_id: actor.id,
      text_sealed: null,
      state,
    })
    .execute()
}

type NameOf<Action> = Action extends `report.${infer Name}` ? Name : never

/** Never what was written: the trail says who did what to which report. */
export async function recordReportAct(
  tx: Tx,
  { workspaceId, actor, now: at }: ReportAct,
  {
    report,
    action,
    ...change
  }: {
    report: { id: string; number: number }
    action: NameOf<AuditAction>
    before?: unknown
    after?: unknown
  },
): Promise<void> {
  const object = { kind: 'report', id: report.id, name: `#${report.number}` } as const
  await recordAct(tx, { workspaceId, actor, at, action: `report.${action}`, object, ...change })
}
