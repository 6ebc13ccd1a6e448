import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { recordAct, type Actor } from '../../workspace/audit.ts'
import { onReport, readNumber, recordReportAct, type ReportAct } from './hold-report.ts'

const spamKeptMs = 30 * 24 * 3_600_000
/** Reports forgotten in one transaction. */
const atOnce = 100
const schedule: Actor = { kind: 'system', id: null, name: 'retention' }

/**
 * Erases who reported and everything that was written or attached, and the thanks; that there was a report, and what became of it, stays. The
 * link of the reporter ends. Codes: `not_found`, `invalid_request` (another number was typed), `conflict` (erased already).
 */
export async function eraseReport(db: Db, act: ReportAct, confirmNumber: number): Promise<void> {
  if (confirmNumber !== readNumber(act.number)) {
    throw new ServiceError('invalid_request', {
      fields: { confirmNumber: 'Type the number of the report to erase what it says.' },
    })
  }
  await onReport(db, act, async (tx, report) => {
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

/** Scheduled: what was closed three years ago is erased; the thanks stay, for which there is consent. Index inbox_report_kept. */
export async function eraseOldReports(db: Db, now: Date): Promise<void> {
  for (let found = atOnce; found === atOnce;) {
    found = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string; workspace_id: string; number: number }>`
        select id, workspace_id, number from inbox_report
        where state = 'closed' and erased_at is null and closed_at <= ${now}::timestamptz - interval '3 years'
        limit ${atOnce} for update skip locked`.execute(tx)
      if (rows.length > 0) {
        await eraseTexts(
          tx,
          rows.map(({ id }) => id),
          now,
        )
        for (const { id, workspace_id: workspaceId, number } of rows) {
          const object = { kind: 'report', id, name: `#${number}` }
          await recordAct(tx, { workspaceId, actor: schedule, at: now, action: 'report.erased', object })
        }
      }
      return rows.length
    })
  }
}

/** Scheduled: spam goes 30 days after it was found to be that. Index inbox_report_spam. */
export async function purgeSpam(db: Db, now: Date): Promise<void> {
  for (let found = atOnce; found === atOnce;) {
    found = await db.transaction().execute(async (tx) => {
      const rows = await tx
        .deleteFrom('inbox_report')
        .where('id', 'in', (query) =>
          query
            .selectFrom('inbox_report')
            .select('id')
            .where('state', '=', 'spam')
            .where('state_at', '<=', new Date(now.getTime() - spamKeptMs))
            .limit(atOnce)
            .forUpdate()
            .skipLocked(),
        )
        .returning(['id', 'workspace_id', 'number'])
        .execute()
      for (const { id, workspace_id: workspaceId, number } of rows) {
        const object = { kind: 'report', id, name: `#${number}` }
        await recordAct(tx, { workspaceId, actor: schedule, at: now, action: 'report.spam_purged', object })
      }
      return rows.length
    })
  }
}
