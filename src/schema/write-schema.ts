/** Writes database/schema.sql from the migrations, through a throw-away store. Run after adding a migration. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSession } from '../platform/postgres/session.ts'
import { openStore } from '../platform/postgres/store.ts'
import { dumpSchema } from './dump-schema.ts'
import { migrate } from './migrate.ts'

const checkoutDir = join(import.meta.dirname, '..', '..')
const folder = await mkdtemp(join(tmpdir(), 'schema-'))
try {
  // Started by root, the server runs under another account.
  await chmod(folder, 0o755)
  const store = await openStore(
    {
      databaseUrl: null,
      dataDir: join(folder, 'data'),
      postgresBinDir: null,
      postgresUser: null,
      checkoutDir,
      fsync: false,
    },
    { info: () => undefined, warn: console.warn, error: console.error },
  )
  try {
    await migrate(store.connection, join(checkoutDir, 'database', 'migrations'))
    const { client: session } = await openSession(store.connection, { applicationName: 'schema' })
    await writeFile(join(checkoutDir, 'database', 'schema.sql'), await dumpSchema(session))
    await session.end()
  } finally {
    await store.close()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
