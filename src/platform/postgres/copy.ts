import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams'
import type { Db } from '../../database/connection.ts'
import { copyHeader, copyRow, copyTrailer, type CopyColumn } from './copy-rows.ts'

type CopyInput<Row> = { table: string; columns: readonly CopyColumn<Row>[]; rows: Iterable<Row> }

/**
 * Writes rows with `COPY`: half the server's work of an insert of arrays. Rows are taken and sent a few at a time, so that the
 * server writes the first while the next are being made, and other work of the process gets its turn. Throws what `rows` throws.
 *
 * Ids are taken as given, even where the column generates them.
 */
export async function copyInto<Row>(db: Db, { table, columns, rows }: CopyInput<Row>): Promise<void> {
  const names = columns.map(({ name }) => name)
  await copyRows(db, { table, columns: names, rows: rowsOf(columns, rows) })
}

function* rowsOf<Row>(columns: readonly CopyColumn<Row>[], rows: Iterable<Row>): Generator<string> {
  for (const row of rows) yield copyRow(columns, row)
}

/** Bytes, or a text of one character a byte. */
export type CopyPiece = string | Uint8Array

type CopyRows = { table: string; columns: readonly string[]; rows: Iterable<CopyPiece> }

/** The same for rows that are ready (`copy-rows.ts`), in pieces of any size. */
export async function copyRows(db: Db, { table, columns, rows }: CopyRows): Promise<void> {
  const text = `copy ${table} (${columns.join(', ')}) from stdin (format binary)`
  const source = new CopySource(text, chunksOf(whole(rows)))
  await db.executeQuery(CompiledQuery.raw(source.text, [source]))
}

function* whole(rows: Iterable<CopyPiece>): Generator<CopyPiece> {
  yield copyHeader
  yield* rows
  yield copyTrailer
}

/** What a session that `allowCopy` has prepared is given in place of parameters. */
class CopySource {
  readonly text: string
  #chunks: Iterable<Buffer> | null

  constructor(text: string, chunks: Iterable<Buffer>) {
    this.text = text
    this.#chunks = chunks
  }

  /** Rows can be produced only once: a statement retried on another session must not continue in the middle. */
  take(): Iterable<Buffer> {
    const chunks = this.#chunks
    if (chunks === null) throw new Error('the rows of this COPY have been sent before')
    this.#chunks = null
    return chunks
  }
}

/** A socket takes some hundred kilobytes at a time; a chunk is made in less than a millisecond. */
const chunkBytes = 64 * 1024

function* chunksOf(pieces: Iterable<CopyPiece>): Generator<Buffer> {
  let chunk = Buffer.allocUnsafeSlow(chunkBytes)
  let used = 0
  for (const piece of pieces) {
    if (used > 0 && used + piece.length > chunk.length) {
      yield chunk.subarray(0, used)
      chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, piece.length))
      used = 0
    } else if (piece.length > chunk.length) chunk = Buffer.allocUnsafeSlow(piece.length)
    if (typeof piece === 'string') chunk.write(piece, used, 'latin1')
    else chunk.set(piece, used)
    used += piece.length
  }
  if (used > 0) yield chunk.subarray(0, used)
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
