import { keyGeneration } from '../../versions/ordering.ts'
import { hashOf, type CompiledRecord } from '../compiled-record.ts'
import { isMalwareId } from '../malware-id.ts'
import { assertionsOf } from './assertions.ts'
import { directoryOf } from './directory.ts'
import { compilerGeneration, compileRanges } from './compile-ranges.ts'
import { readRecord, type OsvRecord } from './read-record.ts'
import { severityOf } from './severity.ts'
import type { RecordClass } from '../../contract/findings/shapes.ts'

/**
 * Reads one record from its JSON text and compiles everything that is stored of it. `name` is its origin in messages.
 * Refuses with `RefusedData`.
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
    digests: record.withdrawnAt === null ? (record.digests ?? []) : [],
    assertions: assertionsOf(record),
    ranges: () => compileRanges(record),
  }
}

function classOf(record: OsvRecord): RecordClass {
  if ([record.id, ...record.aliases].some(isMalwareId)) return 'malware'
  return record.isInformational ? 'informational' : 'vulnerability'
}

function ecosystemsOf(record: OsvRecord): string[] {
  return [...new Set(record.affected.map(({ ecosystem }) => directoryOf(ecosystem)))]
}

/**
 * Most edits of a record touch texts and references only and re-match nothing: this hash covers the parts that decide, and the
 * generations of the code that reads them.
 */
function decidingHash(record: OsvRecord): string {
  const { id, withdrawnAt, aliases, upstream, related, affected, digests } = record
  const parts = [compilerGeneration, keyGeneration, id, classOf(record), withdrawnAt !== null]
  return hashOf(JSON.stringify([...parts, aliases, upstream, related, affected, digests]))
}
