import { afterAll, beforeAll, expect, test } from 'vitest'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  addIdentity,
  importDeps,
  mirrorOf,
  record,
  serve,
  type TestRecord,
  type WebServer,
} from './support.ts'

let database: TestDatabase
let server: WebServer
beforeAll(async () => {
  database = await createTestDatabase()
  server = await serve()
})
afterAll(async () => {
  server.close()
  await database.drop()
})

function offer(records: TestRecord[]): void {
  for (const [path, content] of Object.entries(mirrorOf('npm', records))) server.files.set(path, content)
}

const at = (minutes: number) => new Date(testNow.getTime() + minutes * 60_000)
const refresh = (minutes: number) =>
  refreshSource(importDeps(database.db, { osv: server.url }), { source: 'osv', now: at(minutes) })

async function recordIds(): Promise<string[]> {
  const rows = await database.db.selectFrom('vulnerability').select('record_id').execute()
  return rows.map((row) => row.record_id).sort()
}

const ahead = (id: string) => record(id, 'npm/ahead', { modified: '2999-01-01T00:00:00Z' })
const changedAt = (minutes: number, id: string) =>
  record(id, 'npm/changed', { modified: at(minutes).toISOString() })

test('a record that is dated years ahead keeps no later change out, whether it came with the whole file or among changes', async () => {
  await addIdentity(database.db, 'npm', 'ahead')
  const records = [ahead('OSV-AHEAD-1')]
  const publish = async (minutes: number, more: TestRecord) => {
    records.push(more)
    offer(records)
    await refresh(minutes)
    expect(await recordIds()).toContain(more.id)
  }
  offer(records)
  await refresh(0)
  expect(await recordIds()).toEqual(['OSV-AHEAD-1'])
  await publish(10, changedAt(5, 'OSV-CHANGED-1'))
  await publish(20, ahead('OSV-AHEAD-2'))
  await publish(30, changedAt(25, 'OSV-CHANGED-2'))
})
