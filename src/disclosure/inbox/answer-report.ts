import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { enqueueReporterMail } from '../reports/receive-report.ts'
import { refuseUnwritable } from '../reports/receipt.ts'
import {
  addEntry,
  enterState,
  onReport,
  recordReportAct,
  type LockedReport,
  type ReportAct,
} from './lock-report.ts'

type Writing = { text: string; sealing: Sealing }

/**
 * Writes to the reporter; the first message acknowledges the report. Codes: `not_found`, `invalid_request`, `not_configured`, `conflict`
 * (spam, or erased).
 */
export async function messageReporter(db: Db, act: ReportAct, { text, sealing }: Writing): Promise<void> {
  refuseUnwritable(text)
  await onReport(db, act, async (tx, report) => {
    refuseSpam(report)
    await addEntry(tx, report, { act, kind: 'company', text, sealing })
    await answer(tx, act, report)
    if (report.receipt_sealed !== null) {
      await enqueueReporterMail(tx, { workspaceId: act.workspaceId, id: report.id, cause: 'news' }, act.now)
    }
    await recordReportAct(tx, act, { report, action: 'message_sent' })
  })
}

/** Notes how the reporter was answered elsewhere, which acknowledges the report. Codes: as of `messageReporter`. */
export async function noteOutsideAnswer(db: Db, act: ReportAct, { text, sealing }: Writing): Promise<void> {
  refuseUnwritable(text)
  await onReport(db, act, async (tx, report) => {
    refuseSpam(report)
    await addEntry(tx, report, { act, kind: 'outside', text, sealing })
    await answer(tx, act, report)
    await recordReportAct(tx, act, { report, action: 'answered_outside' })
  })
}

/** A note for members alone. Codes: `not_found`, `invalid_request`, `not_configured`, `conflict` (erased). */
export async function noteOnReport(db: Db, act: ReportAct, { text, sealing }: Writing): Promise<void> {
  refuseUnwritable(text)
  await onReport(db, act, async (tx, report) => {
    await addEntry(tx, report, { act, kind: 'note', text, sealing })
    await recordReportAct(tx, act, { report, action: 'note_added' })
  })
}

/** The promise is kept, and reminders end. */
async function answer(tx: Tx, act: ReportAct, report: LockedReport): Promise<void> {
  if (report.answered_at === null) {
    await tx
      .updateTable('inbox_report')
      .set({ answered_at: act.now, remind_at: null })
      .where('workspace_id', '=', act.workspaceId)
      .where('id', '=', report.id)
      .execute()
  }
  if (report.state !== 'new') return
  await enterState(tx, report, { act, state: 'acknowledged' })
  await recordReportAct(tx, act, { report, action: 'acknowledged' })
}

export function refuseSpam({ state }: Pick<LockedReport, 'state'>): void {
  if (state === 'spam') {
    throw new ServiceError('conflict', {
      message: 'This report is in the Spam tab. Mark it as not spam first.',
    })
  }
}
