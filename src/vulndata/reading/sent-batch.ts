import type { PreparedRecord, RangeRows, RecordFacts } from '../records/prepared-record.ts'

const isSent = {
  id: true,
  source: true,
  class: true,
  summary: true,
  severity: true,
  score: true,
  vector: true,
  modifiedAt: true,
  publishedAt: true,
  withdrawnAt: true,
  ecosystems: true,
  decidingHash: true,
  documentHash: true,
  ownIds: true,
  cves: true,
  mayBorrow: true,
  digests: true,
} satisfies Record<keyof RecordFacts, true>

const sentNames = Object.keys(isSent) as (keyof RecordFacts)[]

/** By `sentNames`: an object's field names would be sent with every object. */
type SentFacts = RecordFacts[keyof RecordFacts][]

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
  return sentNames.map((name) => record[name])
}

function named(facts: SentFacts): RecordFacts {
  return Object.fromEntries(sentNames.map((name, at) => [name, facts[at]])) as RecordFacts
}
