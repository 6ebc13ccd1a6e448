import { sql } from 'kysely'
import type { DraftValues } from '../../contract/incidents/report-drafts.ts'
import type { ReportDraftDetail } from '../../contract/incidents/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { isOnSameVulnerability } from '../record/linked.ts'
import { selectIncident, type Incident } from '../record/lock-incident.ts'
import { selectReport, selectReports, type Report } from '../submissions/select-report.ts'
import { checkDraft } from './check-draft.ts'
import { formOf, stagesBefore, type DraftStage } from '../../report-forms/forms.ts'
import { selectKeptValues } from './kept/kept-values.ts'
import { selectDraftFacts } from './known-facts.ts'
import { prefillDraft } from './prefill-draft.ts'
import { storedDraft } from './stored-draft.ts'

type Asked = { workspaceId: string; incidentId: string; reportId: string; now: Date }

/** The draft of a report: as it was saved, else made from what is known and from the stages before. Codes: `not_found`. */
export async function getDraft(db: Db, asked: Asked): Promise<ReportDraftDetail> {
  const { reportId, now } = asked
  const incident = await selectIncident(db, asked)
  if (incident === undefined) throw new ServiceError('not_found')
  const report = await selectReport(db, incident, reportId)
  return describeDraft(db, { incident, report, now })
}

type IncidentReport = { incident: Incident; report: Report }

/** A draft with its form, what is missing in it, and where else there is one to copy. */
export async function describeDraft(
  db: Db,
  { incident, report, now }: IncidentReport & { now: Date },
): Promise<ReportDraftDetail> {
  const draft = await selectDraft(db, { incident, report })
  const form = formOf(draft.stage)
  const isLate = report.due_at !== null && (report.submitted_at ?? now) > report.due_at
  return {
    reportId: report.id,
    regime: report.regime,
    report: report.report,
    cycle: report.cycle,
    fieldsVersion: form.version,
    form,
    values: draft.values,
    problems: checkDraft(draft.values, draft.stage, { isLate }),
    revision: draft.revision,
    savedAt: draft.savedAt?.toISOString() ?? null,
    savedBy: draft.savedBy,
    siblings: await selectSiblings(db, { incident, report }),
    kept: await selectKeptValues(db, incident, {
      stage: draft.stage,
      values: draft.values,
      isOfNow: report.cycle === incident.cycle,
    }),
  }
}

export type Draft = {
  stage: DraftStage
  values: DraftValues
  /** 0: it has not been saved. */
  revision: number
  savedAt: Date | null
  savedBy: string | null
}

/** The draft of a report as it is now. */
export async function selectDraft(db: Db, { incident, report }: IncidentReport): Promise<Draft> {
  const stage: DraftStage = { regime: report.regime, kind: incident.kind, stage: report.report }
  const saved = await selectSaved(db, report.id)
  if (saved !== undefined) {
    return {
      ...storedDraft(saved, stage),
      revision: saved.revision,
      savedAt: saved.saved_at,
      savedBy: saved.saved_by_name,
    }
  }
  const facts = await selectDraftFacts(db, incident, report.regime)
  const previous = await selectPrevious(db, { incident, report })
  return { stage, values: prefillDraft(facts, stage, previous), revision: 0, savedAt: null, savedBy: null }
}

export async function selectSaved(db: Db, reportId: string) {
  return db.selectFrom('report_draft').selectAll().where('report_id', '=', reportId).executeTakeFirst()
}

/** What was written at the stages before; of a field that several have, the latest. */
async function selectPrevious(db: Db, { incident, report }: IncidentReport): Promise<DraftValues> {
  const reports = await selectReports(db, incident)
  const earlier = stagesBefore(report.regime, report.report).flatMap((stage) =>
    reports.filter(
      (one) => one.regime === report.regime && one.cycle === report.cycle && one.report === stage,
    ),
  )
  const values: Record<string, DraftValues[string]> = {}
  for (const one of earlier) {
    const saved = await selectSaved(db, one.id)
    if (saved === undefined) continue
    const stage = { regime: one.regime, kind: incident.kind, stage: one.report }
    Object.assign(values, storedDraft(saved, stage).values)
  }
  return values
}

const familiesOf = sql<string[]>`array(
  select y.name from incident_family f join family y on y.id = f.family_id where f.incident_id = i.id order by y.name
)`

async function selectSiblings(
  db: Db,
  { incident, report }: IncidentReport,
): Promise<ReportDraftDetail['siblings']> {
  if (incident.vuln_key === null) return []
  return db
    .selectFrom('incident as i')
    .innerJoin('regime_report as r', (join) =>
      join.onRef('r.incident_id', '=', 'i.id').onRef('r.cycle', '=', 'i.cycle'),
    )
    .innerJoin('report_draft as d', 'd.report_id', 'r.id')
    .select(['i.id as incidentId', 'i.reference'])
    .select(familiesOf.as('families'))
    .where('i.workspace_id', '=', incident.workspace_id)
    .where(isOnSameVulnerability({ id: incident.id, vulnKey: incident.vuln_key }))
    .where('i.id', '<>', incident.id)
    .where('i.kind', '=', incident.kind)
    .where('r.regime', '=', report.regime)
    .where('r.report', '=', report.report)
    .orderBy('d.saved_at', 'desc')
    .limit(20)
    .execute()
}
