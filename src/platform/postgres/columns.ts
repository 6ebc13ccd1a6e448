import { sql, type RawBuilder } from 'kysely'

/**
 * Separates the values of a column, and stands for a null among them: the driver's own array notation costs ten times
 * the CPU. Cleaned text has no control characters.
 */
export const valueSeparator = '\u001d'
export const nullMark = '\u001c'

/** Between the entries of a list that is one value of a column. */
export const unitSeparator = '\u001f'

type ColumnType = 'int' | 'bigint' | 'uuid' | 'text' | 'bytea'
type Value = string | number | Uint8Array | null

/**
 * A column of values as one text, for `string_to_array(text, valueSeparator, nullMark)`. It begins with an extra entry, which
 * `takenApart` drops: without it a single empty value would be an empty list.
 */
export function columnText<T>(rows: readonly T[], value: (row: T) => Value): string {
  const parts = [nullMark]
  for (const row of rows) {
    const given = value(row)
    if (given === null) parts.push(nullMark)
    else parts.push(given instanceof Uint8Array ? byteText(given) : String(given))
  }
  return parts.join(valueSeparator)
}

/** SQL for the array that a text of `columnText` stands for. */
export function takenApart(text: RawBuilder<unknown>, type: ColumnType): RawBuilder<unknown> {
  return sql`((string_to_array(${text}, ${valueSeparator}, ${nullMark}))[2:])::${sql.raw(type)}[]`
}

/** A column of values as an array. */
export function columnOf<T>(
  rows: readonly T[],
  type: ColumnType,
  value: (row: T) => Value,
): RawBuilder<unknown> {
  return takenApart(sql`${columnText(rows, value)}`, type)
}

/** The rows in lists of at most `size`, one for each statement. */
export function* chunksOf<T>(rows: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}

/** A long list of ids as an array, for `any` and `unnest`. */
export function uuidList(ids: readonly string[]): RawBuilder<unknown> {
  return sql`string_to_array(${ids.join(',')}, ',')::uuid[]`
}

function byteText(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}
