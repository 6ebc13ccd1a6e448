import type { DraftPresence } from '../../contract/incidents/report-drafts.ts'
import type { Db } from '../../database/connection.ts'
import { hourMs } from '../../contract/durations.ts'
import type { IncidentAct } from '../record/lock-incident.ts'
import { selectReport } from '../submissions/select-report.ts'

/** The page reports every 10 s at the latest; a slow page may miss three times. */
const seenMs = 35_000
/** After a longer pause somebody counts as not writing. */
const writingMs = 60_000
/** How long it is remembered who had it open. */
const forgottenMs = hourMs

type Present = IncidentAct & { reportId: string }

/** Notes that a member has the draft of a report open, and says who else has. Codes: `not_found`. */
export async function showPresence(db: Db, present: Present, isWriting: boolean): Promise<DraftPresence> {
  const { workspaceId, incidentId, reportId, actor, now } = present
  const report = await selectReport(db, { id: incidentId, workspace_id: workspaceId }, reportId)
  await note(db, present, isWriting)
  const others = await db
    .selectFrom('draft_editor')
    .select(['name', 'typed_at'])
    .where('workspace_id', '=', workspaceId)
    .where('report_id', '=', report.id)
    .where('person_id', '<>', actor.id)
    .where('seen_at', '>', new Date(now.getTime() - seenMs))
    .orderBy('name')
    .limit(20)
    .execute()
  const saved = await db
    .selectFrom('report_draft')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .where('report_id', '=', report.id)
    .executeTakeFirst()
  return {
    others: others.map(({ name, typed_at: typedAt }) => ({
      name,
      isWriting: typedAt !== null && now.getTime() - typedAt.getTime() < writingMs,
    })),
    revision: saved?.revision ?? 0,
  }
}

async function note(
  db: Db,
  { workspaceId, reportId, actor, now }: Present,
  isWriting: boolean,
): Promise<void> {
  const seen = { name: actor.name, seen_at: now, ...(isWriting ? { typed_at: now } : {}) }
  await db
    .insertInto('draft_editor')
    .values({
      report_id: reportId,
      workspace_id: workspaceId,
      person_id: actor.id,
      typed_at: null,
      ...seen,
    })
    .onConflict((conflict) => conflict.columns(['report_id', 'person_id']).doUpdateSet(seen))
    .execute()
  await db
    .deleteFrom('draft_editor')
    .where('workspace_id', '=', workspaceId)
    .where('report_id', '=', reportId)
    .where('seen_at', '<', new Date(now.getTime() - forgottenMs))
    .execute()
}
