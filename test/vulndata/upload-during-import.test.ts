import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchIdentities } from '../../src/matching/match-identities.ts'
import { regroup } from '../../src/vulndata/store/groups.ts'
import { compileRecord } from '../../src/records/osv/compile-record.ts'
import { inImportTransaction } from '../../src/vulndata/ledger/import-lock.ts'
import { enqueueMatching } from '../../src/vulndata/store/enqueue-matching.ts'
import { prepare } from '../../src/vulndata/records/prepared-record.ts'
import { noRecordChanges, storeRecords } from '../../src/vulndata/store/store-records.ts'
import { addIdentity, npm } from '../support/parts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { asImportOf, record, matchTaken } from './support.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a component that arrives and is matched before the import commits gets the record by the import’s job', async () => {
  const osv = record('GHSA-aaaa', 'npm/late')
  const changes = noRecordChanges()
  const identityId = await inImportTransaction(database.db, asImportOf('records'), async (tx) => {
    const records = [prepare(compileRecord(osv, JSON.stringify(osv), 'osv'))]
    await storeRecords(tx, { records, ecosystem: 'npm', now: testNow }, changes)
    const { merged } = await regroup(tx, changes.regroup, { fresh: changes.freshGroups })
    await enqueueMatching(tx, { packageKeys: changes.packageKeys, merged, now: testNow })
    const id = await addIdentity(database.db, npm('late', '1.0.0'))
    expect(await matchIdentities(database.db, [id], { now: testNow })).toMatchObject({ added: 0 })
    return id
  })
  expect(await matchTaken(database.db)).toBe(1)
  const { rows } = await sql`select identity_id from identity_match`.execute(database.db)
  expect(rows).toEqual([{ identity_id: identityId }])
})
