import { existingTime } from '../../contract/calendar.ts'
import { ServiceError } from '../../contract/errors.ts'
import { decisionLimits, type NewDecision } from '../../contract/findings/verdict.ts'
import type { Justification, Verdict } from '../../contract/vex/shapes.ts'
import { textProblem } from '../../platform/input-reader.ts'
import { cleanText } from '../../formats/json/clean.ts'

/** A decision fit to be stored. */
export type CheckedDecision = {
  verdict: Verdict
  /** Only of `not_affected`. */
  justification: Justification | null
  comment: string
  everyVersion: boolean
  expiresAt: Date | null
}

/** Line ends and tabs become spaces, as in the texts of documents, so that a comment reads the same in every export. */
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

/**
 * Checks what a member decided. `not_affected` requires a justification or a comment (OpenVEX 0.2.0, "Status: not_affected"); no other
 * verdict has a justification. Codes: `invalid_request`.
 */
export function checkDecision(given: NewDecision, now: Date): CheckedDecision {
  const { verdict, everyVersion } = given
  const comment = cleanText(
    (given.comment ?? '').replaceAll(lineBreaks, ' '),
    decisionLimits.commentCharacters + 1,
  )
  const justification = given.justification ?? null
  const expiresAt = readExpiry(given.expiresAt ?? null)
  const decision = { verdict, justification, comment, everyVersion, expiresAt }
  const fields = faultsOf(decision, now)
  if (Object.keys(fields).length > 0) throw new ServiceError('invalid_request', { fields })
  return decision
}

function faultsOf({ verdict, justification, comment, expiresAt }: CheckedDecision, now: Date) {
  const fields: Record<string, string> = {}
  const problem = textProblem(comment, { min: 0, max: decisionLimits.commentCharacters })
  if (problem !== undefined) fields['comment'] = problem
  if (verdict === 'not_affected' && justification === null && comment === '') {
    fields['justification'] = 'Not affected requires a justification or a comment.'
  }
  if (verdict !== 'not_affected' && justification !== null) {
    fields['justification'] = 'Only not affected takes a justification.'
  }
  if (expiresAt !== null && !(expiresAt > now)) fields['expiresAt'] = 'Expected a time in the future.'
  return fields
}

/** The schema has checked the form; a nonexistent day gives an invalid date, which is not in the future. */
function readExpiry(text: string | null): Date | null {
  return text === null ? null : (existingTime(text) ?? new Date(Number.NaN))
}
