import { problemsIn } from '../../contract/incidents/draft-problems.ts'
import type { DraftProblem, DraftValues } from '../../contract/incidents/report-drafts.ts'
import { fieldsOf, type DraftStage } from '../../report-forms/forms.ts'

/** What is missing, too long or wrong in the draft of a report (`problemsIn`). */
export function checkDraft(values: DraftValues, draft: DraftStage, how: { isLate: boolean }): DraftProblem[] {
  return problemsIn(values, fieldsOf(draft), how)
}
