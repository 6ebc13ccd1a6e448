import { visibleText } from '#contract/hidden-characters.ts'
import { changedOnBothSides } from './merge-untouched.ts'

/** Words by field. */
type ByField = Record<string, string>
type Three<Values> = { before: Values; now: Values; typed: Values }

/** Somebody else has saved fields that were typed here: nothing was sent. */
export class ChangedMeanwhile extends Error {
  readonly fields: ByField

  constructor(fields: ByField) {
    super('Somebody else has changed this meanwhile.')
    this.name = 'ChangedMeanwhile'
    this.fields = fields
  }
}

const texts = 'textarea, input:is(:not([type]), [type=text], [type=email], [type=url]):not([role=combobox])'

/** What to say at each field that was typed here and saved by somebody else; a text is quoted, a choice is not: its value is no word. */
export function changedMeanwhile<Values>(
  three: Three<Values>,
  nodeOf: (field: string) => HTMLElement | null,
): ByField {
  const words = changedOnBothSides(three).map(([field, now]) => {
    const quotes = typeof now === 'string' && now !== '' && nodeOf(field)?.matches(texts) === true
    return [field, `Changed meanwhile${quotes ? ` to “${visibleText(now)}”` : ''}. Saving replaces it.`]
  })
  return Object.fromEntries(words) as ByField
}
