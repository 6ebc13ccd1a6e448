import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migrate } from '../../src/schema/migrate.ts'
import { checkoutDir, createRunFolder, openTestStore } from './test-server.ts'

const run = promisify(execFile)

/** URL that returns the folder of a migrated PostgreSQL data directory; the first request of a test run creates it. */
export const preparedStoreVariable = 'PREPARED_STORE_URL'

export async function prepareStore(): Promise<string> {
  const folder = await createRunFolder()
  const store = await openTestStore(null, folder)
  try {
    await migrate(store.connection, join(checkoutDir, 'database', 'migrations'))
  } finally {
    await store.close()
  }
  return join(folder, 'data', 'pgdata')
}

/**
 * Copies a store into a new data folder as the first start of a service would leave it, for tests of later moments: creating and migrating
 * a cluster takes seconds of processor time. Outside a test run the service does it itself.
 */
export async function layStore(dataDir: string): Promise<void> {
  const url = process.env[preparedStoreVariable]
  if (url === undefined) return
  const response = await fetch(url)
  if (!response.ok) throw new Error(`No store was prepared: ${await response.text()}`)
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  // When started by root, the server runs under another account, which keeps owning its files.
  await run('cp', ['-a', (await response.json()) as string, join(dataDir, 'pgdata')])
}
