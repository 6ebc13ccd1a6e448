import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setClosed } from '../../src/workspace/workspaces.ts'
import type { NoticeFact } from '../../src/contract/notices/shapes.ts'
import { insertMails } from '../../src/notices/mail/insert-mails.ts'
import { newId } from '../../src/platform/random.ts'
import { showMail } from '../../src/notices/mail/list-mail.ts'
import { testNow } from '../support/clock.ts'
import { startReceiverLab, type ReceiverLab } from '../support/receivers.ts'
import { startSmtpLab, type SmtpLab } from '../support/smtp.ts'
import { facts } from './facts.ts'
import { createNoticeScene, emailOf, placeOf, transportTo, type NoticeScene } from './notice-scene.ts'
import { textLike } from '../support/expected.ts'
import { tester } from '../support/actors.ts'

let scene: NoticeScene
let smtp: SmtpLab
let lab: ReceiverLab

beforeAll(async () => {
  scene = await createNoticeScene({
    companyName: 'Acme <b>& Sons</b>',
    names: { owner: 'Olga "the, owner" <x@evil.example>' },
  })
  smtp = await startSmtpLab()
  lab = await startReceiverLab()
})
afterAll(async () => {
  lab.close()
  await smtp.close()
  await scene.drop()
})
beforeEach(async () => {
  const { db } = scene.database
  for (const table of ['job', 'mail', 'bell_entry', 'member_notices'] as const) {
    await db.deleteFrom(table).execute()
  }
  smtp.taken.length = 0
  scene.now = testNow
})

const minutes = (count: number) => new Date(testNow.getTime() + count * 60_000)

/** Sends one message to the owner about their own account; returns its state in the outbox. */
async function toOwner(fact: NoticeFact = facts['password.changed']): Promise<void> {
  await scene.database.db.transaction().execute(async (tx) => {
    const person = await tx
      .selectFrom('person')
      .select(['id', 'email', 'name'])
      .where('id', '=', scene.people.owner)
      .executeTakeFirstOrThrow()
    const people = [{ personId: person.id, email: person.email, name: person.name, isNamed: true }]
    const isOwn = fact.type === 'password.changed' || fact.type === 'sign_in.new_address'
    await insertMails(
      tx,
      { workspaceId: isOwn ? null : scene.workspaceId, eventId: newId(scene.now), fact, people },
      scene.now,
    )
  })
}

const outbox = () =>
  scene.database.db.selectFrom('mail').select(['id', 'state', 'attempts', 'reason']).orderBy('id').execute()

