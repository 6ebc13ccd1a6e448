import { once } from 'node:events'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { readMigrations } from '../database/migration-files.ts'
import { startParser } from '../parser/client.ts'
import { feedNames, type Config } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { PasswordTurns } from '../workspace/people/password-turns.ts'
import type { HttpDeps } from './deps.ts'
import { ArrivingBodies } from './arriving-bodies.ts'
import { paceRule } from './body-pace.ts'
import { listenAt } from './listen.ts'
import { createMetrics, createMetricsServer } from './metrics.ts'
import { createServer } from './server.ts'
import { registerWebApp } from './web-app.ts'

export type HttpOptions = Deps & {
  config: Pick<
    Config,
    'host' | 'port' | 'metricsPort' | 'trustProxy' | 'serviceName' | 'checkoutDir' | 'lab' | 'feeds'
  >
  databaseUrl: string
  /** Without trailing slash. */
  baseUrl: string
  /** Folder of the built web application. */
  webDir: string
  metricsToken: string | null
  tls: { cert: Buffer; key: Buffer } | null
}

export type RunningHttp = {
  /** `http://127.0.0.1:3000` */
  address: string
  /** Not ready, then no new connections, then what was accepted finishes; ten seconds in all. */
  stop: () => Promise<void>
}

/** Bodies that are arriving; each of them takes a connection. */
const bodyBounds = { maxBytes: 256 * 1024 * 1024, maxBodies: 1_000, pace: paceRule }
const connectionsWithinMs = 7_000
const parserWithinMs = 2_000

/** Starts the HTTP side of the service: parser child, server, and the metrics' own port where one is configured. */
export async function startHttp(options: HttpOptions): Promise<RunningHttp> {
  const { db, now, log, config, baseUrl, metricsToken } = options
  const migrations = await readMigrations(join(config.checkoutDir, 'database/migrations'))
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const connection = { connectionString: options.databaseUrl }
  const parser = startParser({
    entry: { module: main, args: ['parse'] },
    connection,
    clockOffsetFile: config.lab.clockOffsetFile,
    log,
  })
  const bodies = new ArrivingBodies(bodyBounds)
  const metrics = createMetrics(parser, bodies)
  const stopping = new AbortController()
  const deps: HttpDeps = {
    ...{ db, now, log, parser, bodies, metrics, baseUrl, metricsToken },
    passwords: new PasswordTurns(),
    serviceName: config.serviceName,
    isStoreCurrent: () => isStoreCurrent(db, migrations.length),
    switchedOff: feedNames.filter((name) => config.feeds[name] === null),
    stopping: stopping.signal,
  }
  const app = createServer({ deps, trustProxy: config.trustProxy, tls: options.tls })
  app.register((scope) => registerWebApp(scope, options.webDir))
  const { host, port, metricsPort } = config
  const metricsServer = metricsPort === null ? null : createMetricsServer(metrics)
  const stop = async () => {
    stopping.abort()
    metricsServer?.close()
    const cutting = setTimeout(() => app.server.closeAllConnections(), connectionsWithinMs)
    await app.close()
    clearTimeout(cutting)
    await parser.close(parserWithinMs)
  }
  try {
    const address = await listenAt({ variable: 'PORT', host, port }, () => app.listen({ host, port }))
    if (metricsServer !== null && metricsPort !== null) {
      await listenAt({ variable: 'METRICS_PORT', host, port: metricsPort }, () =>
        listen(metricsServer, host, metricsPort),
      )
    }
    return { address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function isStoreCurrent(db: Db, version: number): Promise<boolean> {
  const { rows } = await sql<{
    version: number
  }>`select max(version) as version from schema_migration`.execute(db)
  return (rows[0]?.version ?? 0) >= version
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}
