import { sql, type RawBuilder } from 'kysely'
import type { FindingRecord, RecordClass } from '../../contract/findings/shapes.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import { referencesOf } from './record-references.ts'
import { statedTime } from './stated-time.ts'

export type StoredRecordFacts = {
  record_id: string
  source: string
  class: RecordClass
  summary: string
  severity: Severity
  score: number | null
  vector: string | null
  published_at: Date | null
  modified_at: Date
  document: string
}

/** The columns of `StoredRecordFacts`. */
export function recordColumns(record: string): RawBuilder<unknown> {
  const v = sql.ref(record)
  return sql`${v}.record_id, ${v}.source, ${v}.class, ${v}.summary, ${v}.severity, ${v}.score, ${v}.vector, ${v}.published_at,
  ${v}.modified_at, ${v}.document`
}

type RecordFacts = Pick<
  FindingRecord,
  | 'recordId'
  | 'source'
  | 'class'
  | 'summary'
  | 'severity'
  | 'score'
  | 'vector'
  | 'publishedAt'
  | 'modifiedAt'
  | 'references'
>

/** What every page that shows a record says of it. */
export function recordFacts(record: StoredRecordFacts): RecordFacts {
  return {
    recordId: record.record_id,
    source: record.source,
    class: record.class,
    summary: record.summary,
    severity: record.severity,
    score: record.score,
    vector: record.vector,
    publishedAt: statedTime(record.published_at),
    modifiedAt: statedTime(record.modified_at),
    references: referencesOf(record.document),
  }
}
