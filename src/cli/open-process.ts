import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ClientConfig, Pool, PoolConfig } from 'pg'
import type { Db } from '../database/connection.ts'
import { migrate } from '../schema/migrate.ts'
import type { Tables } from '../database/tables.ts'
import { createClock } from '../platform/clock.ts'
import type { Config, Secrets } from '../platform/config/config.ts'
import type { Deps } from '../platform/deps.ts'
import { connectionUrl, createPool, createQueries } from '../platform/postgres/pool.ts'
import { openStore, type Store } from '../platform/postgres/store.ts'
import type { StoreConnection } from '../platform/postgres/store-connection.ts'
import { openOriginals, type OriginalsSettings } from '../originals/configured.ts'
import type { Originals } from '../originals/originals.ts'
import { createKeyRing, openKeyFile } from '../platform/sealing/key-ring.ts'
import type { KeySource } from '../views/operation/key-state.ts'
import { createSealing, placeCanary, type Sealing } from '../platform/sealing/sealing.ts'

/** What every role and command works with. Close it last. */
export type Process = Deps & {
  config: Config
  secrets: Secrets
  pool: Pool
  /** For the queue of jobs (`Worker` in queue/worker.ts). No session is opened until it is used. */
  queue: Db
  sealing: Sealing
  originals: Originals
  /** For parser children, which put originals there themselves. */
  originalsSettings: OriginalsSettings | null
  /** Where the keys of the embedded database are kept; null with an external one. */
  keyFile: string | null
  /** For sessions beside the pool. */
  connection: StoreConnection
  /** The superuser of the embedded server; null with an external one. */
  adminConnection: PoolConfig | null
  /** Where notifications are heard. Null: nowhere, and what waits is looked for. */
  listening: ClientConfig | null
  /** For tools that speak to PostgreSQL. */
  databaseUrl: string
  storeKind: 'embedded' | 'external'
  close: () => Promise<void>
}

/** What a process is opened with. */
export type ProcessOpening = {
  config: Config
  secrets: Secrets
  /** Shown in logs and in the database's list of sessions. */
  role: string
  log: Logger
  /** Throw-away data may skip waiting for the disk. */
  fsync?: boolean
  /** What the database keeps waiting is given up then. */
  stopping?: AbortSignal
  /** False leaves the schema as it is found: for commands that speak to whatever is there. */
  migrates?: boolean
}

/** Claims take no millisecond each (docs/operating.md, "Database sessions"). */
const queueSessions = 2

/** Opens the database, migrates the schema and builds what the process hands on. What fails leaves no server of ours running. */
export async function openProcess(opening: ProcessOpening): Promise<Process> {
  const { config, secrets, log, stopping, fsync = true } = opening
  const store = await openStore(
    {
      databaseUrl: secrets.databaseUrl,
      pooler: config.store.pooler,
      tracksStatements: config.store.tracksStatements,
      listenUrl: secrets.databaseListenUrl,
      dataDir: config.store.dataDir,
      postgresBinDir: config.store.postgresBinDir,
      postgresUser: config.store.postgresUser,
      checkoutDir: config.checkoutDir,
      fsync,
    },
    log,
    stopping,
  )
  try {
    return await openOn(store, opening)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openOn(
  store: Store,
  { config, secrets, role, log, stopping, migrates = true }: ProcessOpening,
): Promise<Process> {
  if (migrates) await migrateSchema(store, { config, log, ...(stopping !== undefined && { stopping }) })
  const sealing = openSealing(store, secrets)
  const keyFile = store.dataDir === undefined ? null : keyFileOf(store.dataDir)
  const originalsSettings = originalsSettingsOf(config, secrets, keyFile)
  const originals = openOriginals(originalsSettings, { log, sealing })
  const now = createClock(config.lab.clockOffsetFile)
  const pool = createPool(store.connection, {
    max: config.store.poolSize,
    applicationName: `sbom-monitor ${role}`,
    log,
  })
  const db: Db = createQueries<Tables>(pool)
  const queuePool = createPool(store.connection, {
    max: queueSessions,
    applicationName: `sbom-monitor ${role} queue`,
    log,
    byIndexes: true,
  })
  const queue: Db = createQueries<Tables>(queuePool)
  try {
    if (migrates) await placeCanary(db, sealing, now())
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    db,
    pool,
    queue,
    sealing,
    originals,
    originalsSettings,
    keyFile,
    log,
    config,
    secrets,
    now,
    connection: store.connection,
    adminConnection: store.adminConnection ?? null,
    listening: store.listening,
    databaseUrl: connectionUrl(store.connection),
    storeKind: store.kind,
    close: async () => {
      await Promise.all([db.destroy(), queue.destroy(), originals.store?.close()])
      await store.close()
    },
  }
}

async function migrateSchema(
  store: Store,
  { config, log, stopping }: Pick<ProcessOpening, 'config' | 'log' | 'stopping'>,
): Promise<void> {
  const onWait = (step: string, heldBy: readonly string[]) => {
    log.warn(
      { step, heldBy },
      'a step of the schema waits for a table in a long transaction, and is tried again for ten minutes',
    )
  }
  const onQueue = (heldBy: readonly string[]) => {
    log.info({ heldBy }, 'another process is changing the schema: this one goes on when it is done')
  }
  const connection = { ...store.connection, ...(stopping !== undefined && { signal: stopping }) }
  const { applied, version } = await migrate(connection, migrationsFolder(config), {
    onWait,
    onQueue,
    ...(stopping !== undefined && { stopping }),
  })
  if (applied.length > 0) log.info({ applied, version }, 'schema migrated')
}

export function migrationsFolder({ checkoutDir }: Config): string {
  return join(checkoutDir, 'database/migrations')
}

/** The operator's keys, else those kept beside the embedded database, else none. */
function openSealing(store: Store, { encryptionKeys }: Secrets): Sealing {
  if (encryptionKeys !== null) return createSealing(createKeyRing(encryptionKeys))
  return createSealing(store.dataDir === undefined ? null : openKeyFile(keyFileOf(store.dataDir)))
}

/** Beside the embedded database; an operator who backs up the one keeps the other too. */
function keyFileOf(dataDir: string): string {
  return join(dataDir, 'encryption-keys')
}

function originalsSettingsOf(
  { objectStore }: Config,
  { objectStoreKeys, encryptionKeys }: Secrets,
  keyFile: string | null,
): OriginalsSettings | null {
  if (objectStore === null || objectStoreKeys === null) return null
  return { place: objectStore, keys: objectStoreKeys, encryptionKeys, keyFile }
}

/** Where a process has its keys from: the operator's setting, the file beside the embedded database, or nowhere. */
export function keysFrom({ secrets, keyFile }: Pick<Process, 'secrets' | 'keyFile'>): KeySource {
  if (secrets.encryptionKeys !== null) return 'ENCRYPTION_KEYS'
  return keyFile === null ? null : 'file'
}
