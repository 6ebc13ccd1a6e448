import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { redHatRecordId, type StoredRedHatVex } from '../../records/red-hat-word.ts'

/** What Red Hat says about CVEs, from the files read so far; by the unique record id. */
export async function selectRedHatVex(db: Db, cves: readonly string[]): Promise<StoredRedHatVex[]> {
  if (cves.length === 0) return []
  const { rows } = await sql<{ document: string }>`
    select document from vulnerability
    where record_id = any(${cves.map(redHatRecordId)}::text[]) and withdrawn_at is null
    order by record_id`.execute(db)
  return rows.map(({ document }) => JSON.parse(document) as StoredRedHatVex)
}
