import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams'
import type { Db } from '../../database/connection.ts'

type CopyValue = string | number | boolean | Date | Uint8Array | null

/** One column of the rows that are written. */
export type CopyColumn<Row> = { name: string; value: (row: Row) => CopyValue }

type CopyOrder<Row> = { table: string; columns: readonly CopyColumn<Row>[]; rows: Iterable<Row> }

/**
 * Writes rows with `COPY`: half the server's work of an insert of arrays. Rows are taken and sent some at a time, so that the server
 * writes the first while the next are being made, and other work of the process has its turn. Throws what `rows` throws.
 *
 * Ids are taken as given, also where the column generates them.
 */
export async function copyInto<Row>(db: Db, { table, columns, rows }: CopyOrder<Row>): Promise<void> {
  const names = columns.map(({ name }) => name).join(', ')
  const source = new CopySource(`copy ${table} (${names}) from stdin`, chunksOf(columns, rows))
  await db.executeQuery(CompiledQuery.raw(source.text, [source]))
}

/** What a session that `allowCopy` has prepared is given in place of parameters. */
class CopySource {
  readonly text: string
  #chunks: Iterable<Buffer> | null

  constructor(text: string, chunks: Iterable<Buffer>) {
    this.text = text
    this.#chunks = chunks
  }

  /** Rows are made once: a statement that is tried again on another session must not go on in their middle. */
  take(): Iterable<Buffer> {
    const chunks = this.#chunks
    if (chunks === null) throw new Error('the rows of this COPY have been sent before')
    this.#chunks = null
    return chunks
  }
}

/** A socket takes some hundred kilobytes at a time; a chunk is made in less than a millisecond. */
const chunkCharacters = 48 * 1024

function* chunksOf<Row>(columns: readonly CopyColumn<Row>[], rows: Iterable<Row>): Generator<Buffer> {
  let lines = ''
  for (const row of rows) {
    for (const [place, { value }] of columns.entries()) {
      if (place > 0) lines += '\t'
      lines += fieldText(value(row))
    }
    lines += '\n'
    if (lines.length < chunkCharacters) continue
    yield Buffer.from(lines)
    lines = ''
  }
  if (lines !== '') yield Buffer.from(lines)
}

/** The text format of COPY (PostgreSQL manual, "COPY", File Formats). */
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

/** Lets a session carry out `copyInto`, which the driver leaves to a stream of its own. Call it once for each session. */
export function allowCopy(client: PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const extended = (...given: unknown[]) => {
    const [, parameters] = given
    const source: unknown = Array.isArray(parameters) ? parameters[0] : undefined
    return source instanceof CopySource ? runCopy(query, source) : query(...given)
  }
  client.query = extended as PoolClient['query']
}

async function runCopy(
  query: (...given: unknown[]) => unknown,
  source: CopySource,
): Promise<{ command: 'COPY'; rows: [] }> {
  const chunks = source.take()
  await pipeline(inTurns(chunks), query(copyFrom(source.text)) as CopyStreamQuery)
  return { command: 'COPY', rows: [] }
}

async function* inTurns(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    yield chunk
    await nextTurn()
  }
}
