import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import type { Tables } from '../../src/database/tables.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { createStoreProbe } from '../../src/platform/readiness.ts'
import {
  canReplicate,
  openServerGroup,
  serviceRole,
  type Member,
} from '../reliability/scenarios/server-group.ts'

const log = pino({ level: 'silent' })

/** What the probe asks for, and a table of somebody else. */
const tables = `
  create table schema_migration (version int); insert into schema_migration values (1);
  create table store_probe (filler text); create table upload (id int);
  grant all on schema_migration, store_probe, upload to ${serviceRole}`

async function untilWaiting(primary: Member, count: number): Promise<void> {
  const waiting = `select from pg_stat_activity where wait_event = 'SyncRep'`
  const until = performance.now() + 20_000
  while (performance.now() < until) {
    if ((await primary.administer(waiting)).length === count) return
    await sleep(20)
  }
  throw new Error(`there are not ${count} sessions that wait for the standby`)
}

describe.runIf(canReplicate)(
  `a commit that waits for its standby${canReplicate ? '' : ' (skipped: there is no pg_basebackup, of a PostgreSQL 15 or in POSTGRES_BIN_DIR)'}`,
  () => {
    it('is not ended by a probe that gave up its own, on the session that both had', async () => {
      const group = await openServerGroup()
      try {
        const primary = await group.startPrimary()
        await primary.query(tables)
        await primary.administer('alter system set synchronous_commit = remote_apply')
        const standby = await group.addSynchronousStandby(primary)
        const answering = (is: boolean) =>
          standby.administer(`select pg_wal_replay_${is ? 'resume' : 'pause'}()`)
        const connectionString = `postgresql://${serviceRole}@127.0.0.1:${primary.port}/${primary.database}`
        const pool = createPool({ connectionString }, { max: 2, applicationName: 'test', log })
        const db = createQueries<Tables>(pool)

        const other = await pool.connect()
        await answering(false)
        const probing = createStoreProbe({ db, log, version: 1 })()
        await untilWaiting(primary, 1)
        // Next for the probe's session, before what the probe asks once it has waited long enough.
        const next = pool.connect()
        expect(await probing).toEqual({ store: true, writable: false })
        await answering(true)
        const upload = await next
        await upload.query('begin; insert into upload values (1)')
        await answering(false)
        let isAcknowledged = false
        const committing = upload.query('commit').then(() => {
          isAcknowledged = true
        })
        await untilWaiting(primary, 1)
        other.release()
        await sleep(1_000)
        expect(isAcknowledged).toBe(false)
        await answering(true)
        await committing
        upload.release()
        await db.destroy()
      } finally {
        await group.close()
      }
    }, 120_000)
  },
)
