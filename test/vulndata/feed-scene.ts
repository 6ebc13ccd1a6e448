import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { sourceOf } from '../../src/vulndata/sources/all.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { emptyStore, importDeps, serve, type WebServer } from './support.ts'

/** A database, and a server on loopback for the files of sources; both are emptied before each test of the file. */
export function serveFiles() {
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
  return {
    get db(): Db {
      return database.db
    },
    get server(): WebServer {
      return server
    },
    /** A source that is fetched from there, at this path. */
    depsOf: (source: string, path = '') =>
      importDeps(database.db, { [source]: path === '' ? server.url : `${server.url}/${path}` }),
  }
}

/** The files of one source. `path`: the source's address. */
export function serveFeed(source: string, { start, path = '' }: { start: Date; path?: string }) {
  const files = serveFiles()
  const deps = () => files.depsOf(source, path)
  return {
    get db(): Db {
      return files.db
    },
    get server(): WebServer {
      return files.server
    },
    deps,
    later: (hours: number) => new Date(start.getTime() + hours * 3_600_000),
    refresh: (now = start) => refreshSource(deps(), { source, now }),
    state: async () => (await listSources(files.db)).find(({ name }) => name === source),
    isAwaited: () => sourceOf(source)?.isAwaited?.(files.db),
    readAgain: () => sourceOf(source)?.readAgain?.(files.db),
    /** Records that are not withdrawn. */
    live: async () => {
      const rows = await files.db
        .selectFrom('vulnerability')
        .select('record_id')
        .where('withdrawn_at', 'is', null)
        .orderBy('record_id')
        .execute()
      return rows.map((row) => row.record_id)
    },
  }
}
