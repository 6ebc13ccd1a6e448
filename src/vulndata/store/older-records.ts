import { shownSecond } from '../../contract/shown-time.ts'
import { goneHash } from '../records/record-rows.ts'
import type { PreparedRecord } from '../records/prepared-record.ts'
import type { StoredRecord } from '../queries.ts'

/** Records that an import reads older than they are stored; the stored ones are kept. */
export type OlderRecords = {
  count: number
  /** The one that is stored with the latest time. */
  latest: { id: string; statedAt: Date; storedAt: Date } | null
}

export function noOlderRecords(): OlderRecords {
  return { count: 0, latest: null }
}

type Versions = { before: StoredRecord; record: PreparedRecord; now: Date }

/**
 * Whether a copy that is behind its publisher has this record. One that is dated ahead of time keeps no later one out, one that its source no longer had
 * may come back as it was, and what states no time is never older.
 */
export function isOlder({ before, record: { modifiedAt }, now }: Versions): boolean {
  if (before.contentHash === goneHash || modifiedAt.getTime() === 0) return false
  return modifiedAt < before.modifiedAt && before.modifiedAt <= now
}

export function addOlder(older: OlderRecords, { before, record }: Omit<Versions, 'now'>): void {
  older.count += 1
  if (older.latest !== null && older.latest.storedAt >= before.modifiedAt) return
  older.latest = { id: record.id, statedAt: record.modifiedAt, storedAt: before.modifiedAt }
}

/** Nothing in the import is as new as what is stored. What such a copy lacks has not been removed. */
export function isCopyBehind({ latest }: OlderRecords, newest: Date | null): boolean {
  return latest !== null && newest !== null && newest < latest.storedAt
}

/** For the row of the source; null: there is nothing to say. */
export function olderWords({ count, latest }: OlderRecords): string | null {
  if (latest === null) return null
  const { id, storedAt, statedAt } = latest
  const records = count === 1 ? 'a record is' : `${count} records are`
  return `${records} older than those that are stored, which were kept: expected ${id} of ${shownSecond(storedAt)} or later, found one of ${shownSecond(statedAt)}`
}
