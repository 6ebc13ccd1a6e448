import { draftFieldText } from '../../contract/incidents/report-draft-text.ts'
import type { DraftValues } from '../../contract/incidents/report-drafts.ts'
import type { DraftSnapshot } from '../../contract/incidents/incident-evidence.ts'
import { formOf, type DraftStage } from '../../report-forms/forms.ts'

/** A draft as stored with its submission: words and values as people saw them, however the form changes later. */
export function snapshotOf(draft: DraftStage, values: DraftValues): DraftSnapshot {
  const { version, fields } = formOf(draft)
  return {
    version,
    fields: fields.flatMap(({ id, number, label, input }) => {
      const value = values[id]
      if (value === undefined || value.length === 0) return []
      return [{ id, number, label, value: draftFieldText(input, value) }]
    }),
  }
}
