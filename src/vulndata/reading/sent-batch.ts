import type { CompiledRecord } from '../records/compiled-record.ts'
import {
  factsOf,
  packageKeysOf,
  type PreparedRecord,
  type RangeRows,
  type RecordFacts,
} from '../records/prepared-record.ts'
import { assertionRows, rangeRows, recordHead } from '../records/record-rows.ts'

/** A list, since the names of an object's fields cross with every object. */
type SentFacts = [
  RecordFacts['id'],
  RecordFacts['source'],
  RecordFacts['class'],
  RecordFacts['summary'],
  RecordFacts['severity'],
  RecordFacts['score'],
  RecordFacts['vector'],
  RecordFacts['modifiedAt'],
  RecordFacts['publishedAt'],
  RecordFacts['withdrawnAt'],
  RecordFacts['ecosystems'],
  RecordFacts['decidingHash'],
  RecordFacts['documentHash'],
  RecordFacts['ownIds'],
  RecordFacts['mayBorrow'],
]

type SentRecord = {
  facts: SentFacts
  /** Where its row, the document in it, its assertions and its ranges end. */
  ends: [number, number, number, number]
  /** null: its ranges are not likely to be needed. */
  ranges: Omit<RangeRows, 'rows'> | null
}

/** Records on their way to another thread: what is written of them in one piece, which is handed over and not copied. */
export type SentBatch = { records: SentRecord[]; bytes: ArrayBuffer }

/** `known` are deciding hashes that are stored. */
export function packBatch(records: readonly CompiledRecord[], known: ReadonlySet<string>): SentBatch {
  const packed = records.map((record) => packed1(record, known))
  const size = packed.reduce((sum, each) => sum + each.size, 0)
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  const sent = packed.map(({ record, head, assertions, ranges }): SentRecord => {
    at += bytes.write(head, at, 'latin1')
    const headEnd = at
    at += bytes.write(record.document, at)
    const rowEnd = at
    at += bytes.write(assertions, at, 'latin1')
    const assertionsEnd = at
    if (ranges !== null) at += bytes.write(ranges.rows, at, 'latin1')
    return {
      facts: listed(factsOf(record)),
      ends: [headEnd, rowEnd, assertionsEnd, at],
      ranges:
        ranges === null ? null : { packageKeys: ranges.packageKeys, unorderedBounds: ranges.unorderedBounds },
    }
  })
  return { records: sent, bytes: bytes.buffer }
}

type Packed = {
  record: CompiledRecord
  head: string
  assertions: string
  ranges: (Omit<RangeRows, 'rows'> & { rows: string }) | null
  size: number
}

function packed1(record: CompiledRecord, known: ReadonlySet<string>): Packed {
  const documentBytes = Buffer.byteLength(record.document)
  const head = recordHead(record, documentBytes)
  const assertions = assertionRows(record.assertions)
  const ranges = known.has(record.decidingHash) ? null : textOfRanges(record)
  const size = head.length + documentBytes + assertions.length + (ranges?.rows.length ?? 0)
  return { record, head, assertions, ranges, size }
}

function textOfRanges(record: CompiledRecord): NonNullable<Packed['ranges']> {
  const { ranges, unorderedBounds } = record.ranges()
  return { rows: rangeRows(ranges), packageKeys: packageKeysOf(ranges), unorderedBounds }
}

/** `compileRanges` compiles those that were not sent: a file may hold a record twice, and then the stored one is not its last. */
export function unpackBatch(
  { records, bytes }: SentBatch,
  compileRanges: (id: string, document: string) => RangeRows,
): PreparedRecord[] {
  let start = 0
  return records.map(({ facts, ends, ranges }) => {
    const [headEnd, rowEnd, assertionsEnd, rangesEnd] = ends
    const from = start
    start = rangesEnd
    const record = named(facts)
    const document = () => Buffer.from(bytes, headEnd, rowEnd - headEnd).toString()
    const rows = Buffer.from(bytes, assertionsEnd, rangesEnd - assertionsEnd)
    return {
      ...record,
      document,
      row: Buffer.from(bytes, from, rowEnd - from),
      assertionRows: Buffer.from(bytes, rowEnd, assertionsEnd - rowEnd),
      ranges: () => (ranges === null ? compileRanges(record.id, document()) : { rows, ...ranges }),
    }
  })
}

function listed(record: RecordFacts): SentFacts {
  return [
    record.id,
    record.source,
    record.class,
    record.summary,
    record.severity,
    record.score,
    record.vector,
    record.modifiedAt,
    record.publishedAt,
    record.withdrawnAt,
    record.ecosystems,
    record.decidingHash,
    record.documentHash,
    record.ownIds,
    record.mayBorrow,
  ]
}

function named(facts: SentFacts): RecordFacts {
  const [id, source, kind, summary, severity, score, vector, ...rest] = facts
  const [modifiedAt, publishedAt, withdrawnAt, ecosystems, decidingHash, documentHash, ownIds, mayBorrow] =
    rest
  return {
    id,
    source,
    class: kind,
    summary,
    severity,
    score,
    vector,
    modifiedAt,
    publishedAt,
    withdrawnAt,
    ecosystems,
    decidingHash,
    documentHash,
    ownIds,
    mayBorrow,
  }
}
