/**
 * Rows in the binary format of COPY (PostgreSQL manual, "COPY", Binary Format). Pure, so that any thread can make them. A row under construction
 * is a string of one character a byte: many short strings join faster than many short buffers.
 */

/** One column of the written rows. Its type must be that of the table's column. */
export type CopyColumn<Row> = {
  name: string
  /** Length and bytes of the value. */
  field: (row: Row) => string
}

/** Columns by the type of their values. */
export const copied = {
  int: typed((value: number) => `\0\0\0\u0004${bytesOfInt(value)}`),
  bigint: typed(bigintField),
  real: typed(realField),
  text: typed(textField),
  boolean: typed(booleanField),
  time: typed(timeField),
  bytes: typed(bytesField),
}

function typed<Value>(fieldOf: (value: Value) => string) {
  return <Row>(name: string, value: (row: Row) => Value): CopyColumn<Row> => ({
    name,
    field: (row) => fieldOf(value(row)),
  })
}

/** A row of these columns, to be followed by so many more. */
export function copyRow<Row>(columns: readonly CopyColumn<Row>[], row: Row, more = 0): string {
  return bytesOfShort(columns.length + more) + copyFields(columns, row)
}

export function copyFields<Row>(columns: readonly CopyColumn<Row>[], row: Row): string {
  let bytes = ''
  for (const { field } of columns) bytes += field(row)
  return bytes
}

/** What comes before the bytes of a value. */
export function fieldLength(bytes: number): string {
  return shortLengths[bytes] ?? bytesOfInt(bytes)
}

/** Flags and an extension follow the signature; neither is used. */
export const copyHeader = 'PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0'
export const copyTrailer = '\u00ff\u00ff'

const nullField = '\u00ff\u00ff\u00ff\u00ff'
const shortLengths = Array.from({ length: 256 }, (_, bytes) => bytesOfInt(bytes))
const ascii = /^[\0-\u007f]*$/

function textField(text: string | null): string {
  if (text === null) return nullField
  const bytes = ascii.test(text) ? text : Buffer.from(text).toString('latin1')
  return fieldLength(bytes.length) + bytes
}

function bytesField(value: Uint8Array | null): string {
  if (value === null) return nullField
  const { buffer, byteOffset, byteLength } = value
  return fieldLength(byteLength) + Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}

function bigintField(value: number): string {
  return `\0\0\0\u0008${bytesOfBigint(value)}`
}

function booleanField(value: boolean | null): string {
  if (value === null) return nullField
  return value ? '\0\0\0\u0001\u0001' : '\0\0\0\u0001\0'
}

const real = new DataView(new ArrayBuffer(4))

function realField(value: number | null): string {
  if (value === null) return nullField
  real.setFloat32(0, value)
  return `\0\0\0\u0004${bytesOfInt(real.getInt32(0))}`
}

const postgresEpochMs = Date.UTC(2000, 0, 1)

/** Microseconds since 2000. */
function timeField(value: Date | null): string {
  if (value === null) return nullField
  const ms = value.getTime() - postgresEpochMs
  const microseconds = ms * 1_000
  if (Number.isSafeInteger(microseconds)) return bigintField(microseconds)
  const { high, low } = partsOf(BigInt(ms) * 1_000n)
  return `\0\0\0\u0008${bytesOfInt(high)}${bytesOfInt(low)}`
}

function partsOf(value: bigint): { high: number; low: number } {
  return { high: Number(value >> 32n), low: Number(BigInt.asIntN(32, value)) }
}

function bytesOfBigint(value: number): string {
  return bytesOfInt(Math.floor(value / 2 ** 32)) + bytesOfInt(value % 2 ** 32)
}

function bytesOfInt(value: number): string {
  return String.fromCharCode((value >> 24) & 255, (value >> 16) & 255, (value >> 8) & 255, value & 255)
}

function bytesOfShort(value: number): string {
  return String.fromCharCode((value >> 8) & 255, value & 255)
}
