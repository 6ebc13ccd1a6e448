import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { idPrefixes } from '../nvd/compile-cve.ts'
import type { CompiledRecord } from '../osv/compile-record.ts'
import { deleteRanges, type RecordRow } from '../queries.ts'
import { selectDocuments } from '../select-documents.ts'
import { compileCveRecord, vulnrichmentPrefix } from '../vulnrichment/compile-cve-record.ts'
import { writeRanges, type RangeChanges } from './write-ranges.ts'

/**
 * Gives the CVE records of vulnrichment ranges where nobody better does, and takes them away where somebody does: NVD or an override
 * names products by ranges, or NVD rejects the CVE. Works on the CVEs of records that were just written, of either side, so what is
 * stored in the end does not depend on the order of imports.
 */
export async function settleVulnrichment(
  tx: Tx,
  written: readonly RecordRow[],
  changes: RangeChanges,
): Promise<void> {
  const cveIds = written.filter(({ record }) => record.source !== null).map(({ record }) => cveOf(record.id))
  if (cveIds.length === 0) return
  const standing = await selectStanding(tx, [...new Set(cveIds)])
  const yielding = standing.filter((row) => row.isOutranked && row.hasRanges).map((row) => row.id)
  for (const key of await deleteRanges(tx, yielding)) changes.packageKeys.add(key)
  const missing = standing.filter((row) => !row.isOutranked && !row.hasRanges).map((row) => row.id)
  await writeRanges(tx, await recordsOf(tx, missing, written), changes)
}

type Missing = { id: number; record: CompiledRecord }

/** Those written just now are at hand; of others the stored document tells. */
async function recordsOf(tx: Tx, ids: readonly number[], written: readonly RecordRow[]): Promise<Missing[]> {
  const atHand = new Map(written.map((row) => [row.id, row]))
  const stored = await selectDocuments(
    tx,
    ids.filter((id) => !atHand.has(id)),
  )
  return [
    ...ids.flatMap((id) => atHand.get(id) ?? []),
    ...stored.map(({ id, recordId, document }) => ({
      id,
      record: compileCveRecord(JSON.parse(document), recordId),
    })),
  ]
}

function cveOf(recordId: string): string {
  return recordId.slice(recordId.indexOf(':') + 1)
}

type Standing = { id: number; isOutranked: boolean; hasRanges: boolean }

/** Indexes vulnerability_record_id_key, affected_range_vulnerability. */
async function selectStanding(tx: Tx, cveIds: readonly string[]): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select v.id,
      exists (select from affected_range r where r.vulnerability_id = v.id) as "hasRanges",
      exists (
        select from vulnerability b
        where b.record_id in (${idPrefixes.nvd} || n.cve_id, ${idPrefixes['nvd-overrides']} || n.cve_id)
          and (b.withdrawn_at is not null or exists (select from affected_range r where r.vulnerability_id = b.id))
      ) as "isOutranked"
    from unnest(${cveIds}::text[]) as n (cve_id)
    join vulnerability v on v.record_id = ${vulnrichmentPrefix} || n.cve_id`.execute(tx)
  return rows
}
