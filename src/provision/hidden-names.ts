import { hiddenCharacterProblem } from '../contract/hidden-characters.ts'

/** Every place of a document, below `place` (JSON pointer), whose text has a character that cannot be seen; passwords may have any. */
export function hiddenNames(value: unknown, place = ''): string[] {
  if (typeof value === 'string') {
    const problem = hiddenCharacterProblem(value.trim())
    return problem === undefined ? [] : [`${place}: ${problem}`]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([field]) => field !== 'password')
    .flatMap(([field, part]) => hiddenNames(part, `${place}/${field}`))
}
