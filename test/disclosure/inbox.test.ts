import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxReport } from '../../src/contract/disclosure/shapes.ts'
import {
  changeReport,
  downloadAttachment,
  eraseReport,
  getInboxReport,
  listInbox,
  markDuplicate,
  markNotSpam,
  markSpam,
  messageReporter,
  moveReport,
  noteOnReport,
  noteOutsideAnswer,
  showCredit,
} from '../../src/contract/disclosure/operations.ts'
import { getIncidentOverview } from '../../src/contract/incidents/operations.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import type { AppSession } from '../support/app-session.ts'
import { drain } from '../support/drain.ts'
import { openDisclosureScene, receiptPath, stampIn, type DisclosureScene } from './disclosure-scene.ts'

let scene: DisclosureScene
let owner: AppSession
beforeAll(async () => {
  scene = await openDisclosureScene()
  owner = await scene.signIn(scene.acme, 'owner')
})
afterAll(() => scene.close())

const received: DisclosureScene['received'] = (...given) => scene.received(...given)

async function shown(number: number): Promise<InboxReport> {
  return owner.call(getInboxReport, { params: { number } })
}

const events = () =>
  scene.database.db
    .selectFrom('job')
    .select('payload')
    .where('kind', '=', 'emit_event')
    .orderBy('created_at')
    .execute()

const acts = () =>
  scene.database.db
    .selectFrom('audit_event')
    .selectAll()
    .where('object_kind', '=', 'report')
    .orderBy('id')
    .execute()

describe('a new report', () => {
  it('is told as the interface says, without a word of it, and listed with its countdown', async () => {
    const secret = 'a-word-nobody-else-uses'
    const { number } = await received({
      title: secret,
      contactEmail: 'finder@research.example',
      exploited: 'yes',
    })
    const at = scene.clock.now
    const until = new Date(at.getTime() + 3 * 24 * 3_600_000).toISOString()
    const fact = (await events()).at(-1)?.payload
    expect(fact).toMatchObject({
      fact: {
        type: 'report.received',
        data: { report: { number, family: null, receivedAt: at.toISOString(), acknowledgeBy: until } },
      },
    })
    expect(JSON.stringify(fact)).not.toMatch(/a-word|finder|exploited/)
    const page = await owner.call(listInbox, { query: { tab: 'new' } })
    expect(page.rows[0]).toMatchObject({ number, title: secret, exploited: 'yes', acknowledgeBy: until })
    expect(page.counts.new).toBeGreaterThan(0)
    await drain(scene.database.db, scene.clock.now)
    const rung = await scene.database.db.selectFrom('bell_entry').select('fact').execute()
    expect(rung.length).toBeGreaterThan(0)
    expect(JSON.stringify(rung)).not.toMatch(/a-word|finder/)
    expect(JSON.stringify(await acts())).not.toMatch(/a-word|finder/)
    const job = await scene.database.db
      .selectFrom('job')
      .select('payload')
      .where('kind', '=', 'mail_reporter')
      .executeTakeFirst()
    expect(JSON.stringify(job ?? {})).not.toMatch(/a-word|finder/)
  })

  it('is acknowledged by the first message, which the reporter reads', async () => {
    const { number, path } = await received()
    await owner.call(messageReporter, { params: { number }, body: { text: 'Thank you.\nWe <b>look</b>.' } })
    const report = await shown(number)
    expect(report).toMatchObject({ state: 'acknowledged', acknowledgeBy: null })
    expect(report.answeredAt).toBe(scene.clock.now.toISOString())
    for (const [lang, state] of [
      ['en', 'Acknowledged'],
      ['nb', 'Bekreftet mottatt'],
    ]) {
      const page = await scene.get(`${path}?lang=${lang}`)
      expect(page.body).toContain(state)
      expect(page.body).toContain('We &#60;b&#62;look&#60;/b&#62;.')
      expect(page.body).not.toContain('owner of acme')
    }
  })

  it('is acknowledged by an answer elsewhere, which stays inside like a note', async () => {
    const { number, path } = await received()
    await owner.call(noteOutsideAnswer, { params: { number }, body: { text: 'told by telephone' } })
    await owner.call(noteOnReport, { params: { number }, body: { text: 'a note of ours' } })
    const report = await shown(number)
    expect(report.state).toBe('acknowledged')
    expect(report.entries.map(({ kind, text }) => [kind, text])).toEqual([
      ['outside', 'told by telephone'],
      ['state', null],
      ['note', 'a note of ours'],
    ])
    const page = await scene.get(path)
    expect(page.body).not.toMatch(/telephone|a note of ours/)
  })

  it('takes what the reporter writes on the status page, once', async () => {
    const { number, path } = await received()
    const stamp = stampIn(await scene.get(path))
    const fields = { action: 'message', stamp, text: 'One more thing.' }
    expect((await scene.post(path, { fields })).status).toBe(303)
    const again = await scene.post(path, { fields })
    expect(again.status).toBe(409)
    expect(again.body).toContain('One more thing.</textarea')
    // the report was sent long ago: it is the message that is refused
    const stale = await scene.post(path, { fields: { ...fields, stamp: 'forged' } })
    expect(stale.status).toBe(422)
    for (const { body } of [again, stale]) expect(body).not.toMatch(/report was (?:not sent|received then)/)
    expect((await shown(number)).entries).toMatchObject([
      { kind: 'reporter', text: 'One more thing.', by: null },
    ])
    const told = await scene.database.db
      .selectFrom('job')
      .select('payload')
      .where('kind', '=', 'send_mail')
      .execute()
    expect(JSON.stringify(told)).toContain('report.message')
    expect(JSON.stringify(told)).not.toContain('One more thing')
  })

  it('takes half a megabyte of what the reporter writes: all of it is shown each time', async () => {
    const { number, path } = await received()
    const write = async (text: string) => {
      const stamp = stampIn(await scene.get(path))
      return scene.post(path, { fields: { action: 'message', stamp, text } })
    }
    const long = '<'.repeat(20_000)
    for (let sent = 0; sent < 26; sent += 1) expect((await write(long)).status).toBe(303)
    const refused = await write(long)
    expect(refused.status).toBe(413)
    expect(refused.body).toContain('no room for more messages')
    expect(refused.body).toContain('&#60;</textarea')
    expect((await write('It is short.')).status).toBe(303)
    expect((await shown(number)).entries).toHaveLength(27)
    // the company still answers
    await owner.call(messageReporter, { params: { number }, body: { text: 'Please write an e-mail.' } })
  })
})

