import { basename } from 'node:path'
import type { DocumentSource, SourceDocument } from '../../source-files/documents.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import type { CompiledRecord } from '../../records/compiled-record.ts'
import { prepare, type PreparedRecord } from '../records/prepared-record.ts'
import type { RecordReading, UnreadDocument } from './record-import.ts'
import { Stall } from '../../platform/concurrency/stall.ts'

/** Reads one document; undefined for one that merely lies beside records. Refuses with `RefusedData`. */
export type Compile = (document: SourceDocument) => CompiledRecord | undefined

export const recordsPerBatch = 1_000
/** Few records are this large; a batch of them would fill the memory. */
export const batchCharacters = 8 * 1024 ** 2

type Passing = { passesOver?: boolean; awaited?: readonly string[] }

/** Reads on this thread, in turns with its other work. */
export function readHere(source: DocumentSource, compile: Compile, passing: Passing = {}): RecordReading {
  const passed = new PassedOver(passing)
  return {
    count: source.count,
    unread: passed.unread,
    readAgain: passed.readAgain,
    batches: () => batchesOf(recordsOf(inTurns(source.read()), passed.noting(compile))),
    close: source.close,
  }
}

/** Documents that could not be read, and those that could again, where a file may have some. */
export class PassedOver {
  readonly unread: UnreadDocument[] = []
  readonly readAgain: string[] = []
  readonly #passesOver: boolean
  readonly #awaited: ReadonlySet<string>

  constructor({ passesOver = false, awaited = [] }: Passing) {
    this.#passesOver = passesOver
    this.#awaited = new Set(awaited)
  }

  noting(compile: Compile): Compile {
    if (!this.#passesOver) return compile
    return (document) => {
      const name = basename(document.name)
      try {
        const record = compile(document)
        if (this.#awaited.has(name)) this.readAgain.push(name)
        return record
      } catch (error) {
        if (!(error instanceof RefusedData)) throw error
        this.unread.push({ name, reason: error.message.replaceAll(document.name, name) })
        return undefined
      }
    }
  }
}

/** Records of a set of documents. */
export async function* recordsOf(
  documents: AsyncIterable<SourceDocument>,
  compile: Compile,
): AsyncGenerator<CompiledRecord> {
  for await (const document of documents) {
    const record = compile(document)
    if (record !== undefined) yield record
  }
}

/** At most so many and so large at a time that a few batches fit into the memory. */
async function* batchesOf(records: AsyncIterable<CompiledRecord>): AsyncGenerator<PreparedRecord[]> {
  let batch: PreparedRecord[] = []
  let characters = 0
  for await (const record of records) {
    batch.push(prepare(record))
    characters += record.document.length
    if (batch.length < recordsPerBatch && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

async function* inTurns<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const stall = new Stall()
  for await (const item of items) {
    yield item
    if (stall.isLong) await stall.end()
  }
}
