import { doraFactList, type DoraFactId } from '../../contract/incidents/dora-facts.ts'
import { emailProblem } from '../../contract/people/email-address.ts'
import type { InputReader } from '../../platform/input-reader.ts'

export type DoraFactsChange = Partial<Record<DoraFactId, string | null>>

/** The given facts, checked; an empty text removes one, as null does. Faults are reported at `doraFacts/<field>`. */
export function readDoraFacts(reader: InputReader, given: DoraFactsChange): DoraFactsChange {
  const read = doraFactList.flatMap(({ id, form, maxCharacters }): [DoraFactId, string | null][] => {
    const value = given[id]
    if (value === undefined) return []
    const at = `doraFacts/${id}`
    const text =
      id === 'covered_entities'
        ? reader.text(at, value ?? '', { min: 0, max: maxCharacters })
        : (reader.optionalLine(at, value ?? undefined, maxCharacters) ?? '')
    if (text === '') return [[id, null]]
    const fact = form === undefined || form === 'email' ? text : text.toUpperCase()
    const problem = form === undefined ? undefined : problems[form](fact)
    if (problem !== undefined) reader.refuse(at, problem)
    return [[id, fact]]
  })
  return Object.fromEntries(read)
}

const problems = {
  lei: (text: string) =>
    isLei(text) ? undefined : 'An LEI has 20 letters and digits; the last two check the others.',
  currency: (text: string) =>
    Intl.supportedValuesOf('currency').includes(text)
      ? undefined
      : 'The three letters of a currency are required, such as EUR.',
  email: emailProblem,
}

/** ISO 17442: letters count as 10 to 35, and the whole number leaves 1 when divided by 97 (ISO 7064, MOD 97-10). */
function isLei(text: string): boolean {
  if (!/^[A-Z0-9]{18}\d{2}$/.test(text)) return false
  const digits = [...text].map((letter) => Number.parseInt(letter, 36)).join('')
  return BigInt(digits) % 97n === 1n
}
