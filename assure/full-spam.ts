import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { runFullSpam } from '../test/reliability/scenarios/full-spam.ts'
import { openDatabase } from '../test/support/database.ts'
import { startTestServer } from '../test/support/test-server.ts'
import { createDatabase } from './database.ts'

/** On a server of its own; `TEST_DATABASE_URL` names another one. */
export async function fullSpam(): Promise<Outcome> {
  const { server, close } = await startTestServer()
  try {
    const connection = await createDatabase(server, { name: 'spam', template: server.template })
    // it goes with the server
    const database = openDatabase('spam', { connection, direct: connection }, () => Promise.resolve())
    return await runFullSpam(database, { reports: 100, fileBytes: 10 * 1024 * 1024 })
  } finally {
    await close()
  }
}
