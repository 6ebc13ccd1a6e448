import { hostname } from 'node:os'
import { readFile } from 'node:fs/promises'
import { deliveryChannel } from '../alerts/deliveries/emit.ts'
import { startDeliverer } from '../alerts/deliveries/deliverer.ts'
import { mailOf } from '../alerts/mail/configured.ts'
import { mailChannel } from '../alerts/mail/insert-mails.ts'
import { startMailer } from '../alerts/mail/mailer.ts'
import { outboundOf } from '../platform/outbound/configured.ts'
import { startWorker } from '../platform/jobs/worker.ts'
import { packageVersion } from './package-version.ts'
import { listenTo } from '../platform/postgres/listen.ts'
import { enqueueKeyRenewal } from '../findings/changes/renew-keys.ts'
import { createTasks } from '../worker/tasks.ts'
import { startTicking } from '../worker/schedule.ts'
import { startChaining } from '../workspace/audit-trail/start-chaining.ts'
import { issueSetupLink } from '../workspace/people/setup.ts'
import { startHttp, type RunningHttp } from '../http/start.ts'
import { buildWebWhenStale } from './build-web.ts'
import type { Observation } from './observe.ts'
import { keysFrom, type Process } from './open-process.ts'

/** Jobs and schedules, until stopped. */
export async function startWork(
  process: Process,
  { observeJob, observeDelivery }: Observation,
  outbound = outboundOf(process.config),
): Promise<{ stop: () => Promise<void> }> {
  const { db, queue, now, log, config, sealing, secrets } = process
  const name = `${hostname()}-${globalThis.process.pid}`
  const worker = startWorker(
    {
      ...{ db, queue, now, log, observeJob },
      tasks: createTasks(process),
      name,
    },
    { concurrency: 4 },
  )
  const deliverer = startDeliverer({
    ...{ db, now, log, sealing, name, outbound, observeDelivery },
    baseUrl: config.baseUrl,
  })
  const chaining = startChaining({ db, log })
  const mailer = startMailer({ ...{ db, now, log, name, sealing }, ...mailOf(config, secrets) })
  if (config.mail === null) log.warn('SMTP_URL is not set: mail is kept and not sent')
  await db.transaction().execute((tx) => enqueueKeyRenewal(tx, now()))
  // A lost session only makes the worker slower: polling is the truth.
  const connection = { connectionString: process.databaseUrl }
  const channels = {
    job: worker.wake,
    [deliveryChannel]: deliverer.wake,
    [mailChannel]: mailer.wake,
  }
  const listener = listenTo(connection, { channels, log })
  const ticking = startTicking({ db, now, config, log }, worker.wake)
  return {
    stop: async () => {
      await Promise.all([ticking.stop(), worker.stop(), deliverer.stop(), mailer.stop(), chaining.stop()])
      await listener.stop()
    },
  }
}

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
