import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import type { RangeDoubt } from '../../records/compiled-record.ts'
import { prepare, type PreparedRecord } from '../records/prepared-record.ts'
import type { RecordRow } from './record-queries.ts'
import { deleteRanges, onProduct } from './range-queries.ts'
import { selectDocuments } from '../select-documents.ts'
import { sourceOf, sources } from '../sources/all.ts'
import type { RecordKind } from '../sources/source.ts'
import { byIndexes } from './by-indexes.ts'
import { isOnProduct, writeRanges, type RangeChanges } from './write-ranges.ts'

/** A source whose records have ranges on products named by CPE only where better sources have none, with what the ids of both begin with. */
type Yielding = {
  id: string
  records: RecordKind
  prefixes: readonly string[]
  betterPrefixes: readonly string[]
}

/** Those that yield to fewer come first: whether they keep ranges decides about those that yield to them. */
const yielding: readonly Yielding[] = sources
  .flatMap(({ id, records }) => {
    if (records?.yieldsTo === undefined) return []
    const betterPrefixes = records.yieldsTo.flatMap((better) => sourceOf(better)?.records?.prefixes ?? [])
    return [{ id, records, prefixes: records.prefixes ?? [], betterPrefixes }]
  })
  .sort((a, b) => a.betterPrefixes.length - b.betterPrefixes.length)

/** Whether a record's ranges on products count is known once everything that may outrank it is written. */
export function isYielding({ source }: PreparedRecord): boolean {
  return yielding.some(({ id }) => id === source)
}

/**
 * Gives records of sources that yield their ranges on products where no better source has any, and takes them away where one has. The CVE list
 * yields where NVD or an override names products by ranges, or NVD rejects the CVE; vulnrichment yields to the CVE list too. Works on the CVEs
 * of records that were just written, of either side, so what is stored in the end does not depend on the order of imports.
 */
export async function settleYielding(
  tx: Tx,
  written: readonly RecordRow[],
  changes: RangeChanges,
): Promise<void> {
  const cveIds = written.filter(({ record }) => record.source !== null).map(({ record }) => cveOf(record.id))
  if (cveIds.length === 0) return
  for (const source of yielding) {
    const standing = await selectStanding(tx, source, [...new Set(cveIds)])
    const outranked = standing.filter((row) => row.isOutranked && row.hasRanges).map((row) => row.id)
    for (const key of await deleteRanges(tx, outranked, onProduct)) changes.packageKeys.add(key)
    const missing = standing.filter((row) => !row.isOutranked && !row.hasRanges).map((row) => row.id)
    await writeRanges(tx, await recordsOf(tx, source.records, missing, written), changes, isOnProduct)
  }
}

type Missing = { id: number; record: Pick<PreparedRecord, 'ranges'> }

/** Those just written are at hand; for others the stored document is read. */
async function recordsOf(
  tx: Tx,
  { compile }: RecordKind,
  ids: readonly number[],
  written: readonly RecordRow[],
): Promise<Missing[]> {
  const atHand = new Map(written.map((row) => [row.id, row]))
  const stored = await selectDocuments(
    tx,
    ids.filter((id) => !atHand.has(id)),
  )
  return [
    ...ids.flatMap((id) => atHand.get(id) ?? []),
    ...stored.flatMap(({ id, recordId, document }) => {
      const record = compile(JSON.parse(document), document, recordId)
      return record === undefined ? [] : [{ id, record: prepare(record) }]
    }),
  ]
}

function cveOf(recordId: string): string {
  return recordId.slice(recordId.indexOf(':') + 1)
}

/** Words for a product rank below any identifier. */
const words = sql.lit('product_words' satisfies RangeDoubt)

type Standing = { id: number; isOutranked: boolean; hasRanges: boolean }

/**
 * Looked up record by record (`byIndexes`): while a whole list is imported for the first time, every batch would read all that is written so far.
 * Indexes vulnerability_record_id_key, affected_range_vulnerability.
 */
async function selectStanding(
  tx: Tx,
  { prefixes, betterPrefixes }: Yielding,
  cveIds: readonly string[],
): Promise<Standing[]> {
  const idsUnder = (under: readonly string[]) => sql.join(under.map((prefix) => sql`${prefix} || n.cve_id`))
  const standing = sql<Standing>`
    select v.id,
      exists (
        select from affected_range r where r.vulnerability_id = v.id and ${onProduct('r')}
      ) as "hasRanges",
      exists (
        select from vulnerability b
        where b.record_id in (${idsUnder(betterPrefixes)})
          and (b.withdrawn_at is not null or exists (
            select from affected_range r
            where r.vulnerability_id = b.id and ${onProduct('r')}
              and r.doubt is distinct from ${words}
          ))
      ) as "isOutranked"
    from unnest(${cveIds}::text[]) as n (cve_id)
    join vulnerability v on v.record_id in (${idsUnder(prefixes)})`
  const { rows } = await byIndexes(tx, () => standing.execute(tx))
  return rows
}
