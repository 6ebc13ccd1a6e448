import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { createPool } from '../../src/platform/postgres/pool.ts'
import { startService } from '../support/service.ts'
import { canReplicate, openServerGroup, serviceRole } from './scenarios/server-group.ts'
import { provisionTokens, startUploads } from './scenarios/upload-load.ts'

const silent = { warn: () => undefined }

describe.runIf(canReplicate)(
  `a primary that goes on after its standby was promoted${canReplicate ? '' : ' (skipped: there is no pg_basebackup, of a PostgreSQL 15 or in POSTGRES_BIN_DIR)'}`,
  () => {
    it('is left for the new one, and nothing that only it has is acknowledged', async () => {
      const group = await openServerGroup()
      try {
        const old = await group.startPrimary()
        const next = await group.addSynchronousStandby(old)
        const hosts = [old, next].map(({ port }) => `127.0.0.1:${port}`).join(',')
        const service = await startService({
          env: {
            DATABASE_URL: `postgresql://${serviceRole}@${hosts}/${old.database}?target_session_attrs=read-write`,
            LOG_LEVEL: 'error',
          },
        })
        try {
          const tokens = await provisionTokens(service, 2_000)
          const load = startUploads({ baseUrls: [service.baseUrl], tokens, senders: 4, pauseMs: 200 })
          await load.untilAcknowledged(60_000)
          await next.promote()
          await sleep(10_000)
          await load.untilAcknowledged(20_000)
          const matched = () => next.query(`select from sbom where status = 'matched'`)
          const before = (await matched()).length
          await sleep(10_000)
          expect((await matched()).length).toBeGreaterThan(before)
          // As Patroni does when it is started again beside the old one, before it stops it.
          await old.administer('alter system reset synchronous_standby_names')
          await old.administer('select pg_reload_conf()')
          await load.untilAcknowledged(60_000)
          await sleep(1_000)
          await load.stop()
          await old.kill()
          expect(load.history.badAnswers).toEqual([])
          expect(await load.history.compare(next.query, { withinMs: 10_000 })).toMatchObject({
            missing: 0,
            duplicateRows: 0,
            severalIds: 0,
          })
        } finally {
          await service.stop()
        }
      } finally {
        await group.close()
      }
    }, 300_000)

    it('is left by all pools of a process at the same moment', async () => {
      const group = await openServerGroup()
      const pools: Pool[] = []
      try {
        const old = await group.startPrimary()
        const next = await group.addSynchronousStandby(old)
        const hosts = [old, next].map(({ port }) => `127.0.0.1:${port}`).join(',')
        const connectionString = `postgresql://${serviceRole}@${hosts}/${old.database}?target_session_attrs=read-write`
        const open = (max: number) => {
          const pool = createPool({ connectionString }, { max, applicationName: 'test', log: silent })
          pools.push(pool)
          return pool
        }
        const where = async (asked: Pool | PoolClient) => {
          const { rows } = await asked.query<{ port: number }>(`select current_setting('port')::int as port`)
          return rows[0]?.port
        }
        const writing = open(1)
        await writing.query('create table written (at int)')
        const idle = Array.from({ length: 4 }, () => open(1))
        const busy = await open(1).connect()
        await busy.query('begin')
        const others = [busy, ...idle]
        expect(await Promise.all(others.map(where))).toEqual(others.map(() => old.port))
        const keeping = setInterval(() => void Promise.all(idle.map(where)).catch(() => undefined), 100)
        await next.promote()
        // its commit waits for the standby
        await expect(writing.query('insert into written values (1)')).rejects.toThrow()
        clearInterval(keeping)
        const seen = await Promise.allSettled(others.map(where))
        busy.release(true)
        expect(seen.filter((one) => one.status === 'fulfilled' && one.value !== next.port)).toEqual([])
        expect(await Promise.all([writing, ...idle].map(where))).toEqual(
          [writing, ...idle].map(() => next.port),
        )
      } finally {
        await Promise.all(pools.map((pool) => pool.end()))
        await group.close()
      }
    }, 120_000)
  },
)
