import type { Db } from '../../database/connection.ts'
import { snapshotOf, type DraftSnapshot } from '../drafts/draft-snapshot.ts'
import { storedDraft } from '../drafts/stored-draft.ts'
import type { Incident } from '../record/lock-incident.ts'
import type { Report } from './select-report.ts'

/** What a submission keeps of a saved draft, and the reasons for a delay that it gives. */
export type KeptDraft = { snapshot: DraftSnapshot; delayReason: string }

/** The saved drafts of these reports, by report. */
export async function selectSnapshots(
  db: Db,
  { workspace_id, kind }: Pick<Incident, 'workspace_id' | 'kind'>,
  reports: readonly Report[],
): Promise<ReadonlyMap<string, KeptDraft>> {
  const stored = await db
    .selectFrom('report_draft')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where(
      'report_id',
      'in',
      reports.map(({ id }) => id),
    )
    .execute()
  return new Map(
    stored.flatMap((row) => {
      const report = reports.find(({ id }) => id === row.report_id)
      if (report === undefined) return []
      const { stage, values } = storedDraft(row, { kind, regime: report.regime, stage: report.report })
      const delay = values['delay_reasons']
      const delayReason = typeof delay === 'string' ? delay : ''
      return [[report.id, { snapshot: snapshotOf(stage, values), delayReason }] as const]
    }),
  )
}
