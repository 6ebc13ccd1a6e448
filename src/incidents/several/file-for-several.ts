import { ServiceError } from '../../contract/errors.ts'
import type { Regime, ReportStage } from '../../contract/alerts/events.ts'
import { stageNames } from '../../contract/incidents/incident-names.ts'
import type { BulkResult } from '../../contract/incidents/bulk-result.ts'
import type { Db } from '../../database/connection.ts'
import { copyDraft } from '../drafts/save-draft.ts'
import type { NewSubmission } from '../submissions/read-submission.ts'
import { recordSubmission } from '../submissions/record-submission.ts'
import type { Report } from '../submissions/select-report.ts'
import { onEach, requireSameVulnerability, type BulkAct } from './on-each.ts'

/** Identifies the report of each incident: one stage of one regime. */
type SameReport = { regime: Regime; report: ReportStage }

type SameFiling = Omit<NewSubmission, 'alsoCovers'> & { alsoCovers?: readonly ReportStage[] }

/** Of those that were done, what was recorded on each. */
export type FiledForSeveral = BulkResult & { submissions: { incident: string; id: string }[] }

/**
 * Records one filing for the same report of incidents on one vulnerability. Each has a record of its own, with the text of its own draft and its
 * own rules: a report that is late only for one needs the reasons only there. Codes: `not_found`, `invalid_request` (they are about several; what
 * was given is right for none of them).
 */
export async function recordSubmissions(
  db: Db,
  act: BulkAct,
  { ids, of, filing }: { ids: readonly string[]; of: SameReport; filing: SameFiling },
): Promise<FiledForSeveral> {
  await requireSameVulnerability(db, act.workspaceId, ids)
  const submissions: FiledForSeveral['submissions'] = []
  const { alsoCovers = [], ...given } = filing
  const result = await onEach(db, act, ids, async ({ id: incidentId }) => {
    const reports = await selectCurrent(db, { ...act, incidentId }, of.regime)
    const covered = alsoCovers.map((stage) => reportAt(reports, stage).id)
    const id = await recordSubmission(
      db,
      { ...act, incidentId, reportId: reportAt(reports, of.report).id },
      { ...given, ...(covered.length === 0 ? {} : { alsoCovers: covered }) },
    )
    submissions.push({ incident: incidentId, id })
  })
  return { ...result, submissions }
}

type DraftsToWrite = {
  /** The incident whose saved draft is copied. */
  from: string
  of: SameReport
  /** `revision`: of the draft that is replaced, as it was read; 0: none is saved. */
  into: readonly { incident: string; revision: number }[]
}

/**
 * Copies the saved draft of one incident to the same report of others on the vulnerability: each keeps its products, components and times. A
 * draft saved since it was read is not replaced. Codes: `not_found`, `invalid_request` (there is no such draft to take over).
 */
export async function copyDrafts(
  db: Db,
  act: BulkAct,
  { from, of, into }: DraftsToWrite,
): Promise<BulkResult> {
  const revisions = new Map(into.map(({ incident, revision }) => [incident, revision]))
  return onEach(db, act, [...revisions.keys()], async ({ id: incidentId }) => {
    const reports = await selectCurrent(db, { ...act, incidentId }, of.regime)
    const reportId = reportAt(reports, of.report).id
    await copyDraft(db, { ...act, incidentId, reportId }, { from, revision: revisions.get(incidentId) ?? 0 })
  })
}

/** The reports of a regime that are counted now. */
async function selectCurrent(
  db: Db,
  { workspaceId, incidentId }: { workspaceId: string; incidentId: string },
  regime: Regime,
): Promise<Pick<Report, 'id' | 'report'>[]> {
  return db
    .selectFrom('regime_report as r')
    .innerJoin('incident as i', (join) =>
      join.onRef('i.id', '=', 'r.incident_id').onRef('i.cycle', '=', 'r.cycle'),
    )
    .select(['r.id', 'r.report'])
    .where('r.workspace_id', '=', workspaceId)
    .where('r.incident_id', '=', incidentId)
    .where('r.regime', '=', regime)
    .execute()
}

function reportAt(reports: readonly Pick<Report, 'id' | 'report'>[], stage: ReportStage) {
  const report = reports.find((one) => one.report === stage)
  if (report !== undefined) return report
  throw new ServiceError('conflict', {
    message: `It has no report of this kind: ${stageNames[stage].toLowerCase()}.`,
  })
}
