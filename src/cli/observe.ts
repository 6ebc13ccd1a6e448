import type { Registry } from 'prom-client'
import {
  addDeliveryMetrics,
  addDeliveryOutcomes,
  type ObserveDelivery,
} from '../alerts/deliveries/delivery-metrics.ts'
import { listenAt } from '../http/listen.ts'
import { readMigrations } from '../schema/migration-files.ts'
import { addPoolMetrics, addStoreStateMetrics, createRegistry } from '../platform/metrics.ts'
import { addJobMetrics, addQueueMetrics, type ObserveJob } from '../queue/metrics.ts'
import { addOriginalsMetrics } from '../originals/metrics.ts'
import { packageVersion } from './package-version.ts'
import { startOperationsServer, type OperationsServer } from '../platform/operations-server.ts'
import { addUnexpectedErrors, type UnexpectedErrors } from '../platform/unexpected-errors.ts'
import { createStoreProbe, type StoreState } from '../platform/readiness.ts'
import { addOperationMetrics } from '../views/operation/operation-metrics.ts'
import { addSourceMetrics } from '../vulndata/source-metrics.ts'
import { migrationsFolder, type Process } from './open-process.ts'

/** What operators see of a process: its metrics, and what the database can do. */
export type Observation = {
  registry: Registry
  storeState: () => Promise<StoreState>
  observeJob: ObserveJob
  observeDelivery: ObserveDelivery
  unexpectedErrors: UnexpectedErrors
}

/** Sets up the metrics of every role: build, pool, queue, sources, jobs, deliveries and unexpected errors. */
export async function observeProcess(process: Process, role: string): Promise<Observation> {
  const { config, db, log, pool } = process
  const registry = createRegistry({ version: await packageVersion(config), role })
  addPoolMetrics(registry, pool)
  addQueueMetrics(registry, process)
  addSourceMetrics(registry, process)
  addDeliveryMetrics(registry, process)
  addOriginalsMetrics(registry, process)
  addOperationMetrics(registry, { ...process, sendsMail: config.mail !== null })
  const { length: version } = readMigrations(migrationsFolder(config))
  const storeState = createStoreProbe({ db, log, version })
  addStoreStateMetrics(registry, storeState)
  return {
    registry,
    storeState,
    observeJob: addJobMetrics(registry),
    observeDelivery: addDeliveryOutcomes(registry),
    unexpectedErrors: addUnexpectedErrors(registry),
  }
}

/** The probes of a process without HTTP of its own, on METRICS_PORT where one is configured. */
export async function startWorkProbes(
  { config, log }: Process,
  { registry, storeState }: Observation,
): Promise<Pick<OperationsServer, 'stop'>> {
  const { host, metricsPort: port } = config
  if (port === null) return { stop: () => Promise.resolve() }
  const readiness = async () => {
    const state = await storeState()
    return { status: state.store && state.writable ? ('ready' as const) : ('not_ready' as const), ...state }
  }
  const server = await listenAt({ variable: 'METRICS_PORT', host, port }, () =>
    startOperationsServer({ host, port, registry, readiness, log }),
  )
  log.info({ port: server.port }, 'probes and metrics')
  return server
}
