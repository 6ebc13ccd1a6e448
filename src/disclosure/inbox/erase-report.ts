import { sql } from 'kysely'
import { lockDrafts, takeOutOfDrafts } from '../../advisories/drafts/credits.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { RetentionRule } from '../../platform/schedule/retention.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { selectCreditedNames } from '../credited-names.ts'
import { lockReport, readNumber, recordReportAct, refuseErased, type ReportAct } from './lock-report.ts'

const spamKeptDays = 30
const schedule: Actor = { kind: 'system', id: null, name: 'retention' }

/**
 * Erases who reported and everything that was written or attached, and the thanks, also from drafts of advisories; that there was a report, and what became of it, stays. The
 * link of the reporter ends. Codes: `not_found`, `invalid_request` (another number was typed), `conflict` (erased already).
 */
export async function eraseReport(
  db: Db,
  { sealing, ...act }: ReportAct & { sealing: Sealing },
  confirmNumber: number,
): Promise<void> {
  if (confirmNumber !== readNumber(act.number)) {
    throw new ServiceError('invalid_request', {
      fields: { confirmNumber: 'Type the number of the report to erase what it says.' },
    })
  }
  const { workspaceId } = act
  await transact(db, async (tx) => {
    // in the order in which publishing locks
    await lockDrafts(tx, workspaceId)
    const report = await lockReport(tx, act)
    refuseErased(report)
    const names = await selectCreditedNames(tx, { sealing, key: { workspaceId, id: report.id } })
    await takeOutOfDrafts(tx, { workspaceId, reportId: report.id, names })
    await eraseTexts(tx, [report.id], act.now)
    await tx.deleteFrom('acknowledgment').where('report_id', '=', report.id).execute()
    await recordReportAct(tx, act, { report, action: 'erased' })
  })
}

async function eraseTexts(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  await tx
    .updateTable('inbox_report')
    .set({
      text_sealed: null,
      text_hash: null,
      receipt_hash: null,
      receipt_sealed: null,
      remind_at: null,
      erased_at: now,
    })
    .where('id', 'in', ids)
    .execute()
  await tx.updateTable('inbox_entry').set({ text_sealed: null }).where('report_id', 'in', ids).execute()
  await tx.deleteFrom('inbox_attachment').where('report_id', 'in', ids).execute()
}

/** Spam goes 30 days after it was found to be that; what was closed three years ago is erased: the thanks stay, for which there is consent. */
export const reportRetention: readonly RetentionRule[] = [
  {
    what: 'vulnerability reports marked as spam, with their files',
    kept: '30 days after they were found to be spam',
    // index inbox_report_spam
    over: (now) => sql`
      select id from inbox_report
      where state = 'spam' and state_at <= ${now}::timestamptz - make_interval(days => ${sql.lit(spamKeptDays)})`,
    remove: async (tx, ids, now) => {
      await recordErased(tx, { ids, now, action: 'report.spam_purged' })
      await tx.deleteFrom('inbox_report').where('id', 'in', ids).execute()
    },
  },
  {
    what: 'who reported a vulnerability, and what the report and its thread say',
    kept: '3 years after the report was closed',
    // index inbox_report_kept
    over: (now) => sql`
      select id from inbox_report
      where state = 'closed' and erased_at is null and closed_at <= ${now}::timestamptz - interval '3 years'`,
    remove: async (tx, ids, now) => {
      await recordErased(tx, { ids, now, action: 'report.erased' })
      await eraseTexts(tx, ids, now)
    },
  },
]

async function recordErased(
  tx: Tx,
  { ids, now, action }: { ids: readonly string[]; now: Date; action: 'report.erased' | 'report.spam_purged' },
): Promise<void> {
  const rows = await tx
    .selectFrom('inbox_report')
    .select(['id', 'workspace_id', 'number'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  for (const { id, workspace_id: workspaceId, number } of rows) {
    const object = { kind: 'report', id, name: `#${number}` } as const
    await recordAct(tx, { workspaceId, actor: schedule, at: now, action, object })
  }
}
