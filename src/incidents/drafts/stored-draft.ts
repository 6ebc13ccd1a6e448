import type { Selectable } from 'kysely'
import type { DraftValues } from '../../contract/incidents/report-drafts.ts'
import type { Tables } from '../../database/tables.ts'
import { acceptDraft } from './accept-draft.ts'
import type { DraftStage } from '../../report-forms/forms.ts'

type Row = Pick<Selectable<Tables['report_draft']>, 'fields_version' | 'field_values'>

/** A draft as it was saved, with the form it was written for. */
export function storedDraft(
  { fields_version, field_values }: Row,
  draft: DraftStage,
): { stage: DraftStage; values: DraftValues } {
  const stage = { ...draft, version: fields_version }
  return { stage, values: acceptDraft(field_values, stage) }
}
