import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { usesEcosystem } from '../ledger/in-store.ts'

type Of = { source: string; ecosystem: string }

/** Whether some component is of the distribution now, and the last turn waited for one. */
export async function isDistributionAwaited(db: Db, { source, ecosystem }: Of): Promise<boolean> {
  const row = await db
    .selectFrom('data_source')
    .select(['last_success_at', 'last_outcome'])
    .where('name', '=', source)
    .executeTakeFirst()
  const waits = row === undefined || (row.last_success_at === null && row.last_outcome === 'unchanged')
  return waits && (await usesEcosystem(db, ecosystem))
}

/** Lets the next refresh read everything although it is the same. */
export async function forgetContent(db: Db, source: string): Promise<void> {
  await sql`update data_source set content_hash = null where name = ${source}`.execute(db)
}
