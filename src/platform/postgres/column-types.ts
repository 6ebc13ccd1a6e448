import pg, { type CustomTypesConfig } from 'pg'

const textArray = 1009

type Parser = (text: string) => unknown

/**
 * How columns arrive: int8 and numeric as numbers, date as its text (a day has no instant), timestamptz as `Date`; arrays
 * likewise. An int8 beyond JavaScript's exact integers is an error, never a silently different number.
 */
const parsers = new Map<number, Parser>([
  [20, parseInt8],
  [1700, Number],
  [1082, String],
  [1016, arrayOf(parseInt8)],
  [1231, arrayOf(Number)],
  [1182, arrayOf(String)],
])

/** For one pool; the driver's own table, shared by the whole process, stays as it is. */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid, format): unknown => {
    const own = format === 'binary' ? undefined : parsers.get(oid)
    return own ?? pg.types.getTypeParser(oid, format)
  },
}

/** Throws RangeError beyond 2^53 - 1. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The int8 ${text} is beyond the exact integers.`)
  return value
}

/** The driver splits the text as it does for text[]; the elements are then parsed. */
function arrayOf(parse: Parser): Parser {
  const parserOf = pg.types.getTypeParser as (oid: number) => (text: string) => unknown[]
  const split = parserOf(textArray)
  const parseElement = (element: unknown): unknown => {
    if (Array.isArray(element)) return element.map(parseElement)
    return typeof element === 'string' ? parse(element) : null
  }
  return (text) => split(text).map(parseElement)
}
