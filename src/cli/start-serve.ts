import { readFile } from 'node:fs/promises'
import { startHttp, type RunningHttp } from '../http/start.ts'
import { issueSetupLink } from '../workspace/people/setup.ts'
import { buildWebWhenStale } from './build-web.ts'
import type { Observation } from './observe.ts'
import { keysFrom, type Process } from './open-process.ts'
import { packageVersion } from './package-version.ts'

/** The HTTP side, until stopped. Prints a one-time set-up link while the installation has no member. */
export async function startServe(
  process: Process,
  { registry, storeState, stopping }: Observation & { stopping: AbortSignal },
): Promise<RunningHttp> {
  const { config, secrets, log } = process
  const webDir = await buildWebWhenStale(config.checkoutDir, { log, stopping })
  const http = await startHttp({
    ...process,
    registry,
    storeState,
    baseUrl: config.baseUrl,
    webDir,
    metricsToken: secrets.metricsToken,
    operator: config.hasOperatorPages
      ? { version: await packageVersion(config), keysFrom: keysFrom(process) }
      : null,
    tls:
      config.tls === null
        ? null
        : { cert: await readFile(config.tls.certFile), key: await readFile(config.tls.keyFile) },
  })
  log.info({ address: http.address, store: process.storeKind }, `ready at ${config.baseUrl}`)
  const setupSecret = await issueSetupLink(process.db, process.now())
  if (setupSecret !== undefined) {
    globalThis.process.stderr.write(
      `\nThis installation has no members yet. Set it up once at\n  ${config.baseUrl}/app/setup#${setupSecret}\n\n`,
    )
  }
  return http
}
