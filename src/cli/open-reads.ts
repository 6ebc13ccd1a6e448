import { Counter, type Registry } from 'prom-client'
import { prefix } from '../platform/metrics.ts'
import { Replica } from '../platform/postgres/replica/replica.ts'
import { readsOfPrimary, type Reads } from '../platform/postgres/replica/reads.ts'
import type { Process } from './open-process.ts'

/** Where a process that serves HTTP reads what can wait. Throws StoreError where DATABASE_READ_URL can never be read from. */
export async function openReads(process: Process, registry: Registry): Promise<Reads> {
  const { db, config, connection, log, secrets } = process
  if (secrets.databaseReadUrl === null) return readsOfPrimary(db)
  const reads = new Counter({
    name: `${prefix}reads_total`,
    help: 'What can be read on the standby of DATABASE_READ_URL, by where it was: there, or on the primary, and why.',
    labelNames: ['place'],
    registers: [registry],
  })
  const replica = new Replica(db, {
    primary: connection,
    url: secrets.databaseReadUrl,
    poolSize: config.store.poolSize,
    role: 'serve',
    log,
    observe: (place) => reads.inc({ place }),
  })
  try {
    await replica.open()
    return replica
  } catch (error) {
    await replica.close()
    throw error
  }
}
