import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { enqueueNotice } from '../../src/workspace/enqueue-notice.ts'
import { startReceiverLab, type ReceiverLab } from '../support/receivers.ts'
import { startService, type Service } from '../support/service.ts'
import { startSmtpLab, type SmtpLab } from '../support/smtp.ts'
import { facts } from './facts.ts'
import { createNoticeScene, type NoticeScene } from './notice-scene.ts'

const credentials = { user: 'alerts', password: 'correct:horse/battery' }

let scene: NoticeScene
let lab: ReceiverLab
let smtp: SmtpLab
let service: Service

beforeAll(async () => {
  scene = await createNoticeScene()
  lab = await startReceiverLab()
  smtp = await startSmtpLab({ ...(await lab.certificate('localhost')), credentials })
  const login = `${credentials.user}:${encodeURIComponent(credentials.password)}`
  service = await startService({
    env: {
      ...lab.env(),
      DATABASE_URL: scene.database.url,
      LOG_LEVEL: 'info',
      SMTP_URL: `smtp://${login}@localhost:${smtp.port}`,
      MAIL_FROM: 'SBOM Monitor <alerts@monitor.example>',
    },
    readyWithinMs: 120_000,
  })
})
afterAll(async () => {
  await service.stop()
  await smtp.close()
  lab.close()
  await scene.drop()
})

async function tell(): Promise<void> {
  const to = { personId: scene.people.owner }
  await scene.database.db
    .transaction()
    .execute((tx) => enqueueNotice(tx, { to, fact: facts['password.changed'], now: new Date() }))
}

/** Ends the lease of a dead process. */
async function endLease(): Promise<void> {
  await scene.database.pool.query(
    `update mail set leased_until = clock_timestamp() - interval '1 second' where state = 'sending'`,
  )
}

const states = async () =>
  (await scene.database.db.selectFrom('mail').select('state').execute()).map(({ state }) => state)

it(
  'a message that a killed process was sending is sent once more, as the same message, and never again',
  { timeout: 180_000 },
  async () => {
    smtp.answer('hang')
    await tell()
    await vi.waitFor(() => expect(smtp.begun()).toBe(1), { timeout: 60_000, interval: 50 })
    await service.kill()
    expect(await states()).toEqual(['sending'])
    await endLease()
    await service.restart()
    await smtp.wait(1)
    await vi.waitFor(async () => expect(await states()).toEqual(['sent']), { timeout: 60_000, interval: 50 })
    const row = await scene.database.db
      .selectFrom('mail')
      .select(['id', 'message_id', 'crashes'])
      .executeTakeFirstOrThrow()
    expect(smtp.taken.map(({ headers }) => headers.get('message-id'))).toEqual([row.message_id])
    expect(smtp.taken[0]).toMatchObject({ isSecure: true, user: 'alerts' })
    expect(row).toMatchObject({ crashes: 1, message_id: `<${row.id}@monitor.example>` })
    await service.kill()
    await service.restart()
    await service.cli(['drain'])
    expect(smtp.begun()).toBe(2)
    expect(service.output()).not.toContain('battery')
  },
)

it('one that ends the process twice has failed', { timeout: 180_000 }, async () => {
  await scene.database.db.deleteFrom('mail').execute()
  const before = smtp.begun()
  smtp.answer('hang', 'hang')
  await tell()
  for (const begun of [1, 2]) {
    await vi.waitFor(() => expect(smtp.begun()).toBe(before + begun), { timeout: 60_000, interval: 50 })
    await service.kill()
    await endLease()
    await service.restart()
  }
  await vi.waitFor(async () => expect(await states()).toEqual(['failed']), { timeout: 60_000, interval: 50 })
  expect(smtp.begun()).toBe(before + 2)
  const { mail } = await service.cli<{ mail: { id: string; state: string; reason: string }[] }>([
    'mail',
    'list',
  ])
  expect(mail).toMatchObject([
    { state: 'failed', reason: 'the service was stopped twice while it was sending this' },
  ])
  const shown = await service.cli<{ subject: string; text: string }>(['mail', 'show', mail[0]?.id ?? ''])
  expect(shown).toMatchObject({ subject: 'Your password was changed' })
})
