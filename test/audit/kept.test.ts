import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { writeBackup } from '../../src/backup/write-backup.ts'
import { migrate } from '../../src/schema/migrate.ts'
import { readMigrations } from '../../src/schema/migration-files.ts'
import { chainEvents } from '../../src/audit/chain-events.ts'
import { verifyTrail } from '../../src/audit/verify-trail.ts'
import { testNow } from '../support/clock.ts'
import { createCompany } from '../support/company.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { checkoutDir } from '../support/test-server.ts'

const migrationsFolder = join(checkoutDir, 'database/migrations')
const onProgress = () => undefined

let folder: string
const stores: TestDatabase[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'))
})
afterAll(async () => {
  await Promise.all(stores.map((store) => store.drop()))
  await rm(folder, { recursive: true, force: true })
})

async function opened(open: () => Promise<TestDatabase>): Promise<TestDatabase> {
  const store = await open()
  stores.push(store)
  return store
}

describe('the chain of the audit trail', () => {
  it('is whole in a restored backup, where chaining goes on', async () => {
    const source = await opened(createTestDatabase)
    await createCompany(source.db, 'acme')
    await chainEvents(source.db)
    await createCompany(source.db, 'umbrella')
    const before = await verifyTrail(source.db, [])
    expect(before.waiting.events).toBeGreaterThan(0)
    const file = join(folder, 'whole.gz')
    await writeBackup(source.connection, { file, now: testNow, onProgress })
    const target = await opened(createEmptyDatabase)
    await restoreBackup(target.direct, { file, migrationsFolder, onProgress })
    expect(await verifyTrail(target.db, before.chains)).toEqual(before)
    expect(await chainEvents(target.db)).toBe(before.waiting.events)
    await createCompany(target.db, 'globex')
    expect(await chainEvents(target.db)).toBeGreaterThan(0)
    expect(await verifyTrail(target.db, before.chains)).toMatchObject({
      isWhole: true,
      waiting: { events: 0 },
    })
  })

  it('takes the events from before it in an upgrade', async () => {
    const store = await opened(createEmptyDatabase)
    const names = readMigrations(migrationsFolder).map(({ name }) => name)
    const version = names.findIndex((name) => name.includes('audit_chain'))
    expect(version).toBeGreaterThan(0)
    await migrate(store.connection, migrationsFolder, { upTo: version })
    await store.pool.query(`
      insert into audit_event (at, actor_kind, actor_name, action, object_kind, object_id)
      select now(), 'system', 'test', 'person.signed_in', 'person', n::text from generate_series(1, 1200) n`)
    await migrate(store.connection, migrationsFolder)
    expect(await verifyTrail(store.db, [])).toMatchObject({
      isWhole: true,
      waiting: { events: 1200, first: 1 },
    })
    expect(await chainEvents(store.db)).toBe(1200)
    expect(await verifyTrail(store.db, [])).toMatchObject({ isWhole: true, chains: [{ events: 1200 }] })
  })
})
