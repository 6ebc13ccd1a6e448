import { advisoryLimits, type AdvisoryContent } from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import { textProblem } from '../../platform/input-reader.ts'

/** Controls other than tab and line end; they have no place in a text, and the database refuses some. */
const control = /(?![\t\n\r])\p{Cc}/u

const longer = new Map<string, number>([
  ['description', advisoryLimits.textCharacters],
  ['details', advisoryLimits.textCharacters],
  ['impact', advisoryLimits.textCharacters],
  ['generalNote', advisoryLimits.textCharacters],
  ['legalNote', advisoryLimits.textCharacters],
  ['url', advisoryLimits.urlCharacters],
  ['purl', advisoryLimits.urlCharacters],
  ['cpe', advisoryLimits.urlCharacters],
])
/** Texts of several lines where the rest of the draft has lines of the same name. */
const longFields = new Set(['summary'])

/**
 * A draft as it may be stored, however unfinished. Refuses texts that are too long or no text, naming every field. Codes: `invalid_request`.
 */
export function readContent(content: AdvisoryContent): AdvisoryContent {
  const fields: Record<string, string> = {}
  for (const [path, text] of textsIn(content, '')) {
    const problem = draftTextProblem(path, text)
    if (problem !== undefined) fields[path] = problem
  }
  if (Object.keys(fields).length > 0) throw new ServiceError('invalid_request', { fields })
  return content
}

function* textsIn(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value === 'string') yield [path, value]
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value))
      yield* textsIn(part, path === '' ? key : `${path}.${key}`)
  }
}

/** What is wrong with the text of a field of the draft; undefined: nothing. */
export function draftTextProblem(path: string, text: string): string | undefined {
  if (control.test(text)) return 'It contains a control character.'
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? ''
  const limit = longFields.has(path)
    ? advisoryLimits.textCharacters
    : (longer.get(name) ?? advisoryLimits.lineCharacters)
  return textProblem(text, { min: 0, max: limit })
}
