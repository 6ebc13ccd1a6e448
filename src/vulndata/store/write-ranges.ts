import type { Tx } from '../../database/connection.ts'
import { insertBinarySources, insertKnownReleases, insertRanges } from '../queries.ts'
import type { BinarySource, KnownRelease } from '../../records/compiled-record.ts'
import type { PreparedRecord } from '../records/prepared-record.ts'
import { rowsOn, writeRecordId } from '../records/record-rows.ts'

/** The part of an import's changes that concerns ranges. */
export type RangeChanges = { unorderedBounds: number; packageKeys: Set<string> }

type WithRanges = { id: number; record: Pick<PreparedRecord, 'ranges'> }

/** Which ranges of a record are meant, by their package keys; undefined: all. */
export type Wanted = (packageKey: string) => boolean

/** Of products named by CPE. */
export const isOnProduct: Wanted = (packageKey) => packageKey.startsWith('cpe\u001f')

/** Writes the affected ranges of records that have none stored, in bulk: the first are being written while the last are compiled. */
export async function writeRanges(
  tx: Tx,
  rows: readonly WithRanges[],
  changes: RangeChanges,
  isWanted?: Wanted,
): Promise<void> {
  if (rows.length === 0) return
  const binaries: BinarySource[] = []
  const releases = new Map<string, KnownRelease>()
  await insertRanges(tx, rowsOf(rows, { changes, binaries, releases, isWanted }))
  await insertKnownReleases(tx, releases.values())
  for (const key of await insertBinarySources(tx, binaries)) changes.packageKeys.add(key)
}

type Writing = {
  changes: RangeChanges
  binaries: BinarySource[]
  releases: Map<string, KnownRelease>
  isWanted: Wanted | undefined
}

function* rowsOf(
  records: readonly WithRanges[],
  { changes, binaries, releases, isWanted }: Writing,
): Generator<Uint8Array> {
  for (const { id, record } of records) {
    const { rows: all, packageKeys, unorderedBounds, binaries: told, releases: spoken } = record.ranges()
    const rows = isWanted === undefined ? all : rowsOn(all, isWanted)
    if (rows.length === 0 && all.length > 0) continue
    changes.unorderedBounds += unorderedBounds
    for (const key of isWanted === undefined ? packageKeys : packageKeys.filter(isWanted))
      changes.packageKeys.add(key)
    for (const binary of told) binaries.push(binary)
    for (const known of spoken) releases.set(known.join(' '), known)
    writeRecordId(rows, id)
    yield rows
  }
}
