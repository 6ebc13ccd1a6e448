import type { Db } from '../../src/database/connection.ts'
import type { Tables } from '../../src/database/tables.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { runCommand } from './command.ts'
import type { Service } from './service.ts'

/** On a busy machine, a lock wait is long without being a bug. */
const lockTimeoutMs = 120_000

/** Sessions of this process on the database of a running service. Destroy them before the service stops. */
export async function openDatabaseOf(service: Pick<Service, 'env'>, applicationName: string): Promise<Db> {
  const { databaseUrl } = await runCommand<{ databaseUrl: string }>(service.env, ['store'])
  const pool = createPool(
    { connectionString: databaseUrl },
    { max: 10, applicationName, lockTimeoutMs, log: console },
  )
  return createQueries<Tables>(pool)
}
