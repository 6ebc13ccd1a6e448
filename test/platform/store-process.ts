/**
 * A process that uses a store: opens the store of the configuration in its first argument, prints one line of JSON, and closes the store
 * when its input ends.
 */
import { once } from 'node:events'
import { createPool } from '../../src/platform/postgres/pool.ts'
import { openStore, type StoreConfig } from '../../src/platform/postgres/store.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const config = JSON.parse(process.argv[2] ?? '') as StoreConfig
const startedAt = performance.now()
try {
  const store = await openStore(config, silent)
  const pool = createPool(store.connection, { max: 1, applicationName: 'test', log: silent })
  const { rows } = await pool.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  )
  const elapsedMs = Math.round(performance.now() - startedAt)
  console.log(
    JSON.stringify({
      dataDir: store.dataDir,
      connection: store.connection,
      version: rows[0]?.version,
      elapsedMs,
    }),
  )
  process.stdin.resume()
  await once(process.stdin, 'end')
  await pool.end()
  await store.close()
  console.log(JSON.stringify({ closed: true }))
} catch (error) {
  console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
  // Like a crash: nothing is closed.
  process.exit(1)
}
