import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../support/free-port.ts'
import { startService, type Service } from '../../support/service.ts'
import { startStoreProxy } from '../../support/store-proxy.ts'
import type { HistoryFigures } from '../../support/upload-history.ts'
import { openServerGroup, serviceRole, type Member, type ServerGroup } from './server-group.ts'
import { provisionTokens, startUploads, type UploadLoad } from './upload-load.ts'

export type PromotionFigures = HistoryFigures & {
  /** Answers outside the contract's shape, without `Retry-After`, or missing. */
  badAnswers: string[]
  /** From the start of the promotion to the acknowledgement of an upload sent after it; the primary was killed a while before. */
  backAfterMs: number
  /** The same until a job enqueued after it is done. */
  jobsBackAfterMs: number
  /** From when the primary's host falls silent and a standby is promoted. */
  silentBackAfterMs: number
  silentJobsBackAfterMs: number
}

type PromotionOrder = { senders?: number; pauseMs?: number }

const patienceMs = 120_000
/** The minimum time for failover software to notice. */
const noticeMs = 1_500

/**
 * Failover under load, twice: the primary is killed and its synchronous standby promoted; then the new primary's host falls silent, and its
 * standby is promoted. All are in `DATABASE_URL` from the start.
 */
export async function runPromotion(order: PromotionOrder): Promise<PromotionFigures> {
  const group = await openServerGroup()
  try {
    const first = await group.startPrimary()
    const second = await group.addSynchronousStandby(first)
    const proxy = await startStoreProxy({
      host: '127.0.0.1',
      port: second.port,
      user: serviceRole,
      database: second.database,
    })
    try {
      const thirdPort = await freePort()
      const hosts = [first.port, Number(new URL(proxy.url).port), thirdPort].map(
        (port) => `127.0.0.1:${port}`,
      )
      const env = {
        DATABASE_URL: `postgresql://${serviceRole}@${hosts.join(',')}/${first.database}?target_session_attrs=read-write`,
      }
      const moving = { group, first, second, thirdPort, silence: () => proxy.silence({ alsoNew: true }) }
      return await withServices(env, (services) => moveUnderLoad(services, moving, order))
    } finally {
      await proxy.close()
    }
  } finally {
    await group.close()
  }
}

async function withServices<T>(
  env: Record<string, string>,
  act: (services: Service[]) => Promise<T>,
): Promise<T> {
  const services: Service[] = []
  try {
    for (let one = 0; one < 2; one += 1)
      services.push(await startService({ env: { ...env, LOG_LEVEL: 'error' }, readyWithinMs: patienceMs }))
    return await act(services)
  } finally {
    for (const service of services) await service.stop()
  }
}

type Moving = { group: ServerGroup; first: Member; second: Member; thirdPort: number; silence: () => void }

async function moveUnderLoad(
  services: Service[],
  { group, first, second, thirdPort, silence }: Moving,
  { senders = 4, pauseMs }: PromotionOrder,
): Promise<PromotionFigures> {
  const [service] = services
  if (service === undefined) throw new Error('no service')
  const tokens = await provisionTokens(service, 4_000)
  const load = startUploads({ baseUrls: services.map(({ baseUrl }) => baseUrl), tokens, senders, pauseMs })
  await load.untilAcknowledged(patienceMs)

  await first.kill()
  await sleep(noticeMs)
  const back = await untilBack(load, second, () => second.promote())

  const third = await group.addSynchronousStandby(second, thirdPort)
  await load.untilAcknowledged(patienceMs)
  const again = await untilBack(load, third, () => {
    silence()
    return third.promote()
  })
  await load.stop()
  return {
    ...(await load.history.compare(third.query)),
    badAnswers: load.history.badAnswers,
    backAfterMs: back.uploadMs,
    jobsBackAfterMs: back.jobMs,
    silentBackAfterMs: again.uploadMs,
    silentJobsBackAfterMs: again.jobMs,
  }
}

async function untilBack(
  load: UploadLoad,
  to: Member,
  promote: () => Promise<void>,
): Promise<{ uploadMs: number; jobMs: number }> {
  const before = await newestMatched(to)
  const startedAt = performance.now()
  const promoting = promote()
  await load.untilAcknowledged(patienceMs)
  const uploadMs = Math.round(performance.now() - startedAt)
  await promoting
  while ((await newestMatched(to)) <= before) await sleep(50)
  return { uploadMs, jobMs: Math.round(performance.now() - startedAt) }
}

/** Product versions are numbered in sending order. */
async function newestMatched({ query }: Member): Promise<number> {
  const [row] = await query(
    `select coalesce(max(v.name::int), 0) as file from sbom s join product_version v on v.id = s.version_id where s.status = 'matched'`,
  )
  return Number(row?.['file'])
}
