import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import type { Incident } from '../record/lock-incident.ts'
import type { KeptDraft } from './draft-of-submission.ts'
import type { Filing } from './read-submission.ts'

type Asked = { filing: Filing; actorId: string | null; drafts: ReadonlyMap<string, KeptDraft> }

/**
 * The record of the same update or amendment by the same member: it was sent again because the answer was lost. A first submission
 * needs no such check, since a report has at most one.
 */
export async function selectRecorded(
  tx: Tx,
  incident: Incident,
  { filing, actorId, drafts }: Asked,
): Promise<string | undefined> {
  const [report] = filing.reports
  if (filing.kind === 'submission' || report === undefined) return undefined
  const draft = JSON.stringify(drafts.get(report.id)?.snapshot ?? null)
  const row = await tx
    .selectFrom('submission')
    .select('id')
    .where('workspace_id', '=', incident.workspace_id)
    .where('incident_id', '=', incident.id)
    .where('report_id', '=', report.id)
    .where('kind', '=', filing.kind)
    .where('submitted_at', '=', filing.submittedAt)
    .where('channel', '=', filing.channel)
    .where('authority', 'is not distinct from', filing.authority)
    .where('external_reference', 'is not distinct from', filing.reference)
    .where('delay_reason', 'is not distinct from', filing.delayReason)
    .where('recorded_by', '=', actorId)
    .where(sql<boolean>`coalesce(draft, 'null'::jsonb) = ${draft}::jsonb`)
    .executeTakeFirst()
  return row?.id
}
