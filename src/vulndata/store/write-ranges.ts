import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import { copyRows } from '../../platform/postgres/copy.ts'
import type { BinarySource, KnownRelease } from '../../records/compiled-record.ts'
import type { PreparedRecord } from '../records/prepared-record.ts'
import { rangeColumnNames, rowsOn, writeRecordId } from '../records/record-rows.ts'

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
  const written = rowsOf(rows, { changes, binaries, releases, isWanted })
  await copyRows(tx, { table: 'affected_range', columns: rangeColumnNames, rows: written })
  await insertKnownReleases(tx, [...releases.values()])
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

/** Stores what packages were built from; returns the keys of those for which that is new. */
async function insertBinarySources(tx: Tx, binaries: readonly BinarySource[]): Promise<string[]> {
  if (binaries.length === 0) return []
  const { rows } = await sql<{ package_key: string }>`
    with told as (
      insert into binary_source (package_key, release, source_key)
      select distinct * from unnest(
        ${columnOf(binaries, 'text', ([packageKey]) => packageKey)}, ${columnOf(binaries, 'text', ([, release]) => release)},
        ${columnOf(binaries, 'text', ([, , sourceKey]) => sourceKey)}
      )
      order by 1, 2, 3
      on conflict do nothing
      returning package_key
    )
    select distinct package_key from told`.execute(tx)
  return rows.map((row) => row.package_key)
}

/** Stores which releases of distributions records are about. */
async function insertKnownReleases(tx: Tx, releases: readonly KnownRelease[]): Promise<void> {
  if (releases.length === 0) return
  await sql`
    insert into known_release (ecosystem, release)
    select * from unnest(
      ${columnOf(releases, 'text', ([ecosystem]) => ecosystem)}, ${columnOf(releases, 'text', ([, release]) => release)}
    )
    order by 1, 2
    on conflict do nothing`.execute(tx)
}
