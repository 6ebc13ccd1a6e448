import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '../../contract/errors.ts'
import { nextStates, type ReportState } from '../../contract/disclosure/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { isDay } from '../../contract/calendar.ts'
import { namesNothing } from '../../platform/names-nothing.ts'
import { firstReminder } from '../reports/promise.ts'
import { familyName } from '../reports/receive-report.ts'
import { tellReport } from '../reports/tell-report.ts'
import { refuseSpam } from './answer-report.ts'
import {
  enterState,
  lockReport,
  onReport,
  readNumber,
  recordReportAct,
  refuseErased,
  type LockedReport,
  type ReportAct,
} from './lock-report.ts'

/**
 * Moves a report on. `from` is the state the member saw: of two who move it at once, the later is refused. Codes: `not_found`, `conflict`
 * (it is in another state, or the state does not follow).
 */
export async function moveReport(
  db: Db,
  act: ReportAct,
  { from, to }: { from: ReportState; to: ReportState },
): Promise<void> {
  await onReport(db, act, async (tx, report) => {
    refuseChanged(report, from)
    if (!nextStates[from].includes(to)) {
      throw new ServiceError('conflict', { message: `A report that is ${from} cannot become ${to}.` })
    }
    await enterState(tx, report, { act, state: to })
    await recordReportAct(tx, act, {
      report,
      action: 'moved',
      before: { state: from },
      after: { state: to },
    })
  })
}

function refuseChanged(report: LockedReport, from: ReportState): void {
  if (report.state !== from) {
    throw new ServiceError('conflict', { message: 'Somebody else has changed this report. Load it again.' })
  }
}

export type ReportChange = {
  familyId?: string | null
  embargoUntil?: string | null
  creditConsent?: boolean
}

/** Codes: `not_found`, `invalid_request`, `conflict` (erased, or a consent that the reporter has withdrawn). */
export async function changeReport(db: Db, act: ReportAct, change: ReportChange): Promise<void> {
  if (typeof change.embargoUntil === 'string' && !isDay(change.embargoUntil)) {
    throw new ServiceError('invalid_request', {
      fields: { embargoUntil: 'Expected a day of the calendar, such as 2026-01-31.' },
    })
  }
  await onReport(db, act, async (tx, report) => {
    if (namesNothing(change)) return
    if (typeof change.familyId === 'string') await refuseForeignFamily(tx, act.workspaceId, change.familyId)
    const after = {
      family_id: change.familyId === undefined ? report.family_id : change.familyId,
      embargo_until: change.embargoUntil === undefined ? report.embargo_until : change.embargoUntil,
      credit_consent: change.creditConsent ?? report.credit_consent,
    }
    const { family_id, embargo_until, credit_consent } = report
    if (after.credit_consent && report.consent_withdrawn_at !== null) refuseWithdrawn()
    const before = { family_id, embargo_until, credit_consent }
    if (isDeepStrictEqual(before, after)) return
    await tx
      .updateTable('inbox_report')
      .set(after)
      .where('workspace_id', '=', act.workspaceId)
      .where('id', '=', report.id)
      .execute()
    if (!after.credit_consent)
      await tx.deleteFrom('acknowledgment').where('report_id', '=', report.id).execute()
    await recordReportAct(tx, act, { report, action: 'changed', before, after })
  })
}

function refuseWithdrawn(): never {
  throw new ServiceError('conflict', {
    message:
      'The reporter has withdrawn the consent to be named. Only they can give it again, on the status page.',
  })
}

async function refuseForeignFamily(tx: Tx, workspaceId: string, familyId: string): Promise<void> {
  const family = await tx
    .selectFrom('family')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', familyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (family === undefined) {
    throw new ServiceError('invalid_request', { fields: { familyId: 'There is no such product family.' } })
  }
}

/**
 * Marks a report as a duplicate of an earlier one; its own duplicates move with it. Codes: `not_found`, `invalid_request` (no such
 * report, itself, or a duplicate of this one), `conflict` (erased, spam).
 */
export async function markDuplicate(db: Db, act: ReportAct, of: number): Promise<void> {
  const problem = (text: string) => new ServiceError('invalid_request', { fields: { of: text } })
  await transact(db, async (tx) => {
    const own = readNumber(act.number)
    if (of === own) throw problem('A report cannot be a duplicate of itself.')
    // in the order of numbers, so that two members who name each other's report do not wait for each other
    const held = new Map<number, LockedReport>()
    for (const number of [own, of].toSorted((left, right) => left - right)) {
      const found = await lockReport(tx, { ...act, number: String(number) }).catch((error: unknown) => {
        if (number === of && error instanceof ServiceError && error.code === 'not_found')
          throw problem('There is no report with this number.')
        throw error
      })
      held.set(number, found)
    }
    const [report, original] = [held.get(own), held.get(of)]
    if (report === undefined || original === undefined) throw new ServiceError('not_found')
    refuseErased(report)
    refuseSpam(report)
    if (original.state === 'spam') throw problem('That report is spam.')
    const target = original.duplicate_of ?? original.id
    if (target === report.id) throw problem('That report is a duplicate of this one.')
    if (report.duplicate_of === target) return
    await tx
      .updateTable('inbox_report')
      .set({ duplicate_of: target })
      .where('workspace_id', '=', act.workspaceId)
      .where('duplicate_of', '=', report.id)
      .execute()
    await enterState(tx, report, { act, state: 'duplicate', more: { duplicate_of: target } })
    await recordReportAct(tx, act, { report, action: 'duplicate_of', after: { of } })
  })
}

/** Codes: `not_found`, `conflict` (it is spam already, or erased). */
export async function markSpam(db: Db, act: ReportAct): Promise<void> {
  await onReport(db, act, async (tx, report) => {
    refuseSpam(report)
    await enterState(tx, report, { act, state: 'spam' })
    await tx
      .updateTable('inbox_report')
      .set({ spam_reasons: ['by_member'], remind_at: null })
      .where('workspace_id', '=', act.workspaceId)
      .where('id', '=', report.id)
      .execute()
    await recordReportAct(tx, act, { report, action: 'marked_spam', before: { state: report.state } })
  })
}

/** Moves a report into the inbox and only then has it told, with the time at which it came. Codes: `not_found`, `conflict` (no spam). */
export async function markNotSpam(db: Db, act: ReportAct): Promise<void> {
  await onReport(db, act, async (tx, report) => {
    if (report.state !== 'spam') {
      throw new ServiceError('conflict', { message: 'This report is not in the Spam tab.' })
    }
    const { id, number, received_at: receivedAt, answered_at: answeredAt, acknowledge_by: until } = report
    await enterState(tx, report, { act, state: answeredAt === null ? 'new' : 'acknowledged' })
    await tx
      .updateTable('inbox_report')
      .set({ spam_reasons: [], remind_at: answeredAt === null ? firstReminder(receivedAt, until) : null })
      .where('workspace_id', '=', act.workspaceId)
      .where('id', '=', id)
      .execute()
    const family = await familyName(tx, act.workspaceId, report.family_id)
    const acknowledgeBy = answeredAt === null ? until : null
    const told = { id, workspaceId: act.workspaceId, number, family, receivedAt, acknowledgeBy }
    await tellReport(tx, told, act.now)
    await recordReportAct(tx, act, { report, action: 'not_spam' })
  })
}
