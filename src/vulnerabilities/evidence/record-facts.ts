import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { FindingRecord } from '../../contract/findings/shapes.ts'
import type { Tables } from '../../database/tables.ts'
import { referencesOf } from './record-references.ts'
import { statedTime } from './stated-time.ts'

export type StoredRecordFacts = Pick<
  Selectable<Tables['vulnerability']>,
  | 'record_id'
  | 'source'
  | 'class'
  | 'summary'
  | 'severity'
  | 'score'
  | 'vector'
  | 'published_at'
  | 'modified_at'
  | 'document'
>

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