describe('triage', () => {
  it('goes through the states, and refuses one that does not follow or was seen too late', async () => {
    const { number } = await received()
    const move = (from: string, to: string) =>
      owner.ask(moveReport, { params: { number }, body: { from, to } })
    expect(await move('new', 'confirmed')).toMatchObject({ status: 409 })
    await owner.call(messageReporter, { params: { number }, body: { text: 'Hello.' } })
    const both = await Promise.all([
      move('acknowledged', 'confirmed'),
      move('acknowledged', 'not_reproduced'),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
    const { state } = await shown(number)
    if (state === 'not_reproduced') await move('not_reproduced', 'investigating')
    if (state === 'not_reproduced') await move('investigating', 'confirmed')
    for (const [from, to] of [
      ['confirmed', 'fixed'],
      ['fixed', 'disclosed'],
      ['disclosed', 'closed'],
    ] as const)
      expect(await move(from, to)).toMatchObject({ status: 204 })
    expect(await shown(number)).toMatchObject({ state: 'closed', closedAt: scene.clock.now.toISOString() })
  })

  it('merges duplicates, those of a duplicate too, but never in a circle', async () => {
    const [first, second, third] = [await received(), await received(), await received()]
    const duplicate = (number: number, of: number) =>
      owner.ask(markDuplicate, { params: { number }, body: { of } })
    expect(await duplicate(third.number, second.number)).toMatchObject({ status: 204 })
    expect(await duplicate(second.number, first.number)).toMatchObject({ status: 204 })
    const original = await shown(first.number)
    expect(original.duplicates.map(({ number }) => number)).toEqual([second.number, third.number])
    expect((await shown(third.number)).duplicateOf?.number).toBe(first.number)
    for (const other of [first.number, second.number, 999_999])
      expect(await duplicate(first.number, other)).toMatchObject({ status: 400 })
  })

  it('of two who name each other’s report as the original, one is refused', async () => {
    const [first, second] = [await received(), await received()]
    const both = await Promise.all([
      owner.ask(markDuplicate, { params: { number: first.number }, body: { of: second.number } }),
      owner.ask(markDuplicate, { params: { number: second.number }, body: { of: first.number } }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 400])
  })

  it('chooses family and embargo, of this workspace and this calendar only', async () => {
    const { number } = await received()
    const change = (body: unknown) => owner.ask(changeReport, { params: { number }, body })
    const [family] = scene.acme.families
    expect(await change({ familyId: family?.id, embargoUntil: '2026-03-31' })).toMatchObject({ status: 204 })
    expect(await shown(number)).toMatchObject({ family: { id: family?.id }, embargoUntil: '2026-03-31' })
    expect(await change({ familyId: scene.umbrella.families[0]?.id })).toMatchObject({ status: 400 })
    for (const embargoUntil of ['2026-02-30', '0000-01-01', '10000-01-01'])
      expect(await change({ embargoUntil })).toMatchObject({ status: 400 })
  })

  it('thanks only reporters who agreed, and no longer when that is taken back', async () => {
    const { number, path } = await received({ credit: 'named', creditName: 'Ada' })
    const name = { name: 'Ada <L>', link: 'https://ada.example/' }
    expect(await owner.refused(showCredit, { params: { number }, body: name })).toMatchObject({ status: 409 })
    await scene.post(path, { fields: { action: 'consent', consent: 'yes' } })
    expect(
      await owner.refused(showCredit, { params: { number }, body: { ...name, link: 'javascript:alert(1)' } }),
    ).toMatchObject({
      status: 400,
    })
    await owner.call(showCredit, { params: { number }, body: name })
    expect((await scene.get('/disclose/acme/acknowledgments')).body).toContain('Ada &#60;L&#62;')
    await scene.post(path, { fields: { action: 'consent', consent: 'no' } })
    expect((await scene.get('/disclose/acme/acknowledgments')).body).not.toContain('Ada')
  })
})

describe('spam', () => {
  it('is told to nobody until a member says that it is not spam: then once, with the time it came', async () => {
    const before = (await events()).length
    const { number, path } = await received({ website: 'https://spam.example' })
    const at = scene.clock.now
    expect((await events()).length).toBe(before)
    expect(await shown(number)).toMatchObject({ state: 'spam', spamReasons: ['hidden_field'] })
    expect((await scene.get(`${path}?lang=en`)).body).toContain('Received')
    expect(await owner.refused(messageReporter, { params: { number }, body: { text: 'x' } })).toMatchObject({
      status: 409,
    })
    scene.clock.now = new Date(at.getTime() + 5 * 3_600_000)
    const twice = await Promise.all([
      owner.ask(markNotSpam, { params: { number } }),
      owner.ask(markNotSpam, { params: { number } }),
    ])
    expect(twice.map(({ status }) => status).sort()).toEqual([204, 409])
    const told = await events()
    expect(told.length).toBe(before + 1)
    expect(told.at(-1)?.payload).toMatchObject({
      fact: { data: { report: { number, receivedAt: at.toISOString() } } },
    })
    await owner.call(markSpam, { params: { number } })
    await owner.call(markNotSpam, { params: { number } })
    expect((await events()).length).toBe(before + 1)
  })
})

describe('attachments', () => {
  it('are listed as the reporter chose them', async () => {
    const names = ['1 steps.txt', '0 crash.log', 'b.png', 'a.png', 'last.bin']
    const files = names.map((name) => ({ name, bytes: Buffer.from(name) }))
    await scene.report('acme', { title: 'five files', description: 'in their order' }, files)
    const { rows } = await owner.call(listInbox, { query: { tab: 'new' } })
    const { attachments } = await shown(rows[0]?.number ?? 0)
    expect(attachments.map(({ name }) => name)).toEqual(names)
  })

  it('are files of unknown kind for whoever sees the inbox', async () => {
    const bytes = Buffer.from([0, 255, 254, 60, 115, 99, 114, 105, 112, 116, 62])
    const stamp = stampIn(await scene.get('/disclose/acme'))
    scene.wait(3_600_000)
    const answer = await scene.post('/disclose/acme', {
      fields: { stamp, title: 'with a file', description: 'see the file' },
      files: [{ name: 'прoof "x".html', bytes }],
    })
    const path = receiptPath(answer)
    const page = await owner.call(listInbox, { query: { tab: 'new' } })
    const number = page.rows[0]?.number ?? 0
    const [attachment] = (await shown(number)).attachments
    expect(attachment).toMatchObject({ bytes: bytes.length })
    const file = await owner.ask(downloadAttachment, { params: { number, attachment: attachment?.id } })
    expect(file.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-length': String(bytes.length),
    })
    expect(String(file.headers['content-disposition'])).toMatch(
      /^attachment; filename="[\w .]+"; filename\*=UTF-8''%/,
    )
    const stored = await scene.database.db
      .selectFrom('inbox_attachment')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(stored.content_sealed?.includes('script')).toBe(false)
    expect((await scene.get(`${path}/${attachment?.id}`)).status).toBe(404)
    const viewer = await scene.signIn(scene.acme, 'viewer')
    expect(
      await viewer.refused(downloadAttachment, { params: { number, attachment: attachment?.id } }),
    ).toMatchObject({
      status: 403,
    })
  })
})

describe('erasing', () => {
  it('takes everything that was written, ends the link, and leaves a trace', async () => {
    const { number, path } = await received({ credit: 'named', creditName: 'Ada', creditConsent: 'yes' })
    await owner.call(messageReporter, { params: { number }, body: { text: 'Hello Ada.' } })
    await owner.call(showCredit, { params: { number }, body: { name: 'Ada', link: null } })
    expect(
      await owner.refused(eraseReport, { params: { number }, body: { confirmNumber: number + 1 } }),
    ).toMatchObject({ status: 400 })
    await owner.call(eraseReport, { params: { number }, body: { confirmNumber: number } })
    const report = await shown(number)
    expect(report).toMatchObject({
      report: null,
      isErased: true,
      attachments: [],
      credit: null,
      state: 'acknowledged',
    })
    expect(report.entries.every(({ text }) => text === null)).toBe(true)
    expect((await scene.get(path)).status).toBe(404)
    expect(await owner.refused(messageReporter, { params: { number }, body: { text: 'x' } })).toMatchObject({
      status: 409,
    })
    expect((await acts()).at(-1)).toMatchObject({ action: 'report.erased', actor_name: 'owner of acme' })
  })
})

it('viewers never see the inbox, other workspaces none of it', async () => {
  const viewer = await scene.signIn(scene.acme, 'viewer')
  expect(await viewer.refused(listInbox)).toMatchObject({ status: 403 })
  expect(await viewer.refused(getInboxReport, { params: { number: 1 } })).toMatchObject({ status: 403 })
  const other = await scene.signIn(scene.umbrella, 'owner')
  expect(await other.refused(getInboxReport, { params: { slug: 'acme', number: 1 } })).toMatchObject({
    status: 404,
  })
  expect(await other.refused(getInboxReport, { params: { number: 1 } })).toMatchObject({ status: 404 })
  for (const role of ['editor', 'lead', 'admin'] as const) {
    const member = await scene.member(scene.acme, role)
    await member.call(listInbox)
  }
})

it('counts what waits for an answer, due and overdue, for those who see the inbox alone', async () => {
  const waiting = async (session: AppSession) => {
    const { inbox } = await session.call(getWorkspace)
    expect((await session.call(getIncidentOverview)).inbox).toEqual(inbox)
    return inbox
  }
  scene.wait(30 * 24 * 3_600_000)
  owner = await scene.signIn(scene.acme, 'owner')
  const viewer = await scene.signIn(scene.acme, 'viewer')
  const before = await waiting(owner)
  expect(before.dueSoon).toBe(0)
  expect(before.overdue).toBe(before.unanswered)
  const { number } = await received()
  expect(await waiting(owner)).toEqual({ ...before, unanswered: before.unanswered + 1 })
  // the promise is three days; members are told a day before
  const atMs = scene.clock.now.getTime()
  scene.clock.now = new Date(atMs + 48 * 3_600_000)
  expect(await waiting(owner)).toEqual({ ...before, unanswered: before.unanswered + 1, dueSoon: 1 })
  scene.clock.now = new Date(atMs + 72 * 3_600_000)
  const overdue = before.overdue + 1
  expect(await waiting(owner)).toEqual({ unanswered: before.unanswered + 1, dueSoon: 0, overdue })
  expect(await waiting(viewer)).toEqual({ unanswered: 0, dueSoon: 0, overdue: 0 })
  await owner.call(messageReporter, { params: { number }, body: { text: 'Thank you.' } })
  expect(await waiting(owner)).toEqual(before)
})
