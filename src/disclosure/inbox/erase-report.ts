import { sql, type RawBuilder } from 'kysely'
import { lockDrafts, takeOutOfDrafts } from '../../advisories/drafts/credits.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Removal, RetentionRule } from '../../queue/schedule/retention.ts'
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
    await eraseTexts(tx, [{ id: report.id, workspaceId }], { sealing, now: act.now })
    await tx.deleteFrom('acknowledgment').where('report_id', '=', report.id).execute()
    await recordReportAct(tx, act, { report, action: 'erased' })
  })
}

type Erased = { id: string; workspaceId: string }

/** The drafts and the reports are locked, in this order. */
async function eraseTexts(tx: Tx, reports: readonly Erased[], { sealing, now }: Removal): Promise<void> {
  await forgetNames(tx, reports, sealing)
  const ids = reports.map(({ id }) => id)
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

/** Takes the thanks out of drafts while it can still be told whose they are. */
async function forgetNames(tx: Tx, reports: readonly Erased[], sealing: Sealing): Promise<void> {
  for (const { id, workspaceId } of reports) {
    const names = await selectCreditedNames(tx, { sealing, key: { workspaceId, id } })
    await takeOutOfDrafts(tx, { workspaceId, reportId: id, names })
  }
}

/** Locks the drafts of the companies whose reports are due, as publishing does before it reads reports. */
async function lockDraftsOf(tx: Tx, due: RawBuilder<{ id: string }>): Promise<void> {
  const { rows } = await sql<{ workspaceId: string }>`
    select distinct workspace_id as "workspaceId" from inbox_report
    where id in (${due}) order by workspace_id`.execute(tx)
  for (const { workspaceId } of rows) await lockDrafts(tx, workspaceId)
}

// index inbox_report_spam
const dueSpam = (now: Date) => sql<{ id: string }>`
  select id from inbox_report
  where state = 'spam' and state_at <= ${now}::timestamptz - make_interval(days => ${sql.lit(spamKeptDays)})`

// index inbox_report_kept
const dueClosed = (now: Date) => sql<{ id: string }>`
  select id from inbox_report
  where state = 'closed' and erased_at is null and closed_at <= ${now}::timestamptz - interval '3 years'`

/** Spam goes 30 days after it was found to be that; what was closed three years ago is erased: the thanks stay, for which there is consent. */
export const reportRetention: readonly RetentionRule[] = [
  {
    what: 'vulnerability reports marked as spam, with their files',
    kept: '30 days after they were found to be spam',
    over: dueSpam,
    lockFirst: (tx, now) => lockDraftsOf(tx, dueSpam(now)),
    remove: async (tx, ids, { now, sealing }) => {
      await forgetNames(tx, await recordErased(tx, { ids, now, action: 'report.spam_purged' }), sealing)
      await tx.deleteFrom('inbox_report').where('id', 'in', ids).execute()
    },
  },
  {
    what: 'who reported a vulnerability, and what the report and its thread say',
    kept: '3 years after the report was closed',
    over: dueClosed,
    lockFirst: (tx, now) => lockDraftsOf(tx, dueClosed(now)),
    remove: async (tx, ids, removal) => {
      const reports = await recordErased(tx, { ids, now: removal.now, action: 'report.erased' })
      await eraseTexts(tx, reports, removal)
    },
  },
]

async function recordErased(
  tx: Tx,
  { ids, now, action }: { ids: readonly string[]; now: Date; action: 'report.erased' | 'report.spam_purged' },
): Promise<Erased[]> {
  const reports = await tx
    .selectFrom('inbox_report')
    .select(['id', 'workspace_id as workspaceId', 'number'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  for (const { id, workspaceId, number } of reports) {
    const object = { kind: 'report', id, name: `#${number}` } as const
    await recordAct(tx, { workspaceId, actor: schedule, at: now, action, object })
  }
  return reports
}
