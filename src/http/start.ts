import type { Registry } from 'prom-client'
import { switchedOffIn } from '../vulndata/source-states.ts'
import type { Parser } from '../parser/client.ts'
import type { Config, Secrets } from '../platform/config/config.ts'
import { boundConnections, readFileLimit } from '../platform/connection-bound.ts'
import type { Deps } from '../platform/deps.ts'
import { startOperationsServer, type OperationsServer } from '../platform/operations-server.ts'
import { outboundOf } from '../platform/outbound/configured.ts'
import type { Originals } from '../originals/originals.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import { createOriginalsProbe } from '../originals/metrics.ts'
import { createSealingProbe } from '../platform/sealing/probe.ts'
import { readsOfPrimary, type Reads } from '../platform/postgres/replica/reads.ts'
import type { StoreState } from '../platform/readiness.ts'
import { KnownGraphs } from '../sbom/dependencies/known-graphs.ts'
import { Shares } from '../platform/concurrency/shares.ts'
import { keepHeapSmall } from '../platform/heap.ts'
import { stripeOf } from '../workspace/billing/configured.ts'
import { PasswordSemaphore } from '../people/password-semaphore.ts'
import { exportBounds } from './app/exports/export-share.ts'
import { requestBounds, searchBounds } from './app/routing/request-share.ts'
import { publicBounds } from '../disclosure-site/public-share.ts'
import type { HttpDeps } from './deps.ts'
import { ArrivingBodies } from './bodies/arriving-bodies.ts'
import { paceRule } from './bodies/body-pace.ts'
import { readinessOf } from './health.ts'
import { listenAt } from './listen.ts'
import { createMetrics } from './metrics.ts'
import type { OperatorSettings } from '../operator/operator-settings.ts'
import { createServer } from './server.ts'

export type HttpOptions = Deps & {
  config: Pick<
    Config,
    | 'host'
    | 'port'
    | 'metricsPort'
    | 'trustProxy'
    | 'serviceName'
    | 'lab'
    | 'store'
    | 'feeds'
    | 'chatHosts'
    | 'mail'
    | 'signUp'
    | 'outboundAllowedHosts'
    | 'stripe'
  >
  secrets: Pick<Secrets, 'stripeKeys'>
  sealing: Sealing
  originals: Originals
  registry: Registry
  /** Default: on the primary. Its opener closes it, after the server has stopped. */
  reads?: Reads
  storeState: () => Promise<StoreState>
  /** Its starter closes it, after the server has stopped. */
  parser: Parser
  /** Without trailing slash. */
  baseUrl: string
  /** Folder of the built web application. */
  webDir: string
  metricsToken: string | null
  operator: OperatorSettings | null
  tls: { cert: Buffer; key: Buffer } | null
}

export type RunningHttp = {
  /** `http://127.0.0.1:3000` */
  address: string
  /** Not ready, then no new connections, then what was accepted finishes; ten seconds in all. */
  stop: () => Promise<void>
}

const megabyte = 1024 * 1024
/** Bodies that are arriving; each of them takes a connection. */
const bodyBounds = {
  maxBytes: 256 * megabyte,
  maxBodies: 1_000,
  strangers: { maxBytes: 64 * megabyte, maxBodies: 500 },
  pace: paceRule,
}
const connectionsWithinMs = 7_000

/** Starts the HTTP side of the service: server, and the metrics' own port where one is configured. */
export async function startHttp(options: HttpOptions): Promise<RunningHttp> {
  const { log, config, registry, parser, tls } = options
  const bodies = new ArrivingBodies(bodyBounds)
  const metrics = createMetrics(registry, parser, bodies)
  const stopping = new AbortController()
  const deps = depsOf(options, { bodies, metrics, stopping: stopping.signal })
  let stopGrowing: () => void = () => undefined
  const app = createServer({ deps, trustProxy: config.trustProxy, tls, webDir: options.webDir })
  boundConnections(app.server, { limit: readFileLimit(), log })
  const { host, port, metricsPort } = config
  let operations: OperationsServer | null = null
  const stop = async () => {
    stopping.abort()
    stopGrowing()
    await operations?.stop()
    const cutting = setTimeout(() => app.server.closeAllConnections(), connectionsWithinMs)
    await app.close()
    clearTimeout(cutting)
  }
  try {
    const address = await listenAt({ variable: 'PORT', host, port }, () => app.listen({ host, port }))
    if (metricsPort !== null) {
      const readiness = () => readinessOf(deps)
      operations = await listenAt({ variable: 'METRICS_PORT', host, port: metricsPort }, () =>
        startOperationsServer({ host, port: metricsPort, registry, readiness, log }),
      )
    }
    // loading the program would fill it for good
    stopGrowing = keepHeapSmall()
    return { address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function depsOf(
  options: HttpOptions,
  { bodies, metrics, stopping }: Pick<HttpDeps, 'bodies' | 'metrics' | 'stopping'>,
): HttpDeps {
  const { db, now, log, config, baseUrl, metricsToken, storeState, parser } = options
  const outbound = outboundOf(config)
  return {
    db,
    now,
    log,
    parser,
    reads: options.reads ?? readsOfPrimary(db),
    bodies,
    metrics,
    baseUrl,
    metricsToken,
    passwords: new PasswordSemaphore(),
    exports: new Shares(exportBounds(config.store.poolSize)),
    requests: new Shares(requestBounds(config.store.poolSize)),
    publicPages: new Shares(publicBounds(config.store.poolSize)),
    searches: new Shares(searchBounds(config.store.poolSize)),
    graphs: new KnownGraphs(),
    serviceName: config.serviceName,
    storeState,
    sealing: options.sealing,
    originals: options.originals,
    degraded: degradedOf(options),
    chatHosts: config.chatHosts,
    sendsMail: config.mail !== null,
    outbound,
    stripe: stripeOf(config, options.secrets, outbound),
    signUp: config.signUp,
    operator: options.operator,
    switchedOff: switchedOffIn(config),
    stopping,
  }
}

/** In words for operators. An unreachable object store is not included: everything else still works, and no other process has a better one. */
function degradedOf(options: HttpOptions): () => Promise<string[]> {
  const probes = [createSealingProbe(options), createOriginalsProbe(options)]
  return async () => (await Promise.all(probes.map((probe) => probe()))).flat()
}
