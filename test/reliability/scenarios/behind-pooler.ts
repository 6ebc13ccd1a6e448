import { startPooler } from '../../support/pooler.ts'
import { freePort } from '../../support/free-port.ts'
import { startService, type Service } from '../../support/service.ts'
import type { HistoryFigures } from '../../support/upload-history.ts'
import { openServerGroup, serviceRole, type Member } from './server-group.ts'
import { provisionTokens, startUploads, type UploadLoad } from './upload-load.ts'

export type PoolerFigures = HistoryFigures & {
  /** Answers outside the contract's shape, without `Retry-After`, or missing. */
  badAnswers: string[]
  drops: number
  /** The maximum of server sessions: those lent by the pooler, and one for each listening process. */
  sessions: number
  /** The longest time from the pooler's return to the acknowledgement of an upload sent after it. */
  backAfterMs: number
}

type PoolerOrder = { drops: number; uploadsBetween: number; pauseMs?: number }

const patienceMs = 60_000
const processes = 4

/**
 * Four processes of the service behind PgBouncer in transaction mode with default settings, under uploads. Now and then the pooler is
 * stopped at once, dropping all client and server sessions, and restarted.
 */
export async function runBehindPooler(order: PoolerOrder): Promise<PoolerFigures> {
  const group = await openServerGroup()
  try {
    const server = await group.startPrimary()
    const direct = `postgresql://${serviceRole}@127.0.0.1:${server.port}/${server.database}`
    const pooling = {
      server: { connectionString: direct },
      mode: 'transaction',
      port: await freePort(),
    } as const
    let pooler = await startPooler(pooling)
    const services: Service[] = []
    try {
      const env = {
        DATABASE_URL: pooler.url(server.database),
        DATABASE_POOLER: 'transaction',
        DATABASE_LISTEN_URL: direct,
        LOG_LEVEL: 'error',
      }
      while (services.length < processes)
        services.push(await startService({ env, readyWithinMs: patienceMs }))
      const drop = async () => {
        await pooler.close()
        pooler = await startPooler(pooling)
      }
      return await uploadThrough(services, { server, drop }, order)
    } finally {
      for (const service of services) await service.stop()
      await pooler.close()
    }
  } finally {
    await group.close()
  }
}

type Pooled = { server: Member; drop: () => Promise<void> }

async function uploadThrough(
  services: Service[],
  { server, drop }: Pooled,
  { drops, uploadsBetween, pauseMs }: PoolerOrder,
): Promise<PoolerFigures> {
  const [service] = services
  if (service === undefined) throw new Error('no service')
  const tokens = await provisionTokens(service, (drops + 1) * uploadsBetween * 3)
  const baseUrls = services.map(({ baseUrl }) => baseUrl)
  const load = startUploads({ baseUrls, tokens, senders: 8, pauseMs })
  let sessions = 0
  let backAfterMs = 0
  for (let stretch = 0; stretch <= drops; stretch += 1) {
    sessions = Math.max(sessions, await uploadSome(load, server, uploadsBetween))
    if (stretch === drops) break
    await drop()
    const startedAt = performance.now()
    await load.untilAcknowledged(patienceMs)
    backAfterMs = Math.max(backAfterMs, Math.round(performance.now() - startedAt))
  }
  await load.stop()
  const compared = await load.history.compare(server.query)
  return { ...compared, badAnswers: load.history.badAnswers, drops, sessions, backAfterMs }
}

/** Returns the maximum of the service's sessions on the server meanwhile. */
async function uploadSome(load: UploadLoad, { query }: Member, uploads: number): Promise<number> {
  const wanted = load.history.acknowledged.size + uploads
  let max = 0
  while (load.history.acknowledged.size < wanted) {
    await load.untilAcknowledged(patienceMs)
    const [row] = await query(
      `select count(*)::int as sessions from pg_stat_activity where usename = '${serviceRole}'`,
    )
    max = Math.max(max, Number(row?.['sessions']))
  }
  return max
}
