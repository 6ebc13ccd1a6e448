import { isMemberState, memberStates } from './member-states.ts'
import type { DraftField, DraftInput, DraftValue, DraftValues } from './report-drafts.ts'

/** A field's value as it is copied into the form of an authority. */
export function draftFieldText(input: DraftInput, value: DraftValue): string {
  if (typeof value !== 'string') return value.map(stateText).join(', ')
  if (input.kind === 'yes_no') return yesNo[value] ?? value
  if (input.kind === 'choice') return input.choices.find((choice) => choice.value === value)?.label ?? value
  return value
}

/** A whole draft as plain text: a line for each field that is filled in, `2 Title: …`; a text of several lines begins on the next one. */
export function draftText(fields: readonly DraftField[], values: DraftValues): string {
  const lines = fields.flatMap(({ id, number, label, input }) => {
    const value = values[id]
    if (value === undefined || value.length === 0) return []
    const text = draftFieldText(input, value)
    const name = number === null ? label : `${number} ${label}`
    return [text.includes('\n') ? `${name}:\n${indented(text)}` : `${name}: ${text}`]
  })
  return lines.join('\n')
}

/** The length of a text as authorities count it: in Unicode code points. */
export function draftCharacters(text: string): number {
  return [...text].length
}

const yesNo: Readonly<Record<string, string>> = { yes: 'Yes', no: 'No' }

function stateText(code: string): string {
  return isMemberState(code) ? `${memberStates[code]} (${code})` : code
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')
}
