import type { Db } from '../../database/connection.ts'
import { scorerOf } from '../../vulndata/store/severity-precedence.ts'

/** Who gave a vulnerability its severity, in words for people: an advisory by its id, the others by their names. */
export async function nameSeveritySource(db: Db, recordId: string | null): Promise<string | null> {
  if (recordId === null) return null
  const scorer = scorerOf(recordId)
  if (scorer === undefined) return recordId
  if (scorer.nameIn === undefined) return scorer.name
  const row = await db
    .selectFrom('vulnerability')
    .select('document')
    .where('record_id', '=', recordId)
    .executeTakeFirst()
  return row === undefined ? scorer.name : scorer.nameIn(JSON.parse(row.document), recordId)
}
