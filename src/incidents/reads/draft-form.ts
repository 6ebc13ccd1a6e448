import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import { reportStages, type Regime, type ReportStage } from '../../contract/alerts/events.ts'
import type { DraftForm, DraftValues } from '../../contract/incidents/report-drafts.ts'
import type { IncidentKind } from '../../contract/incidents/words.ts'
import type { Db } from '../../database/connection.ts'
import { formOf } from '../../report-forms/forms.ts'
import type { IncidentKey } from './select-decisions.ts'

type Stored = {
  kind: IncidentKind
  regime: Regime
  stage: ReportStage
  version: string | null
  earlier: { stage: ReportStage; values: DraftValues }[] | null
}

/**
 * The form that the draft of a report is written in, that of its saved draft or the newest, and the draft that was saved last at an earlier
 * stage of its cycle. Codes: `not_found`.
 */
export async function describeDraftForm(
  db: Db,
  { workspaceId, incidentId, reportId }: IncidentKey & { reportId: string },
): Promise<{ form: DraftForm; previous: DraftValues }> {
  const { rows } = await sql<Stored>`
    select i.kind, r.regime, r.report as stage, d.fields_version as version, (
      select jsonb_agg(jsonb_build_object('stage', e.report, 'values', p.field_values))
      from regime_report e join report_draft p on p.report_id = e.id
      where e.incident_id = r.incident_id and e.regime = r.regime and e.cycle = r.cycle and e.id <> r.id
    ) as earlier
    from regime_report r
    join incident i on i.workspace_id = r.workspace_id and i.id = r.incident_id
    left join report_draft d on d.report_id = r.id
    where r.workspace_id = ${workspaceId} and r.incident_id = ${incidentId} and r.id = ${reportId}`.execute(
    db,
  )
  const [stored] = rows
  if (stored === undefined) throw new ServiceError('not_found')
  const { kind, regime, stage, version, earlier } = stored
  const form = formOf({ kind, regime, stage, ...(version === null ? {} : { version }) })
  return { form, previous: previousOf(earlier ?? [], stage) }
}

function previousOf(earlier: NonNullable<Stored['earlier']>, stage: ReportStage): DraftValues {
  const place = (one: { stage: ReportStage }) => reportStages.indexOf(one.stage)
  const before = earlier
    .filter((one) => place(one) < reportStages.indexOf(stage))
    .sort((one, other) => place(one) - place(other))
  return before.at(-1)?.values ?? {}
}
