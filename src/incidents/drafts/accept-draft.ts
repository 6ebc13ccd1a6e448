import { ServiceError } from '../../contract/errors.ts'
import { draftCharacters } from '../../contract/incidents/report-draft-text.ts'
import {
  draftLimits,
  type DraftInput,
  type DraftValue,
  type DraftValues,
} from '../../contract/incidents/report-drafts.ts'
import { isRecord } from '../../contract/is-record.ts'
import { commonLineEnds } from '../../contract/typed-text.ts'
import { lengthProblem, notText } from '../../platform/input-reader.ts'
import { fieldsOf, type DraftStage } from '../../report-forms/forms.ts'

/**
 * The values of a draft as they are stored: known fields of the right shape, bounded; line ends are `\n`, and what is empty is left out. What an
 * authority would refuse can be saved, and `checkDraft` names it. Code: `invalid_request` with the fields.
 */
export function acceptDraft(values: unknown, draft: DraftStage): DraftValues {
  if (!isRecord(values)) throw refused([['values', 'An object with the values by field is required.']])
  const fields = new Map(fieldsOf(draft).map(({ id, input }) => [id, input]))
  const entries = Object.entries(values)
  if (entries.length > fields.size) throw refused([['values', `The report has ${fields.size} fields.`]])
  const problems = entries.flatMap(([id, value]) => {
    const problem = problemOf(fields.get(id), value)
    return problem === undefined ? [] : [[id.slice(0, 60).toWellFormed(), problem] as const]
  })
  if (problems.length > 0) throw refused(problems)
  const stored = entries.map(([id, value]) => [id, storedValue(value)] as const)
  return Object.fromEntries(stored.filter(([, value]) => value.length > 0))
}

function refused(problems: readonly (readonly [string, string])[]): ServiceError {
  return new ServiceError('invalid_request', { fields: Object.fromEntries(problems) })
}

/** Control characters except tabs and line ends, and unpaired surrogates. */
const noText = /[^\P{Cc}\t\n]|\p{Cs}/u

function problemOf(input: DraftInput | undefined, value: unknown): string | undefined {
  if (input === undefined) return 'The report has no such field.'
  if (value === null) return undefined
  if (input.kind === 'list') return listProblem(value)
  if (typeof value !== 'string') return 'A text is required.'
  return textProblem(value, draftLimits.textCharacters)
}

function listProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'A list is required.'
  if (value.length > draftLimits.listItems) return `At most ${draftLimits.listItems} entries.`
  for (const item of value as unknown[]) {
    if (typeof item !== 'string') return 'Every entry is a text.'
    const problem = textProblem(item, draftLimits.itemCharacters)
    if (problem !== undefined) return problem
  }
  return undefined
}

function textProblem(text: string, maxCharacters: number): string | undefined {
  // a code point has at most two units
  if (text.length > maxCharacters * 2 || draftCharacters(text) > maxCharacters)
    return lengthProblem({ min: 0, max: maxCharacters })
  return noText.test(commonLineEnds(text)) ? notText : undefined
}

/** Of a value that has no problem. */
function storedValue(value: unknown): DraftValue {
  if (typeof value === 'string') return commonLineEnds(value).trim()
  if (!Array.isArray(value)) return ''
  const items = value.map((item) => String(item).trim())
  return [...new Set(items)].filter((item) => item !== '')
}
