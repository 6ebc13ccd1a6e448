import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { recoverDeliveries } from '../../src/alerts/deliveries/settle.ts'
import { claimMails, recoverMails } from '../../src/notices/mail/outbox.ts'
import { enqueueNotice } from '../../src/workspace/enqueue-notice.ts'
import { claimJob } from '../../src/queue/claim.ts'
import { recoverJobs } from '../../src/queue/settle.ts'
import { facts, openAlertScene, type AlertScene } from '../alerts/alert-scene.ts'
import { facts as notices } from '../notices/facts.ts'
import { createNoticeScene, type NoticeScene } from '../notices/notice-scene.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { drain } from '../support/drain.ts'
import { testNow } from '../support/clock.ts'

let people: NoticeScene
let scene: AlertScene
beforeAll(async () => {
  people = await createNoticeScene()
  scene = await openAlertScene(people.database.db)
})
afterAll(() => people.drop())
afterEach(async () => {
  for (const table of ['job', 'alert_delivery'] as const) await people.database.db.deleteFrom(table).execute()
})

type Table = 'job' | 'alert_delivery' | 'mail'

async function claimSome(table: Table): Promise<void> {
  const { db } = people.database
  if (table === 'job') {
    await enqueueJob(db, { kind: 'refresh_exploited', payload: {}, runAt: testNow })
    await claimJob(db, { now: testNow, worker: 'dead', except: [], ignoreBackoff: true })
  }
  if (table === 'alert_delivery') {
    await scene.store(scene.acme.id, { url: 'https://nowhere.test/' })
    await scene.tell(scene.acme.id, facts['incident.opened'])
    await sql`update alert_delivery set state = 'sending', leased_by = 'dead', attempts = 1`.execute(db)
  }
  if (table === 'mail') {
    const notice = { to: { personId: people.people.owner }, fact: notices['password.changed'], now: testNow }
    await db.transaction().execute((tx) => enqueueNotice(tx, notice))
    await drain(db, testNow)
    await claimMails(db, { now: testNow, worker: 'dead', limit: 10 })
  }
}

it.each<[Table, () => Promise<unknown>]>([
  ['job', () => recoverJobs(people.database.db)],
  ['alert_delivery', () => recoverDeliveries(people.database.db, testNow)],
  ['mail', () => recoverMails(people.database.db, testNow)],
])(
  'what a process had that died (%s) does not wait for the clock of the database, which was set back by an hour',
  async (table, recover) => {
    await claimSome(table)
    const held = sql.table(table)
    await sql`update ${held} set leased_until = clock_timestamp() + interval '1 hour' where leased_by = 'dead'`.execute(
      people.database.db,
    )
    await recover()
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from leased_until - clock_timestamp())::float8 as seconds from ${held} where leased_by = 'dead'`.execute(
      people.database.db,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { seconds } of rows) expect(seconds).toBeLessThanOrEqual(60)
  },
)
