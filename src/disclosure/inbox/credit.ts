import { ServiceError } from '../../contract/errors.ts'
import { reportLimits } from '../../contract/disclosure/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { newId } from '../../platform/random.ts'
import { InputReader } from '../../platform/input-reader.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { keepShownName } from '../credited-names.ts'
import { isWebLink } from '../form/read-report.ts'
import { onReport, recordReportAct, type ReportAct } from './lock-report.ts'

/** Thanks on the public page, the latest first. */
export type Acknowledgment = { name: string; link: string | null; day: string }

const maxShown = 1_000

export async function listAcknowledgments(db: Db, workspaceId: string): Promise<Acknowledgment[]> {
  return db
    .selectFrom('acknowledgment')
    .select(['name', 'link', 'day'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('day', 'desc')
    .orderBy('id', 'desc')
    .limit(maxShown)
    .execute()
}

/** Shows who found what was reported; they have agreed to that. Codes: `not_found`, `invalid_request`, `conflict` (no consent, or erased), `not_configured`. */
export async function showCredit(
  db: Db,
  { sealing, ...act }: ReportAct & { sealing: Sealing },
  credit: { name: string; link: string | null },
): Promise<void> {
  const link = credit.link === null || credit.link.trim() === '' ? null : credit.link.trim()
  const input = new InputReader()
  const name = input.line('name', credit.name, reportLimits.shortCharacters)
  if (link !== null && (!isWebLink(link) || [...link].length > reportLimits.linkCharacters))
    input.refuse('link', 'It must be an address that begins with https:// or http://.')
  input.finish()
  await onReport(db, act, async (tx, report) => {
    if (!report.credit_consent)
      throw new ServiceError('conflict', { message: 'The reporter has not agreed to be named.' })
    const { workspaceId, now } = act
    const shown = { name, link, day: now.toISOString().slice(0, 10) }
    const written = await tx
      .insertInto('acknowledgment')
      .values({ id: newId(now), workspace_id: workspaceId, report_id: report.id, ...shown })
      .onConflict((conflict) =>
        conflict
          .column('report_id')
          .doUpdateSet({ name, link })
          .where((where) =>
            where.or([
              where('acknowledgment.name', '<>', name),
              where('acknowledgment.link', 'is distinct from', link),
            ]),
          ),
      )
      .executeTakeFirst()
    if (written.numInsertedOrUpdatedRows === 0n) return
    await keepShownName(tx, { sealing, key: { workspaceId, id: report.id }, name })
    await recordReportAct(tx, act, { report, action: 'credited' })
  })
}

/** Codes: `not_found` (also where nothing is shown), `conflict` (erased). */
export async function hideCredit(db: Db, act: ReportAct): Promise<void> {
  await onReport(db, act, async (tx, report) => {
    const { numDeletedRows } = await tx
      .deleteFrom('acknowledgment')
      .where('workspace_id', '=', act.workspaceId)
      .where('report_id', '=', report.id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new ServiceError('not_found')
    await recordReportAct(tx, act, { report, action: 'credit_removed' })
  })
}
