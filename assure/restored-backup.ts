import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { runRestoredBackup } from '../test/reliability/scenarios/restored-backup.ts'
import { startTestServer } from '../test/support/test-server.ts'
import { createDatabase } from './database.ts'

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
