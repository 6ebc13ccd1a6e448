import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { sourceOf } from '../../src/vulndata/sources/all.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { emptyStore, importDeps, serve, type WebServer } from './support.ts'

/**
 * A source's files, served on loopback to the tests of a file; store and server are emptied before each test. `path`: the source's address.
 */
export function serveFeed(source: string, { start, path = '' }: { start: Date; path?: string }) {
  let database: TestDatabase
  let server: WebServer
  beforeAll(async () => {
    database = await createTestDatabase()
    server = await serve()
  })
  beforeEach(async () => {
    await emptyStore(database.db)
    server.files.clear()
    server.asked.length = 0
  })
  afterAll(async () => {
    server.close()
    await database.drop()
  })
  const deps = () => importDeps(database.db, { [source]: path === '' ? server.url : `${server.url}/${path}` })
  return {
    get db(): Db {
      return database.db
    },
    get server(): WebServer {
      return server
    },
    deps,
    later: (hours: number) => new Date(start.getTime() + hours * 3_600_000),
    refresh: (now = start) => refreshSource(deps(), { source, now }),
    state: async () => (await listSources(database.db)).find(({ name }) => name === source),
    isAwaited: () => sourceOf(source)?.isAwaited?.(database.db),
    readAgain: () => sourceOf(source)?.readAgain?.(database.db),
    /** Records that are not withdrawn. */
    live: async () => {
      const rows = await database.db
        .selectFrom('vulnerability')
        .select('record_id')
        .where('withdrawn_at', 'is', null)
        .orderBy('record_id')
        .execute()
      return rows.map((row) => row.record_id)
    },
  }
}
