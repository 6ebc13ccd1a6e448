import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertLetter, insertMails } from '../../src/notices/mail/insert-mails.ts'
import { sendDueMails } from '../../src/notices/mail/mailer.ts'
import type { MailTransport } from '../../src/notices/mail/transport.ts'
import type { MailFact } from '../../src/contract/notices/shapes.ts'
import { newId } from '../../src/platform/random.ts'
import { testNow } from '../support/clock.ts'
import { facts } from './facts.ts'
import { createNoticeScene, emailOf, placeOf, type NoticeScene } from './notice-scene.ts'

let scene: NoticeScene
beforeAll(async () => {
  scene = await createNoticeScene()
})
afterAll(() => scene.drop())

const at = (seconds: number) => new Date(testNow.getTime() + seconds * 1_000)

async function toOwner(fact: MailFact, now: Date): Promise<void> {
  const { workspaceId, people, database } = scene
  const person = { personId: people.owner, email: emailOf('owner'), name: 'Olga', isNamed: true }
  await database.db
    .transaction()
    .execute((tx) => insertMails(tx, { workspaceId, eventId: newId(now), fact, people: [person] }, now))
}

it('a letter waits behind no notice, and a notice behind no digest, however many are due before', async () => {
  await scene.choose('owner', { 'report.received': 'digest' })
  const digest: MailFact = {
    type: 'digest',
    data: { notices: [{ fact: facts['report.received'], isNamed: false }], more: 0 },
  }
  for (let second = 0; second < 12; second += 1) await toOwner(digest, at(second))
  for (let second = 20; second < 26; second += 1) await toOwner(facts['incident.opened'], at(second))
  await insertLetter(
    scene.database.db,
    {
      eventId: newId(at(30)),
      fact: { type: 'letter.email_changed', data: { at: at(30).toISOString() } },
      to: { email: emailOf('owner'), name: 'Olga' },
      linkId: null,
    },
    at(30),
  )
  scene.now = at(60)
  const { transport, subjects } = inFours(19)
  await sendDueMails(placeOf(scene, transport))
  expect(subjects).toHaveLength(19)
  const kinds = subjects.map((subject) => (/changed|Incident/.exec(subject) ?? ['digest'])[0])
  expect(kinds.indexOf('changed')).toBeLessThan(4)
  expect(kinds.lastIndexOf('Incident')).toBeLessThan(8)
})

/** A server that takes four messages at once, as many as are sent beside each other: one that is composed slowly is not overtaken by all others. */
function inFours(count: number): { transport: MailTransport; subjects: string[] } {
  const subjects: string[] = []
  let taken = Promise.withResolvers<undefined>()
  const send: MailTransport['send'] = async ({ subject }) => {
    const four = taken
    subjects.push(subject)
    if (subjects.length % 4 === 0 || subjects.length === count) {
      taken = Promise.withResolvers<undefined>()
      four.resolve(undefined)
    }
    await four.promise
    return { kind: 'sent' }
  }
  return { transport: { send, close: () => undefined }, subjects }
}
