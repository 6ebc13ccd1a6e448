import { readFile } from 'node:fs/promises'
import { startHttp, type RunningHttp } from '../http/start.ts'
import type { Parser } from '../parser/client.ts'
import { issueSetupLink } from '../people/setup.ts'
import { buildWebWhenStale } from './build-web.ts'
import type { Observation } from './observe.ts'
import { keysFrom, type Process } from './open-process.ts'
import { openReads } from './open-reads.ts'
import { packageVersion } from './package-version.ts'
import { startIdentifying } from './stored-files/start-identifying.ts'
import { startReadingVex } from './stored-files/start-reading-vex.ts'

/** The HTTP side, until stopped. Prints a one-time set-up link while the installation has no member. */
export async function startServe(
  process: Process,
  { registry, storeState, parser, stopping }: Observation & { parser: Parser; stopping: AbortSignal },
): Promise<RunningHttp> {
  const { config, secrets, log } = process
  const webDir = await buildWebWhenStale(config.checkoutDir, { log, stopping })
  const reads = await openReads(process, registry)
  const http = await startHttp({
    ...process,
    registry,
    reads,
    storeState,
    parser,
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
  }).catch(async (error: unknown) => {
    await reads.close()
    throw error
  })
  log.info({ address: http.address, store: process.storeKind }, `ready at ${config.baseUrl}`)
  const setupSecret = await issueSetupLink(process.db, process.now())
  if (setupSecret !== undefined) {
    showSetupLink(`${config.baseUrl}/app/setup#${setupSecret}`)
  }
  const again = [startIdentifying({ ...process, parser }), startReadingVex({ ...process, parser })]
  const stop = async () => {
    await Promise.all([http.stop(), ...again.map(({ stop }) => stop())])
    await reads.close()
  }
  return { ...http, stop }
}

/** On a terminal, where log lines follow at once, it is between rules that the eye finds. */
function showSetupLink(address: string): void {
  const { stderr } = globalThis.process
  const words = `This installation has no members yet. Set it up once at\n  ${address}`
  const rule = '─'.repeat(Math.min(stderr.columns, 100))
  stderr.write(stderr.isTTY ? `\n${rule}\n\n${words}\n\n${rule}\n\n` : `\n${words}\n\n`)
}
