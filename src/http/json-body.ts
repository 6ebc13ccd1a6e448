import { ServiceError } from '../contract/errors.ts'
import { notText } from '../platform/input-reader.ts'
import { parseShortJson } from '../formats/json/parse.ts'

/**
 * A JSON body; undefined when there is none. NUL and unpaired surrogates are not text: the database refuses or changes them, so they
 * are refused here, wherever they are. Codes: `invalid_json`, `invalid_request`.
 */
export function parseJson(body: string): unknown {
  if (body.trim() === '') return undefined
  const value = parseShortJson(body)
  // without an escape the value contains no character that the text does not
  if (!body.includes('\\u') && body.isWellFormed()) return value
  const place = placeOfNoText(value)
  if (place === undefined) return value
  throw new ServiceError('invalid_request', {
    fields: { [place]: notText },
  })
}

/** Where such a character is, by the names of its fields. With a list instead of recursion, because a body may be nested deeper than the call stack allows. */
function placeOfNoText(value: unknown): string | undefined {
  const open: { name: string; value: unknown }[] = [{ name: 'body', value }]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at.value === 'string' && !isText(at.value)) return at.name
    if (typeof at.value !== 'object' || at.value === null) continue
    for (const [key, inner] of Object.entries(at.value)) {
      if (!isText(key)) return at.name
      open.push({ name: at.name === 'body' ? key : at.name, value: inner })
    }
  }
  return undefined
}

export function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
