import type { Tables } from '../src/database/tables.ts'
import { createPool, createQueries } from '../src/platform/postgres/pool.ts'
import { runIsolation } from '../test/reliability/scenarios/isolation/run-isolation.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { testNow } from '../test/support/clock.ts'
import { startTestHttp } from '../test/support/http.ts'
import { startTestServer } from '../test/support/test-server.ts'
import { createDatabase } from './database.ts'

/** Every route, with ids of nothing and with what is no id, the rows compared after each route. */
export async function isolation(): Promise<Outcome> {
  const { server, close } = await startTestServer()
  try {
    const connection = await createDatabase(server, { name: 'isolation', template: server.template })
    const pool = createPool(connection, { max: 10, applicationName: 'assure', log: console })
    const db = createQueries<Tables>(pool)
    const http = await startTestHttp({
      database: { connection, db },
      now: () => testNow,
      trustProxy: 1,
      hasParserChildren: true,
    })
    try {
      return await runIsolation({ http, db, kinds: ['missing', 'random'], comparesEach: true })
    } finally {
      await http.stop()
      await pool.end()
    }
  } finally {
    await close()
  }
}
