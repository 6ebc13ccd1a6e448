import { existingTime } from '../contract/calendar.ts'
import { ServiceError } from '../contract/errors.ts'
import { isId } from './random.ts'

/** The types of the values in a cursor. A client may have made one up, and each value goes into SQL as this type. */
type Kinds = { text: string; int: number; bigint: number; float: number; uuid: string; time: string }

type Values<T extends readonly (keyof Kinds)[]> = { -readonly [K in keyof T]: Kinds[T[K]] }

/** A position in one sorted list: its name, which holds the order too, and the kinds of the sort values. */
export type CursorShape<T extends readonly (keyof Kinds)[]> = { list: string; kinds: T }

/** The only row of an empty page: it has the totals of the list. */
export type Nulls<Row> = { [Column in keyof Row]: null }

const longest = 4000
const greatestInt = 2 ** 31 - 1

const checks: Record<keyof Kinds, (part: unknown) => boolean> = {
  text: (part) => typeof part === 'string' && !part.includes('\0') && part.isWellFormed(),
  int: (part) => Number.isInteger(part) && Math.abs(Number(part)) <= greatestInt,
  bigint: (part) => Number.isSafeInteger(part),
  float: (part) => typeof part === 'number' && Number.isFinite(part),
  uuid: (part) => typeof part === 'string' && isId(part),
  time: (part) => typeof part === 'string' && isTime(part),
}

/** As toISOString writes it. */
function isTime(text: string): boolean {
  return existingTime(text)?.toISOString() === text
}

/** An opaque position in a sorted list: the sort values of the last row shown. */
export function encodeCursor<const T extends readonly (keyof Kinds)[]>(
  { list }: CursorShape<T>,
  position: Values<T>,
): string {
  return Buffer.from(JSON.stringify([list, ...position]), 'utf8').toString('base64url')
}

/** Rows of a page; a list asks for one more, which tells whether another page follows. */
export const pageSize = 100
export const askedRows = pageSize + 1

type Paged<Row, T extends readonly (keyof Kinds)[]> = {
  shape: CursorShape<T>
  /** The sort values of a row. */
  position: (row: Row) => NoInfer<Values<T>>
}

/** From up to `askedRows` rows: those of the page, and the cursor of the next one. */
export function cutPage<Row, const T extends readonly (keyof Kinds)[]>(
  asked: readonly Row[],
  { shape, position }: Paged<Row, T>,
): { shown: Row[]; nextCursor: string | null } {
  const shown = asked.slice(0, pageSize)
  const last = shown.at(-1)
  const hasMore = asked.length > pageSize && last !== undefined
  return { shown, nextCursor: hasMore ? encodeCursor(shape, position(last)) : null }
}

/** Reads a cursor of this list. Codes: `invalid_request` when it is not one. */
export function decodeCursor<const T extends readonly (keyof Kinds)[]>(
  { list, kinds }: CursorShape<T>,
  cursor: string,
): Values<T> {
  const parts = parse(cursor)
  const [name, ...position] = Array.isArray(parts) ? (parts as unknown[]) : []
  const isOurs =
    name === list &&
    position.length === kinds.length &&
    kinds.every((kind, index) => checks[kind](position[index]))
  if (!isOurs) {
    throw new ServiceError('invalid_request', { fields: { cursor: 'This is not a cursor of this list.' } })
  }
  return position as Values<T>
}

function parse(cursor: string): unknown {
  if (cursor.length > longest) return undefined
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
