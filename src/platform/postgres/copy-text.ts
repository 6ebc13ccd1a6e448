/** The text format of COPY (PostgreSQL manual, "COPY", File Formats). Pure, so that any thread can make it. */

type CopyValue = string | number | boolean | Date | Uint8Array | null

/** One column of the rows that are written. */
export type CopyColumn<Row> = { name: string; value: (row: Row) => CopyValue }

/** A row as one line, with its end. */
export function copyLine<Row>(columns: readonly CopyColumn<Row>[], row: Row): string {
  let line = ''
  for (const [place, { value }] of columns.entries()) {
    if (place > 0) line += '\t'
    line += fieldText(value(row))
  }
  return `${line}\n`
}

function fieldText(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return escaped(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\\\x${hexOf(value)}`
  return String(value)
}

/** A handful of passes over the text cost less than a call for each character found; most texts have none. */
function escaped(text: string): string {
  let safe = text
  if (safe.includes('\\')) safe = safe.replaceAll('\\', '\\\\')
  if (safe.includes('\n')) safe = safe.replaceAll('\n', '\\n')
  if (safe.includes('\r')) safe = safe.replaceAll('\r', '\\r')
  if (safe.includes('\t')) safe = safe.replaceAll('\t', '\\t')
  return safe
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
