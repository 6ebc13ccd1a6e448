import type { DocumentSource, SourceDocument } from '../../source-files/documents.ts'
import type { CompiledRecord } from '../../records/compiled-record.ts'
import { prepare, type PreparedRecord } from '../records/prepared-record.ts'
import type { RecordReading } from './record-import.ts'
import { Stall } from '../../platform/concurrency/stall.ts'

/** Reads one document; undefined for one that merely lies beside records. Refuses with `RefusedData`. */
export type Compile = (document: SourceDocument) => CompiledRecord | undefined

export const recordsPerBatch = 1_000
/** Few records are this large; a batch of them would fill the memory. */
export const batchCharacters = 8 * 1024 ** 2

/** Reads on this thread, in turns with its other work. */
export function readHere(source: DocumentSource, compile: Compile): RecordReading {
  return {
    count: source.count,
    batches: () => batchesOf(recordsOf(inTurns(source.read()), compile)),
    close: source.close,
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
