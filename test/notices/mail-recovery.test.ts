import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Tables } from '../../src/database/tables.ts'
import { insertMails } from '../../src/notices/mail/insert-mails.ts'
import { sendDueMails, startMailer } from '../../src/notices/mail/mailer.ts'
import { claimMails, recoverMails } from '../../src/notices/mail/outbox.ts'
import { sendMail } from '../../src/notices/mail/send-mail.ts'
import type { MailTransport, Sending } from '../../src/notices/mail/transport.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { Patience } from '../../src/queue/patience.ts'
import { newId } from '../../src/platform/random.ts'
import { testNow } from '../support/clock.ts'
import { startStoreProxy } from '../support/store-proxy.ts'
import { facts } from './facts.ts'
import { createNoticeScene, emailOf, placeOf, type NoticeScene } from './notice-scene.ts'

let scene: NoticeScene
beforeAll(async () => {
  scene = await createNoticeScene()
})
afterAll(() => scene.drop())
beforeEach(async () => {
  await scene.database.db.deleteFrom('mail').execute()
})

async function toOwner(): Promise<void> {
  const { workspaceId, people, database, now } = scene
  const person = { personId: people.owner, email: emailOf('owner'), name: 'Olga', isNamed: true }
  const fact = facts['incident.opened']
  await database.db
    .transaction()
    .execute((tx) => insertMails(tx, { workspaceId, eventId: newId(now), fact, people: [person] }, now))
}

const outbox = () =>
  scene.database.db.selectFrom('mail').select(['state', 'attempts', 'crashes', 'reason']).execute()

/** A mail server that counts what it takes, and does something meanwhile. */
function counting(meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
  const sent: string[] = []
  const transport: MailTransport = {
    send: async ({ messageId }): Promise<Sending> => {
      sent.push(messageId)
      await meanwhile()
      return { kind: 'sent' }
    },
    close: () => undefined,
  }
  return { sent, transport }
}

const endLeases = () =>
  sql`update mail set leased_until = clock_timestamp() - interval '1 second' where state = 'sending'`.execute(
    scene.database.db,
  )

/** A process claims what is due, and dies. */
async function claimAndDie(): Promise<void> {
  const claimed = await claimMails(scene.database.db, { now: testNow, worker: 'dead', limit: 10 })
  expect(claimed).toHaveLength(1)
  await endLeases()
}

it('what no mail server can have seen is not counted: a third process sends what two had claimed that died', async () => {
  await toOwner()
  for (let deaths = 0; deaths < 2; deaths += 1) {
    await claimAndDie()
    await recoverMails(scene.database.db, testNow)
  }
  expect(await outbox()).toEqual([{ state: 'waiting', attempts: 2, crashes: 0, reason: null }])
  const { sent, transport } = counting()
  await sendDueMails(placeOf(scene, transport))
  expect(await outbox()).toEqual([{ state: 'sent', attempts: 3, crashes: 0, reason: null }])
  expect(sent).toHaveLength(1)
})

it('a message that ends every process that takes it up is not claimed for ever', async () => {
  await toOwner()
  await scene.database.db.updateTable('mail').set({ attempts: 59 }).execute()
  await claimAndDie()
  await recoverMails(scene.database.db, testNow)
  expect(await outbox()).toMatchObject([
    { state: 'failed', reason: 'the service was stopped each time before it could send this' },
  ])
})

it('a message that another process has taken up meanwhile is not sent', async () => {
  await toOwner()
  const { sent, transport } = counting()
  const place = placeOf(scene, transport)
  const { db } = scene.database
  const [mail] = await claimMails(db, { now: testNow, worker: 'slow', limit: 10 })
  await endLeases()
  await recoverMails(db, testNow)
  await claimMails(db, { now: testNow, worker: 'another', limit: 10 })
  if (mail === undefined) throw new Error('nothing was claimed')
  await sendMail({ ...place, name: 'slow', patience: new Patience(0) }, mail)
  expect(sent).toEqual([])
  expect(await outbox()).toMatchObject([{ state: 'sending', attempts: 2 }])
})

it('what was taken for lost while it was sent has the result it had', async () => {
  await toOwner()
  const { db } = scene.database
  const { transport } = counting(async () => {
    await endLeases()
    await sql`update mail set crashes = 1`.execute(db)
    await recoverMails(db, testNow)
  })
  await sendDueMails(placeOf(scene, transport))
  expect(await outbox()).toMatchObject([{ state: 'sent', attempts: 1, reason: null }])
})

it('messages whose results cannot be stored at once have them when the database returns, and are not sent again', async () => {
  for (let mails = 0; mails < 4; mails += 1) await toOwner()
  const proxy = await startStoreProxy(scene.database.direct)
  const pool = createPool(
    { connectionString: proxy.url },
    { max: 4, applicationName: 'proxied', log: { warn: () => undefined } },
  )
  const db = createQueries<Tables>(pool)
  // the database disappears once the server has all of them
  const { sent, transport } = counting(async () => {
    await vi.waitFor(() => expect(sent).toHaveLength(4), { timeout: 10_000 })
    proxy.refuse(true)
    proxy.cut()
  })
  const mailer = startMailer({ ...placeOf(scene, transport), db })
  try {
    await vi.waitFor(() => expect(proxy.refused()).toBeGreaterThan(4), { timeout: 20_000 })
    await sleep(300)
    proxy.refuse(false)
    await vi.waitFor(
      async () => expect((await outbox()).map(({ state }) => state)).toEqual(Array(4).fill('sent')),
      {
        timeout: 10_000,
      },
    )
    expect(sent).toHaveLength(4)
  } finally {
    await mailer.stop()
    await db.destroy()
    await proxy.close()
  }
})
