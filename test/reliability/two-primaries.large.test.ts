import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startService } from '../support/service.ts'
import { canReplicate, openServerGroup, serviceRole } from './scenarios/server-group.ts'
import { provisionTokens, startUploads } from './scenarios/upload-load.ts'

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
  },
)
