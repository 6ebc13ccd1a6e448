import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { inImportTransaction, waitingAtMost } from '../../src/vulndata/ledger/import-lock.ts'
import { createTestDatabase } from '../support/database.ts'

it('the statements of an import wait for a lock as long as all others', async () => {
  const database = await createTestDatabase()
  const place = { lock: 'records', waiting: waitingAtMost(10_000) } as const
  const limit = await inImportTransaction(database.db, place, async (tx) => {
    const { rows } = await sql<{ limit: string }>`select current_setting('lock_timeout') as "limit"`.execute(
      tx,
    )
    return rows[0]?.limit
  })
  expect(limit).toBe('10s')
  await database.drop()
})
