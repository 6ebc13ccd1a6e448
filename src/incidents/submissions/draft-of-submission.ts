import type { DraftValues } from '../../contract/incidents/report-drafts.ts'
import type { Db } from '../../database/connection.ts'
import { acceptDraft } from '../drafts/accept-draft.ts'
import type { DraftSnapshot } from '../../contract/incidents/incident-evidence.ts'
import { snapshotOf } from '../drafts/draft-snapshot.ts'
import { selectDraft, type Draft } from '../drafts/read-draft.ts'
import type { Incident } from '../record/lock-incident.ts'
import type { Report } from './select-report.ts'

/** The part of a draft that a submission keeps, and the reasons for a delay in it. */
export type KeptDraft = { snapshot: DraftSnapshot; delayReason: string }

/**
 * The drafts of what is filed, by report: as the page showed them, otherwise as saved, otherwise as made from what is known. Code:
 * `invalid_request` with what cannot be stored of a text.
 */
export async function selectSnapshots(
  db: Db,
  incident: Incident,
  { filed, texts = {} }: { filed: readonly Report[]; texts: Readonly<Record<string, unknown>> | undefined },
): Promise<ReadonlyMap<string, KeptDraft>> {
  const kept = new Map<string, KeptDraft>()
  for (const report of filed) {
    const draft = await selectDraft(db, { incident, report })
    const values = shownText(draft, texts[report.id])
    const delay = values['delay_reasons']
    const delayReason = typeof delay === 'string' ? delay : ''
    kept.set(report.id, { snapshot: snapshotOf(draft.stage, values), delayReason })
  }
  return kept
}

function shownText({ stage, values }: Draft, shown: unknown): DraftValues {
  return shown === undefined ? values : acceptDraft(shown, stage)
}
