import {
  copied,
  copyFields,
  copyRow,
  fieldLength,
  type CopyColumn,
} from '../../platform/postgres/copy-rows.ts'
import type { Assertion, CompiledRange, CompiledRecord } from '../../records/compiled-record.ts'

/** Of a record's row, beside the document, what the record itself tells. */
const recordColumns: readonly CopyColumn<CompiledRecord>[] = [
  copied.text('record_id', ({ id }) => id),
  copied.text('content_hash', contentHash),
  copied.text('class', (record) => record.class),
  copied.text('summary', ({ summary }) => summary),
  copied.text('severity', ({ severity }) => severity),
  copied.real('score', ({ score }) => score),
  copied.text('vector', ({ vector }) => vector),
  copied.time('published_at', ({ publishedAt }) => publishedAt),
  copied.time('modified_at', ({ modifiedAt }) => modifiedAt),
  copied.time('withdrawn_at', ({ withdrawnAt }) => withdrawnAt),
]

const assertionColumns: readonly CopyColumn<Assertion>[] = [
  copied.bigint('vulnerability_id', () => 0),
  copied.text('other_id', ({ otherId }) => otherId),
  copied.text('relation', ({ relation }) => relation),
  copied.boolean('bridges', ({ bridges }) => bridges),
]

const rangeColumns: readonly CopyColumn<CompiledRange>[] = [
  copied.bigint('vulnerability_id', () => 0),
  copied.text('package_key', ({ packageKey }) => packageKey),
  copied.text('release', ({ release }) => release),
  copied.text('stream', ({ stream }) => stream),
  copied.text('scheme', ({ scheme }) => scheme),
  copied.bytes('lower_key', ({ lowerKey }) => lowerKey),
  copied.bytes('upper_key', ({ upperKey }) => upperKey),
  copied.boolean('upper_included', ({ upperIncluded }) => upperIncluded),
  copied.text('kind', ({ kind }) => kind),
  copied.text('introduced', ({ introduced }) => introduced),
  copied.text('upper_text', ({ upperText }) => upperText),
  copied.text('doubt', ({ doubt }) => doubt),
]

export const assertionColumnNames: readonly string[] = assertionColumns.map(({ name }) => name)
export const rangeColumnNames: readonly string[] = rangeColumns.map(({ name }) => name)
/** The last columns of a record's row; the earlier ones are known where it is written. */
export const recordColumnNames: readonly string[] = [...recordColumns.map(({ name }) => name), 'document']

/** Both hashes in one column, the deciding one first, so that an import can tell an edit of texts from a real change. */
export function contentHash({
  decidingHash,
  documentHash,
}: Pick<CompiledRecord, 'decidingHash' | 'documentHash'>): string {
  return `${decidingHash} ${documentHash}`
}

/** The content hash of a record that its source no longer has: no record hashes to it, so a returning one counts as changed. */
export const goneHash = 'gone'

/** The last fields of the record's row, but for the document's own bytes, which follow. */
export function recordHead(record: CompiledRecord, documentBytes: number): string {
  return copyFields(recordColumns, record) + fieldLength(documentBytes)
}

export function assertionRows(assertions: readonly Assertion[]): string {
  let rows = ''
  for (const assertion of assertions) rows += copyRow(assertionColumns, assertion)
  return rows
}

export function rangeRows(ranges: readonly CompiledRange[]): string {
  let rows = ''
  for (const range of ranges) rows += copyRow(rangeColumns, range)
  return rows
}

const countBytes = 2
const lengthBytes = 4

/** Gives rows of assertions or ranges the row of their record, which is not known where they are made. */
export function writeRecordId(rows: Buffer, vulnerabilityId: number): void {
  for (let at = 0; at < rows.length;) {
    const fields = rows.readInt16BE(at)
    at += countBytes
    rows.writeUInt32BE(Math.floor(vulnerabilityId / 2 ** 32), at + lengthBytes)
    rows.writeUInt32BE(vulnerabilityId % 2 ** 32, at + lengthBytes + 4)
    for (let field = 0; field < fields; field += 1) at += lengthBytes + Math.max(0, rows.readInt32BE(at))
  }
}

const keyField = 1

/** Those rows of ranges whose package keys are wanted. */
export function rowsOn(rows: Buffer, isWanted: (packageKey: string) => boolean): Buffer {
  const wanted: Buffer[] = []
  for (let at = 0; at < rows.length;) {
    const start = at
    const fields = rows.readInt16BE(at)
    at += countBytes
    let packageKey = ''
    for (let field = 0; field < fields; field += 1) {
      const length = Math.max(0, rows.readInt32BE(at))
      if (field === keyField) packageKey = rows.toString('utf8', at + lengthBytes, at + lengthBytes + length)
      at += lengthBytes + length
    }
    if (isWanted(packageKey)) wanted.push(rows.subarray(start, at))
  }
  return Buffer.concat(wanted)
}
