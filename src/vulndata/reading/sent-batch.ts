import type { PreparedRecord, RangeRows, RecordFacts } from '../records/prepared-record.ts'

/** A list, because an object's field names would be sent with every object. */
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
  RecordFacts['cves'],
  RecordFacts['mayBorrow'],
  string[],
]

export type SentRecord = {
  facts: SentFacts
  /** Where its row, the document in it, its assertions and its ranges end. */
  ends: [number, number, number, number]
  /** null: its ranges are probably not needed. */
  ranges: Omit<RangeRows, 'rows'> | null
}

/** Records on their way to another thread: their rows in one piece of memory, which is transferred, not copied. */
export type SentBatch = { records: SentRecord[]; bytes: ArrayBuffer }

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

export function listed(record: RecordFacts): SentFacts {
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
    record.cves,
    record.mayBorrow,
    record.digests ?? [],
  ]
}

function named(facts: SentFacts): RecordFacts {
  const [id, source, kind, summary, severity, score, vector, ...rest] = facts
  const [
    modifiedAt,
    publishedAt,
    withdrawnAt,
    ecosystems,
    decidingHash,
    documentHash,
    ownIds,
    cves,
    mayBorrow,
    digests,
  ] = rest
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
    cves,
    mayBorrow,
    digests,
  }
}
