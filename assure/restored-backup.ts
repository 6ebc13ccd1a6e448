import pg from 'pg'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { runRestoredBackup } from '../test/reliability/scenarios/restored-backup.ts'
import { onDatabase, ownedByService, startTestServer, type TestServer } from '../test/support/test-server.ts'

/** From one database of a server into an empty one of the same; `TEST_DATABASE_URL` names another server. */
export async function restoredBackup(): Promise<Outcome> {
  const { server, close } = await startTestServer()
  try {
    const source = await createDatabase(server, { name: 'source', template: server.template })
    const target = await createDatabase(server, { name: 'target', template: 'template0' })
    return await runRestoredBackup({ source, target, publications: 40 })
  } finally {
    await close()
  }
}

async function createDatabase(
  server: TestServer,
  { name, template }: { name: string; template: string },
): Promise<pg.PoolConfig> {
  const database = server.prefix + name
  const session = new pg.Client(server.connection)
  await session.connect()
  try {
    await session.query(`CREATE DATABASE ${database} ${ownedByService(server)} TEMPLATE ${template}`)
  } finally {
    await session.end()
  }
  return onDatabase(server.serviceConnection, database)
}
