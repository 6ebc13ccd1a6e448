import { hash } from 'node:crypto'
import { keyGeneration } from '../../formats/versions/ordering.ts'
import type { NvdSource } from '../nvd/read-cve.ts'
import { assertionsOf, type Assertion } from './assertions.ts'
import type { RangeLines } from '../store/range-lines.ts'
import { compilerGeneration, compileRanges, type CompiledRanges } from './compile-ranges.ts'
import { readRecord, type OsvRecord } from './read-record.ts'
import { severityOf, type RecordSeverity } from './severity.ts'

export type RecordClass = 'vulnerability' | 'malware' | 'informational'

/** A record as it is stored. */
export type CompiledRecord = RecordSeverity & {
  id: string
  /** null: an OSV record, which belongs to the source of its ecosystem. */
  source: NvdSource | 'vulnrichment' | 'euvd-scores' | null
  class: RecordClass
  summary: string
  modifiedAt: Date
  publishedAt: Date | null
  withdrawnAt: Date | null
  /** The record as the source wrote it. */
  document: string
  /** Ecosystems of its packages, without release suffix. */
  ecosystems: string[]
  /** Changes exactly when matches or groups may change. */
  decidingHash: string
  /** Changes with any character of the document. */
  documentHash: string
  assertions: Assertion[]
  /** Compiles the affected ranges; costly, and needed only when the deciding parts changed. */
  ranges: () => CompiledRanges
  /** What is written of the ranges, where the thread that read the record has made it. */
  rangeLines?: RangeLines
}

/**
 * Reads one record from its JSON text and works out everything that is stored of it. `name` says in messages where the text
 * came from. Refuses with `RefusedData`.
 */
export function compileRecord(value: unknown, document: string, name: string): CompiledRecord {
  const record = readRecord(value, name)
  return {
    ...severityOf(record),
    id: record.id,
    source: null,
    class: classOf(record),
    summary: record.summary,
    modifiedAt: record.modifiedAt,
    publishedAt: record.publishedAt,
    withdrawnAt: record.withdrawnAt,
    document,
    ecosystems: ecosystemsOf(record),
    decidingHash: decidingHash(record),
    documentHash: hashOf(document),
    assertions: assertionsOf(record),
    ranges: () => compileRanges(record),
  }
}

function classOf(record: OsvRecord): RecordClass {
  if (record.id.startsWith('MAL-')) return 'malware'
  return record.isInformational ? 'informational' : 'vulnerability'
}

function ecosystemsOf(record: OsvRecord): string[] {
  return [...new Set(record.affected.map(({ ecosystem }) => directoryOf(ecosystem)))]
}

/** The directory of the OSV bucket that holds an ecosystem's records: its name before `:`. */
export function directoryOf(ecosystem: string): string {
  const colon = ecosystem.indexOf(':')
  return colon === -1 ? ecosystem : ecosystem.slice(0, colon)
}

/**
 * Most edits of a record touch texts and references only and re-match nothing: this hash covers the parts that decide, and the
 * generations of the code that reads them.
 */
function decidingHash(record: OsvRecord): string {
  const { id, withdrawnAt, aliases, upstream, related, affected } = record
  const parts = [compilerGeneration, keyGeneration, id, classOf(record), withdrawnAt !== null]
  return hashOf(JSON.stringify([...parts, aliases, upstream, related, affected]))
}

function hashOf(text: string): string {
  return hash('sha256', text).slice(0, 32)
}
