import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { messageReporter } from '../../src/contract/disclosure/operations.ts'
import { mailReporter } from '../../src/notices/mail/mail-reporter.ts'
import type { Message, Sending } from '../../src/notices/mail/transport.ts'
import { waitingOf } from '../support/payloads.ts'
import { mailingOf, openDisclosureScene, type DisclosureScene } from './disclosure-scene.ts'

/** Whoever sends a report types the address of somebody else, and may have a workspace where the report is answered. */

let scene: DisclosureScene
let sent: Message[] = []
let answer: Sending = { kind: 'sent' }
beforeAll(async () => {
  scene = await openDisclosureScene()
})
afterAll(() => scene.close())
beforeEach(async () => {
  sent = []
  answer = { kind: 'sent' }
  for (const table of ['job', 'disclosure_window'] as const) await db().deleteFrom(table).execute()
})

const minute = 60_000
const db = () => scene.database.db

let texts = 0
async function report(slug: string, contactEmail: string): Promise<void> {
  // below what counts as spam
  scene.wait(20 * minute)
  expect((await scene.report(slug, { description: `words ${(texts += 1)}`, contactEmail })).status).toBe(303)
}

/** Every message that waits. Returns how many of them are left for another time. */
async function sendAll(): Promise<number> {
  const deps = mailingOf(scene, (message) => {
    if (answer.kind === 'sent') sent.push(message)
    return answer
  })
  let left = 0
  for (const job of await waitingOf(db(), 'mail_reporter')) {
    await mailReporter(deps, job).catch(() => (left += 1))
  }
  if (left === 0) await db().deleteFrom('job').where('kind', '=', 'mail_reporter').execute()
  return left
}

it('a mailbox is told of ten reports in a day, whatever companies they go to and however it is spelled', async () => {
  for (const [at, slug] of Array.from({ length: 14 }, (_, at) => [at, at % 2 ? 'acme' : 'umbrella'] as const))
    await report(slug, at % 3 === 0 ? `Victim+${at}@Mail.example` : 'vic.tim@mail.example')
  await report('acme', 'other@mail.example')
  await sendAll()
  const addresses = sent.map(({ to }) => to.address)
  expect(addresses).toHaveLength(11)
  expect(addresses.at(-1)).toBe('other@mail.example')
  scene.wait(25 * 60 * minute)
  await report('acme', 'victim@mail.example')
  await sendAll()
  expect(sent).toHaveLength(12)
})

it('a message that the mail server does not take yet counts for nothing', async () => {
  await report('acme', 'patient@mail.example')
  answer = { kind: 'later', reason: 'busy' }
  for (let tried = 0; tried < 12; tried += 1) expect(await sendAll()).toBe(1)
  answer = { kind: 'sent' }
  expect(await sendAll()).toBe(0)
  expect(sent).toHaveLength(1)
})

it('a reporter is told ten times in a day that there is something new', async () => {
  const owner = await scene.signIn(scene.umbrella, 'owner')
  await report('umbrella', 'victim@mail.example')
  const { number } = await db()
    .selectFrom('inbox_report')
    .select('number')
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  for (let written = 0; written < 14; written += 1)
    await owner.call(messageReporter, { params: { slug: 'umbrella', number }, body: { text: `${written}` } })
  await sendAll()
  expect(sent.filter(({ subject }) => subject.includes('something is new'))).toHaveLength(10)
})
