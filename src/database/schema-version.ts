import { sql } from 'kysely'
import type { Db } from './connection.ts'

/** The newest migration the store has; it can grow while an older process still runs. */
export async function selectSchemaVersion(db: Db): Promise<number> {
  const { rows } = await sql<{
    version: number | null
  }>`select max(version) as version from schema_migration`.execute(db)
  return rows[0]?.version ?? 0
}
