import pg from 'pg'
import { onDatabase, ownedByService, type TestServer } from '../test/support/test-server.ts'

/** Of one scenario, on a server that is removed after it. */
export async function createDatabase(
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
