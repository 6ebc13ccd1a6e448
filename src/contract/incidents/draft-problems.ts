import { looksEmpty } from '../hidden-characters.ts'
import { isUtcTime } from './draft-times.ts'
import { isMemberState } from './member-states.ts'
import { draftCharacters } from './report-draft-text.ts'
import type {
  DraftInput,
  DraftProblem,
  DraftProblemKind,
  DraftStageField,
  DraftValue,
  DraftValues,
} from './report-drafts.ts'

/**
 * What is missing, too long or wrong in a draft, in the order of its fields. It is shown, but stops nobody from filing: what was filed
 * is a fact.
 */
export function problemsIn(
  values: DraftValues,
  fields: readonly DraftStageField[],
  { isLate }: { isLate: boolean },
): DraftProblem[] {
  return fields.flatMap((field) => {
    const value = values[field.id]
    const found = isEmpty(value) ? missing(field, isLate) : wrong(field.input, value)
    return found === undefined ? [] : [{ field: field.id, ...found }]
  })
}

type Found = { problem: DraftProblemKind; message: string }

function isEmpty(value: DraftValue | undefined): value is undefined {
  if (value === undefined) return true
  return typeof value === 'string' ? looksEmpty(value) : value.length === 0
}

function missing({ isRequired, requirement }: DraftStageField, isLate: boolean): Found | undefined {
  if (isRequired) return { problem: 'missing', message: 'The authority requires this field.' }
  if (requirement === 'if_known')
    return { problem: 'missing_if_known', message: 'The authority requires this field if you know it.' }
  if (requirement === 'if_late' && isLate)
    return { problem: 'missing', message: 'A late report must give the reasons for the delay.' }
  return undefined
}

function wrong(input: DraftInput, value: DraftValue): Found | undefined {
  if (input.kind === 'list') return typeof value === 'string' ? wrongKind : unknownCountries(value)
  if (typeof value !== 'string') return wrongKind
  switch (input.kind) {
    case 'text':
      return tooLong(value, input.maxCharacters)
    case 'date_time':
      return isUtcTime(value) ? undefined : notATime
    case 'yes_no':
      return value === 'yes' || value === 'no' ? undefined : notAChoice
    case 'choice':
      return input.choices.some((choice) => choice.value === value) ? undefined : notAChoice
  }
}

const wrongKind: Found = { problem: 'wrong_kind', message: 'The value is not of the kind of this field.' }
const notATime: Found = {
  problem: 'not_a_time',
  message: 'Give a date and time in UTC, such as 2026-11-02T08:00:00Z.',
}
const notAChoice: Found = { problem: 'not_a_choice', message: 'Choose one of the answers of this field.' }

function tooLong(text: string, maxCharacters: number | null): Found | undefined {
  const characters = draftCharacters(text)
  if (maxCharacters === null || characters <= maxCharacters) return undefined
  return {
    problem: 'too_long',
    message: `The text has ${characters} characters; the field takes ${maxCharacters}.`,
  }
}

function unknownCountries(codes: readonly string[]): Found | undefined {
  const unknown = codes.filter((code) => !isMemberState(code))
  if (unknown.length === 0) return undefined
  const names = unknown.slice(0, 5).join(', ')
  return {
    problem: 'unknown_country',
    message: `Not the code of a Member State, such as DE: ${names}${unknown.length > 5 ? ' …' : ''}.`,
  }
}
