import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams'
import type { Db } from '../../database/connection.ts'
import { copyLine, type CopyColumn } from './copy-text.ts'

type CopyInput<Row> = { table: string; columns: readonly CopyColumn<Row>[]; rows: Iterable<Row> }

/**
 * Writes rows with `COPY`: half the server's work of an insert of arrays. Rows are taken and sent some at a time, so that the server
 * writes the first while the next are being made, and other work of the process has its turn. Throws what `rows` throws.
 *
 * Ids are taken as given, also where the column generates them.
 */
export async function copyInto<Row>(db: Db, { table, columns, rows }: CopyInput<Row>): Promise<void> {
  const names = columns.map(({ name }) => name)
  await copyLines(db, { table, columns: names, lines: linesOf(columns, rows) })
}

function* linesOf<Row>(columns: readonly CopyColumn<Row>[], rows: Iterable<Row>): Generator<string> {
  for (const row of rows) yield copyLine(columns, row)
}

type CopyLines = { table: string; columns: readonly string[]; lines: Iterable<string> }

/** The same for rows whose lines (`copyLine`) have been made before, one or more at a time. */
export async function copyLines(db: Db, { table, columns, lines }: CopyLines): Promise<void> {
  const source = new CopySource(`copy ${table} (${columns.join(', ')}) from stdin`, chunksOf(lines))
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

function* chunksOf(lines: Iterable<string>): Generator<Buffer> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < chunkCharacters) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
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
