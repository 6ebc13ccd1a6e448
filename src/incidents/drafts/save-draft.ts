import { ServiceError } from '../../contract/errors.ts'
import { shownSecond } from '../../contract/shown-time.ts'
import type { DraftValues } from '../../contract/incidents/report-drafts.ts'
import type { ReportDraftDetail } from '../../contract/incidents/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { hourMs } from '../../contract/durations.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { selectReport, type Report } from '../submissions/select-report.ts'
import { acceptDraft } from './accept-draft.ts'
import { copiedDraft } from './copied-draft.ts'
import { formOf } from '../../report-forms/forms.ts'
import { describeDraft, selectDraft, type Draft } from './read-draft.ts'

type DraftAct = IncidentAct & { reportId: string }

/**
 * Saves the draft of a report with all its values. Codes: `not_found`, `invalid_request`, `conflict` (saved since it was read, with who saved
 * it and when; closed, unless what was submitted is amended).
 */
export async function saveDraft(
  db: Db,
  act: DraftAct,
  given: { revision: number; values: unknown },
): Promise<ReportDraftDetail> {
  return onDraft(db, act, given.revision, (_tx, { draft }) =>
    Promise.resolve(acceptDraft(given.values, draft.stage)),
  )
}

/**
 * Copies what was saved for the same report of another incident on the same vulnerability. The incident keeps its products, components
 * and times. Codes as for saving; `invalid_request` also when the other one has no such draft.
 */
export async function copyDraft(
  db: Db,
  act: DraftAct,
  given: { revision: number; from: string },
): Promise<ReportDraftDetail> {
  return onDraft(db, act, given.revision, (tx, stored) => copiedDraft(tx, { ...stored, from: given.from }))
}

type DraftOfReport = { incident: Incident; report: Report; draft: Draft }

async function onDraft(
  db: Db,
  act: DraftAct,
  revision: number,
  write: (tx: Tx, stored: DraftOfReport) => Promise<DraftValues>,
): Promise<ReportDraftDetail> {
  return onIncident(db, act, async (tx, incident) => {
    const report = await selectReport(tx, incident, act.reportId)
    if (report.state !== 'submitted') refuseClosed(incident)
    const draft = await selectDraft(tx, { incident, report })
    refuseSavedSince(draft, revision)
    const values = await write(tx, { incident, report, draft })
    await store(tx, { act, incident, report, draft, values })
    await noteSaving(tx, { act, incident, report })
    return describeDraft(tx, { incident, report, now: act.now })
  })
}

function refuseSavedSince({ revision, savedAt, savedBy }: Draft, read: number): void {
  if (revision === read) return
  const message =
    savedBy === null || savedAt === null
      ? 'This draft is not saved yet.'
      : `${savedBy} saved this draft at ${shownSecond(savedAt)}. Your changes are not saved.`
  throw new ServiceError('conflict', { message })
}

type Saving = { act: DraftAct; incident: Incident; report: Report }

async function store(
  tx: Tx,
  { act, report, draft, values }: Saving & { draft: Draft; values: DraftValues },
): Promise<void> {
  const saved = {
    fields_version: formOf(draft.stage).version,
    field_values: JSON.stringify(values),
    revision: draft.revision + 1,
    saved_at: act.now,
    saved_by_name: act.actor.name,
  }
  await tx
    .insertInto('report_draft')
    .values({ report_id: report.id, workspace_id: report.workspace_id, ...saved })
    .onConflict((conflict) => conflict.column('report_id').doUpdateSet(saved))
    .execute()
}

/** A line for each person and hour, however often they save. */
async function noteSaving(tx: Tx, { act, incident, report }: Saving): Promise<void> {
  const { actor, now } = act
  const { workspace_id: workspaceId, id: incidentId } = incident
  const recent = await tx
    .selectFrom('incident_entry')
    .select('data')
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .where('at', '>', new Date(now.getTime() - hourMs))
    .where('kind', '=', 'draft_saved')
    .where('actor_id', '=', actor.id)
    .execute()
  if (recent.some(({ data }) => data['reportId'] === report.id)) return
  const what = { reportId: report.id, regime: report.regime, report: report.report, cycle: report.cycle }
  await noteAct(tx, incident, { actor, now, kind: 'draft_saved', data: what, after: what })
}