describe('a message', () => {
  it('has a text and an HTML part, one link and the headers of automatic mail', async () => {
    await toOwner(facts['incident.opened'])
    await scene.settle(transportTo(smtp.port))
    expect(smtp.taken).toHaveLength(1)
    const [mail] = smtp.taken
    const [row] = await outbox()
    expect(mail).toMatchObject({ from: 'alerts@monitor.example', to: [emailOf('owner')] })
    const headers = Object.fromEntries(mail?.headers ?? [])
    expect(headers).toMatchObject({
      from: 'Alerts <alerts@monitor.example>',
      subject: 'Incident INC-2026-0001 opened: Pump opens its valve',
      'message-id': `<${row?.id ?? ''}@monitor.example>`,
      'auto-submitted': 'auto-generated',
      'mime-version': '1.0',
    })
    expect(headers['content-type']).toMatch(/^multipart\/alternative/)
    expect(headers).not.toHaveProperty('list-unsubscribe')
    const link = 'https://monitor.example/app/acme/incidents/0190d3a8-0000-7000-8000-000000000001'
    expect(mail?.parts.get('text/plain')?.trim().replaceAll('\r', '')).toBe(
      [
        'Incident INC-2026-0001 opened: Pump opens its valve',
        'Vulnerability: CVE-2026-1\nProduct family: Pump\nKnown exploited: listed by CISA KEV\nClocks run from: 1 Jan 2026, 00:00 UTC',
        `Open the incident: ${link}`,
        'Acme <b>& Sons</b> · SBOM Monitor',
      ].join('\n\n'),
    )
    const page = mail?.parts.get('text/html') ?? ''
    expect([...page.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([link])
    expect(page).toContain('Acme &#60;b&#62;&#38; Sons&#60;/b&#62;')
  })

  it('cannot be given a header, a recipient or markup by what people are called and write', async () => {
    const title =
      'x\r\nBcc: thief@evil.example\r\n\r\n<script>alert(1)</script>\u202e<a href="https://evil.example">'
    const { incident, ...data } = facts['deadline.warning'].data
    await scene.database.db
      .updateTable('person')
      .set({ name: 'Olga\r\nBcc: thief@evil.example' })
      .where('id', '=', scene.people.owner)
      .execute()
    await toOwner({
      type: 'deadline.warning',
      data: { ...data, incident: { ...incident, title, reference: title } },
    })
    await scene.settle(transportTo(smtp.port))
    const [mail] = smtp.taken
    expect(mail?.to).toEqual([emailOf('owner')])
    expect([...(mail?.headers.keys() ?? [])].sort()).toEqual(
      [
        ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
        'x-auto-response-suppress',
      ].sort(),
    )
    expect(mail?.headers.get('to')).not.toMatch(/thief@evil\.example[^"]*$/)
    const page = mail?.parts.get('text/html') ?? ''
    expect(page).not.toMatch(/<script|<a href="https:\/\/evil/)
    expect([...page.matchAll(/<a /g)]).toHaveLength(1)
    expect(mail?.parts.get('text/plain')).toContain('[U+202E]')
    expect(mail?.parts.get('text/plain')).not.toMatch(/^Bcc:/m)
  })

  it('shows what looks like an encoded word as it was typed', async () => {
    const typed = '=?utf-8?q?Your=20account=20is=20locked?= '.repeat(3).trim()
    const { incident, ...data } = facts['incident.opened'].data
    await scene.database.db
      .updateTable('person')
      .set({ name: '=?utf-8?q?Support?=' })
      .where('id', '=', scene.people.owner)
      .execute()
    await toOwner({ type: 'incident.opened', data: { ...data, incident: { ...incident, title: typed } } })
    await scene.settle(transportTo(smtp.port))
    const [mail] = smtp.taken
    const subject = mail?.headers.get('subject') ?? ''
    expect(subject).toMatch(/^(=\?UTF-8\?B\?[\w+/=]+\?=\s*)+$/)
    const words = [...subject.matchAll(/\?B\?([^?]+)\?=/g)].map(([, word = '']) =>
      Buffer.from(word, 'base64'),
    )
    expect(Buffer.concat(words).toString()).toContain(typed)
    expect(mail?.headers.get('to')).toBe(emailOf('owner'))
  })

  it('is kept where there is no mail server, for the operator to see', async () => {
    await toOwner(facts['plan.ending'])
    await scene.settle()
    const [row] = await outbox()
    expect(row).toMatchObject({ state: 'kept', reason: null })
    const shown = await showMail(placeOf(scene, null), { id: row?.id ?? '', now: scene.now })
    expect(shown).toMatchObject({
      to: emailOf('owner'),
      subject: 'The trial ends 4 Jan 2026, 00:00 UTC',
      messageId: `<${row?.id ?? ''}@monitor.example>`,
    })
    expect(shown?.text).toContain('https://monitor.example/app/acme')
    await scene.settle(transportTo(smtp.port))
    expect(smtp.taken).toEqual([])
  })
})

describe('a mail server', () => {
  it.each([421, 450, 451, 452, 454])(
    'that says %i for now is asked again later, with the same message',
    async (code) => {
      smtp.answer(code, code)
      await toOwner()
      await scene.settle(transportTo(smtp.port))
      expect(await outbox()).toMatchObject([
        { state: 'waiting', attempts: 1, reason: `the mail server did not take it: ${code} come back later` },
      ])
      scene.now = minutes(0.9)
      await scene.settle(transportTo(smtp.port))
      expect(await outbox()).toMatchObject([{ attempts: 1 }])
      scene.now = minutes(1)
      await scene.settle(transportTo(smtp.port))
      expect(await outbox()).toMatchObject([{ state: 'waiting', attempts: 2 }])
      scene.now = minutes(3)
      await scene.settle(transportTo(smtp.port))
      const [row] = await outbox()
      expect(row).toMatchObject({ state: 'sent', attempts: 3, reason: null })
      expect(smtp.taken.map(({ headers }) => headers.get('message-id'))).toEqual([
        `<${row?.id ?? ''}@monitor.example>`,
      ])
      await scene.settle(transportTo(smtp.port))
      expect(smtp.taken).toHaveLength(1)
    },
  )

  it.each([550, 552, 554])('that says %i for good is not asked again', async (code) => {
    smtp.answer(code)
    await toOwner()
    await scene.settle(transportTo(smtp.port))
    scene.now = minutes(120)
    await scene.settle(transportTo(smtp.port))
    expect(await outbox()).toMatchObject([
      { state: 'failed', attempts: 1, reason: `the mail server refused it: ${code} come back later` },
    ])
  })

  it('that is down is asked for a day, and holds up nobody once it is back', async () => {
    const down = await startSmtpLab()
    await down.close()
    await toOwner()
    let asked = 0
    for (let minute = 0; minute <= 24 * 60 + 60; minute += 30) {
      scene.now = minutes(minute)
      await scene.settle(transportTo(down.port))
      const [row] = await outbox()
      asked = row?.attempts ?? 0
      if (row?.state === 'failed') break
    }
    expect(await outbox()).toMatchObject([
      { state: 'failed', reason: 'no connection to the mail server could be made' },
    ])
    expect(asked).toBeGreaterThan(20)
    expect(scene.now.getTime()).toBeLessThanOrEqual(minutes(24 * 60).getTime())
    await toOwner()
    await scene.settle(transportTo(smtp.port))
    expect(smtp.taken).toHaveLength(1)
  })

  it('that is slow to one message gets the others', async () => {
    for (let count = 0; count < 30; count += 1) await toOwner()
    smtp.answer(451)
    await scene.settle(transportTo(smtp.port))
    expect(smtp.taken).toHaveLength(29)
    expect(new Set(smtp.taken.map(({ headers }) => headers.get('message-id'))).size).toBe(29)
  })
})

describe('TLS and sign-in', () => {
  const credentials = { user: 'alerts', password: 'correct horse' }
  const started = async (options: Parameters<typeof startSmtpLab>[0]) => {
    const server = await startSmtpLab(options)
    return { server, [Symbol.asyncDispose]: () => server.close() }
  }
  const send = async (server: SmtpLab, given: typeof credentials | null = credentials, isSecure = false) => {
    await toOwner()
    // trusts the lab's authority from now on
    lab.outbound()
    await scene.settle(transportTo(server.port, { credentials: given, isSecure, host: 'localhost' }))
  }

  it('signs in after STARTTLS', async () => {
    await using place = await started({ ...(await lab.certificate('localhost')), credentials })
    await send(place.server)
    expect(place.server.taken).toMatchObject([{ isSecure: true, user: 'alerts' }])
  })

  it('signs in over TLS from the first byte', async () => {
    await using place = await started({ ...(await lab.certificate('localhost')), credentials, secure: true })
    await send(place.server, credentials, true)
    expect(place.server.taken).toMatchObject([{ isSecure: true, user: 'alerts' }])
  })

  it('takes STARTTLS where it is offered, without a sign-in too', async () => {
    await using place = await started({ ...(await lab.certificate('localhost')) })
    await send(place.server, null)
    expect(place.server.taken).toMatchObject([{ isSecure: true }])
  })

  it('never shows a password without TLS', async () => {
    await using place = await started({ credentials, withoutTls: true })
    await send(place.server)
    expect(place.server.passwords).toEqual([])
    expect(await outbox()).toMatchObject([{ state: 'waiting', reason: textLike(/TLS|did not take it/) }])
  })

  it('does not speak to a server with a certificate of another name', async () => {
    await using place = await started({ ...(await lab.certificate('other.example')), credentials })
    await send(place.server)
    expect(place.server.passwords).toEqual([])
    expect(place.server.taken).toEqual([])
    expect(await outbox()).toMatchObject([
      {
        state: 'waiting',
        reason: 'no TLS with the mail server: it offers none, or its certificate was refused',
      },
    ])
  })

  it('waits where the sign-in is refused, because the operator can mend that', async () => {
    await using place = await started({ ...(await lab.certificate('localhost')), credentials })
    await send(place.server, { user: 'alerts', password: 'wrong' })
    const [row] = await outbox()
    expect(row).toMatchObject({
      state: 'waiting',
      reason: textLike(/^the mail server refused the sign-in: 535/),
    })
    expect(row?.reason).not.toContain('wrong')
  })
})

it('a workspace closed meanwhile has only mail about security and billing', async () => {
  await toOwner(facts['report.received'])
  await toOwner(facts['plan.ending'])
  await setClosed(scene.database.db, {
    workspaceId: scene.workspaceId,
    actor: tester,
    now: scene.now,
    closedAt: scene.now,
  })
  await scene.settle(transportTo(smtp.port))
  expect(smtp.taken.map(({ headers }) => headers.get('subject'))).toEqual([
    'The trial ends 4 Jan 2026, 00:00 UTC',
  ])
})
