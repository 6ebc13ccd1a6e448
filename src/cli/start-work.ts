import { hostname } from 'node:os'
import { deliveryChannel } from '../alerts/deliveries/emit.ts'
import { startDeliverer } from '../alerts/deliveries/deliverer.ts'
import { mailOf } from '../alerts/mail/configured.ts'
import { mailChannel } from '../alerts/mail/insert-mails.ts'
import { startMailer } from '../alerts/mail/mailer.ts'
import { enqueueKeyRenewal } from '../findings/changes/renew-keys.ts'
import { startWorker } from '../queue/worker.ts'
import { outboundOf } from '../platform/outbound/configured.ts'
import { listenTo } from '../platform/postgres/listen.ts'
import { startTicking } from '../worker/schedule.ts'
import { createTasks } from '../worker/tasks.ts'
import { startChaining } from '../audit/start-chaining.ts'
import type { Observation } from './observe.ts'
import type { Process } from './open-process.ts'

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
      db,
      queue,
      now,
      log,
      observeJob,
      tasks: createTasks(process),
      name,
    },
    { concurrency: 4 },
  )
  const deliverer = startDeliverer({
    db,
    now,
    log,
    sealing,
    name,
    outbound,
    observeDelivery,
    baseUrl: config.baseUrl,
  })
  const chaining = startChaining({ db, log })
  const mailer = startMailer({ db, now, log, name, sealing, ...mailOf(config, secrets) })
  if (config.mail === null) log.warn('SMTP_URL is not set: mail is kept and not sent')
  await db.transaction().execute((tx) => enqueueKeyRenewal(tx, now()))
  // A lost session only makes the worker slower: polling is the truth.
  const channels = {
    job: worker.wake,
    [deliveryChannel]: deliverer.wake,
    [mailChannel]: mailer.wake,
  }
  if (process.listening === null) log.info('DATABASE_LISTEN_URL is not set: work is looked for every second')
  const listener = process.listening === null ? null : listenTo(process.listening, { channels, log })
  const ticking = startTicking({ db, now, config, sealing, log }, worker.wake)
  return {
    stop: async () => {
      await Promise.all([ticking.stop(), worker.stop(), deliverer.stop(), mailer.stop(), chaining.stop()])
      await listener?.stop()
    },
  }
}
