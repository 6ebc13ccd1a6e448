import type { Db } from '../../database/connection.ts'
import { euvdPrefixes } from '../../vulndata/euvd/compile-score.ts'
import { idPrefixes } from '../../vulndata/nvd/compile-cve.ts'
import { vulnrichmentPrefix } from '../../vulndata/vulnrichment/compile-cve-record.ts'
import { readCveRecord } from '../../vulndata/vulnrichment/read-cve-record.ts'

/** Who gave a vulnerability its severity, in words for people: an advisory by its id, the others by their names. */
export async function nameSeveritySource(db: Db, recordId: string | null): Promise<string | null> {
  if (recordId === null) return null
  if (recordId.startsWith(idPrefixes.nvd)) return 'NVD'
  if (Object.values(euvdPrefixes).some((prefix) => recordId.startsWith(prefix))) return 'EUVD (ENISA)'
  if (!recordId.startsWith(vulnrichmentPrefix)) return recordId
  const scoredBy = await selectScorer(db, recordId)
  return scoredBy === null || scoredBy === 'CISA-ADP'
    ? 'CISA vulnrichment'
    : `${scoredBy} (CNA), in CISA vulnrichment`
}

async function selectScorer(db: Db, recordId: string): Promise<string | null> {
  const row = await db
    .selectFrom('vulnerability')
    .select('document')
    .where('record_id', '=', recordId)
    .executeTakeFirst()
  return row === undefined
    ? null
    : (readCveRecord(JSON.parse(row.document), recordId).score?.scoredBy ?? null)
}
