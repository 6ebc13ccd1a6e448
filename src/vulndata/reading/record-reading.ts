import type { CompiledRecord } from '../osv/compile-record.ts'
import {
  openDocuments,
  type DocumentFile,
  type DocumentSource,
  type SourceDocument,
} from '../osv/documents.ts'
import { compilers, type Compile, type CompilerName } from './compile-document.ts'

/** Records that are being read. Close it after reading. */
export type RecordReading = {
  /** null: not known before the end. */
  count: number | null
  /** The records, some hundred at a time. `known` are deciding hashes that are stored: their ranges are not likely to be needed. */
  batches: (known: readonly string[]) => AsyncGenerator<CompiledRecord[]>
  close: () => Promise<void>
}

/** A file or folder of records, and what to read. */
export type RecordFile = { file: DocumentFile; compiler: CompilerName }

const recordsPerBatch = 500
/** Few records are this large; a batch of them would fill the memory. */
const batchCharacters = 8 * 1024 ** 2
const longestStallMs = 20

/** Reads on this thread, in turns with its other work. */
export function readHere(source: DocumentSource, compile: Compile): RecordReading {
  return {
    count: source.count,
    batches: () => batchesOf(inTurns(source.read()), compile),
    close: source.close,
  }
}

export async function openHere({ file, compiler }: RecordFile): Promise<RecordReading> {
  return readHere(await openDocuments(file), compilers[compiler])
}

/** Records of a set of documents, at most so many and so large at a time that a few batches fit into the memory. */
export async function* batchesOf(
  documents: AsyncIterable<SourceDocument>,
  compile: Compile,
): AsyncGenerator<CompiledRecord[]> {
  let batch: CompiledRecord[] = []
  let characters = 0
  for await (const document of documents) {
    const record = compile(document)
    if (record === undefined) continue
    batch.push(record)
    characters += record.document.length
    if (batch.length < recordsPerBatch && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

async function* inTurns<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  let pausedAt = performance.now()
  for await (const item of items) {
    yield item
    if (performance.now() - pausedAt < longestStallMs) continue
    await new Promise((resolve) => setImmediate(resolve))
    pausedAt = performance.now()
  }
}

/** Ecosystems that all sampled OSV records of a set name. */
export async function commonEcosystems({ file, compiler }: RecordFile): Promise<string[]> {
  const source = await openDocuments(file)
  try {
    let common: Set<string> | undefined
    for await (const document of source.sample()) {
      const record = compilers[compiler](document)
      if (record?.source !== null || record.ecosystems.length === 0) continue
      common = common?.intersection(new Set(record.ecosystems)) ?? new Set(record.ecosystems)
    }
    return [...(common ?? [])]
  } finally {
    await source.close()
  }
}
