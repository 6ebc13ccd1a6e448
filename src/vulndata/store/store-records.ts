import type { Tx } from '../../database/connection.ts'
import { insertGroups } from './group-queries.ts'
import { deleteRanges } from './range-queries.ts'
import {
  insertRecords,
  replaceAssertions,
  selectNeighbours,
  selectStoredRecords,
  updateRecords,
  type RecordRow,
  type StoredRecord,
} from './record-queries.ts'
import { takeIds } from './take-ids.ts'
import { placeNewRecords } from './place-new-records.ts'
import { sources } from '../sources/all.ts'
import { isYielding, settleYielding } from './settle-yielding.ts'
import { selectBorrowers } from './upstream-severity.ts'
import { RowIds } from './row-ids.ts'
import { replaceDigests } from './write-digests.ts'
import { isOnProduct, writeRanges } from './write-ranges.ts'
import type { PreparedRecord } from '../records/prepared-record.ts'
import { contentHash } from '../records/record-rows.ts'
import { sourceName } from '../../records/ecosystem-source.ts'

/** What an import has changed so far; grows with every batch. */
export type RecordChanges = {
  /** Records seen, changed or not. */
  seen: number
  /** Rows of those that are stored. */
  seenRows: RowIds
  added: number
  /** Deciding parts changed: ranges, aliases, withdrawal or class. */
  changed: number
  /** Only texts, severity or times changed. */
  edited: number
  /** Records that the source no longer has. */
  gone: number
  /** Range bounds that no order knows; their intervals are left out. */
  unorderedBounds: number
  /** Old and new package keys of added and changed records. */
  packageKeys: Set<string>
  /** Digests that malware records state now or no longer. */
  digests: Set<string>
  /** Rows whose group, or its title, may have changed. */
  regroup: RowIds
  /** New rows with a final group; others may borrow their severity. */
  settled: RowIds
  /** Groups that were made in this transaction; nothing refers to them yet. */
  freshGroups: RowIds
}

export function noRecordChanges(): RecordChanges {
  return {
    seen: 0,
    seenRows: new RowIds(),
    added: 0,
    changed: 0,
    edited: 0,
    gone: 0,
    unorderedBounds: 0,
    packageKeys: new Set(),
    digests: new Set(),
    regroup: new RowIds(),
    settled: new RowIds(),
    freshGroups: new RowIds(),
  }
}

export type Batch = {
  records: readonly PreparedRecord[]
  /** Ecosystem whose file is read; null when the records come from anywhere. */
  ecosystem: string | null
  now: Date
}

/**
 * Writes a batch of records, in bulk and inside the import's transaction. A record whose deciding parts are as before gets new texts
 * and keeps its ranges; an identical one is not touched.
 */
export async function storeRecords(
  tx: Tx,
  { records, ecosystem, now }: Batch,
  changes: RecordChanges,
): Promise<void> {
  const latest = new Map(records.map((record) => [record.id, record]))
  const stored = new Map(
    (await selectStoredRecords(tx, [...latest.keys()])).map((row) => [row.recordId, row]),
  )
  const added: PreparedRecord[] = []
  const changed: RecordRow[] = []
  const edited: RecordRow[] = []
  for (const record of latest.values()) {
    const before = stored.get(record.id)
    if (before === undefined) {
      if (!saysNothing(record)) added.push(record)
      continue
    }
    changes.seenRows.add(before.id)
    const row = rowOf(before.id, record, sourceOf(record, ecosystem, before))
    if (before.contentHash === row.contentHash) continue
    const isDeciding = !before.contentHash.startsWith(`${record.decidingHash} `)
    ;(isDeciding ? changed : edited).push(row)
  }
  const inserted = await insertNew(tx, { added, ecosystem, now }, changes)
  await updateRecords(tx, [...changed, ...edited], now)
  await replaceDecidingParts(tx, { inserted, changed }, changes)
  changes.seen += latest.size
  changes.added += added.length
  changes.changed += changed.length
  changes.edited += edited.length
  for (const { id } of [...changed, ...edited]) changes.regroup.add(id)
}

const leavingOutEmpty: ReadonlySet<string> = new Set(
  sources.flatMap(({ id, records }) => (records?.leavesOutEmpty === true ? [id] : [])),
)

/** If one of these is withdrawn, records of others lose their ranges. */
const outranking: ReadonlySet<string> = new Set(sources.flatMap(({ records }) => records?.yieldsTo ?? []))

/** Of some sources only ranges and severities are read; a record that has neither is left out. One that has lost them is kept, and says so. */
function saysNothing(record: PreparedRecord): boolean {
  const { source, severity, withdrawnAt } = record
  if (severity !== 'unknown') return false
  if (source !== null && withdrawnAt !== null && outranking.has(source)) return false
  return source !== null && leavingOutEmpty.has(source) && record.ranges().packageKeys.length === 0
}

function rowOf(id: number, record: PreparedRecord, source: string): RecordRow {
  return { id, source, record, contentHash: contentHash(record) }
}

/**
 * A record on packages of several ecosystems is in the file of each. It belongs to the one it was first read from for as long as
 * it names that ecosystem, so that reading the files in turn changes nothing.
 */
function sourceOf(record: PreparedRecord, ecosystem: string | null, before: StoredRecord | null): string {
  if (record.source !== null) return record.source
  const owners = record.ecosystems.map(sourceName)
  if (before !== null && owners.includes(before.source)) return before.source
  return ecosystem === null ? (owners[0] ?? 'osv') : sourceName(ecosystem)
}

type Addition = { added: readonly PreparedRecord[]; ecosystem: string | null; now: Date }

async function insertNew(
  tx: Tx,
  { added, ecosystem, now }: Addition,
  changes: RecordChanges,
): Promise<RecordRow[]> {
  if (added.length === 0) return []
  const ids = await takeIds(tx, 'vulnerability', added.length)
  const { groups, places } = await placeNewRecords(tx, added)
  await insertGroups(tx, groups)
  const rows = added.map((record, index) => ({
    ...rowOf(takenAt(ids, index), record, sourceOf(record, ecosystem, null)),
    groupId: takenAt(places, index).groupId,
  }))
  await insertRecords(tx, rows, now)
  for (const { id } of groups) changes.freshGroups.add(id)
  for (const [index, { id }] of rows.entries()) {
    changes.seenRows.add(id)
    ;(takenAt(places, index).isSettled ? changes.settled : changes.regroup).add(id)
  }
  return rows
}

function takenAt<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new Error('expected as many ids and places as records')
  return item
}

type Deciding = { inserted: readonly RecordRow[]; changed: readonly RecordRow[] }

async function replaceDecidingParts(
  tx: Tx,
  { inserted, changed }: Deciding,
  changes: RecordChanges,
): Promise<void> {
  const changedIds = changed.map((row) => row.id)
  for (const key of await deleteRanges(tx, changedIds)) changes.packageKeys.add(key)
  for (const id of await selectNeighbours(tx, changedIds)) changes.regroup.add(id)
  for (const id of await selectBorrowers(tx, changedIds)) changes.regroup.add(id)
  const written = [...inserted, ...changed]
  await replaceAssertions(tx, changedIds, written)
  for (const digest of await replaceDigests(tx, changedIds, written)) changes.digests.add(digest)
  await writeRanges(
    tx,
    written.filter(({ record }) => !isYielding(record)),
    changes,
  )
  // precedence on products does not apply to packages
  await writeRanges(
    tx,
    written.filter(({ record }) => isYielding(record)),
    changes,
    (packageKey) => !isOnProduct(packageKey),
  )
  await settleYielding(tx, written, changes)
}
