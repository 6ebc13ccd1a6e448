import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../src/contract/durations.ts'
import { mailReporter } from '../../src/notices/mail/mail-reporter.ts'
import type { Message } from '../../src/notices/mail/transport.ts'
import type { SecurityTxtCheck } from '../../src/contract/disclosure/shapes.ts'
import {
  getInboxReport,
  listInbox,
  markDuplicate,
  messageReporter,
  moveReport,
} from '../../src/contract/disclosure/operations.ts'
import { inboxSealedColumns } from '../../src/disclosure/sealed-places.ts'
import { openAttachment, showReport } from '../../src/disclosure/inbox/show-report.ts'
import { remindOfReports } from '../../src/disclosure/inbox/remind.ts'
import { checkSecurityTxt } from '../../src/disclosure/settings/check-security-txt.ts'
import { countUnusable } from '../../src/platform/sealing/count-unusable.ts'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { resealColumns } from '../../src/platform/sealing/reseal.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'
import { OutboundError } from '../../src/platform/outbound/outbound-error.ts'
import { runRetention } from '../../src/worker/retention.ts'
import { baseUrl, testSealing } from '../support/http.ts'
import {
  mailingOf,
  numberOf,
  openDisclosureScene,
  receiptPath,
  type DisclosureScene,
} from './disclosure-scene.ts'
import { waitingOf } from '../support/payloads.ts'
import { fieldOf } from '../support/read-as.ts'

let scene: DisclosureScene
beforeAll(async () => {
  scene = await openDisclosureScene()
})
afterAll(() => scene.close())
const db = () => scene.database.db

const notices = async () =>
  (await waitingOf(db(), 'send_mail'))
    .map(({ fact }) => fact)
    .filter(({ type }) => type.startsWith('report.'))

it('members are reminded before the promise ends, when it ends, and each day after, once, until it is answered', async () => {
  await scene.report('acme', { description: 'to be reminded of' })
  const at = scene.clock.now
  const after = async (hours: number) => {
    const now = new Date(at.getTime() + hours * hourMs)
    await Promise.all([1, 2, 3].map(() => remindOfReports(db(), now)))
    return (await notices()).length
  }
  expect(await after(47)).toBe(0)
  expect(await after(48)).toBe(1)
  expect(await after(71)).toBe(1)
  expect(await after(72)).toBe(2)
  expect(await after(95)).toBe(2)
  expect(await after(96)).toBe(3)
  expect(await notices()).toMatchObject([
    { type: 'report.unanswered', data: { isOverdue: false, report: { number: 1 } } },
    { data: { isOverdue: true } },
    { data: { isOverdue: true } },
  ])
  const owner = await scene.signIn(scene.acme, 'owner')
  await owner.call(messageReporter, { params: { number: '1' }, body: { text: 'Thank you.' } })
  expect(await after(200)).toBe(3)
})

it('spam goes after 30 days with its files, what reports say 3 years after they were closed', async () => {
  const files = [{ name: 'a.txt', bytes: Buffer.from('a') }]
  await scene.report('acme', { description: 'bought now', website: 'x' }, files)
  const at = scene.clock.now
  const spam = () => db().selectFrom('inbox_report').select('number').where('state', '=', 'spam').execute()
  await runRetention(db(), { now: new Date(at.getTime() + 30 * dayMs - 1), sealing: testSealing })
  expect(await spam()).toHaveLength(1)
  await Promise.all(
    [1, 2].map(() => runRetention(db(), { now: new Date(at.getTime() + 30 * dayMs), sealing: testSealing })),
  )
  expect(await spam()).toHaveLength(0)
  expect(await db().selectFrom('inbox_attachment').select('id').execute()).toHaveLength(0)

  const owner = await scene.signIn(scene.acme, 'owner')
  const close = { from: 'acknowledged', to: 'closed' } as const
  await owner.call(moveReport, { params: { number: '1' }, body: close })
  const closed = scene.clock.now
  const years = (count: number) =>
    new Date(Date.UTC(closed.getUTCFullYear() + count, closed.getUTCMonth(), closed.getUTCDate(), 23))
  await runRetention(db(), { now: new Date(years(3).getTime() - 2 * dayMs), sealing: testSealing })
  expect(
    (await showReport(db(), { workspaceId: scene.acme.id, number: '1', sealing: testSealing })).isErased,
  ).toBe(false)
  await runRetention(db(), { now: new Date(years(3).getTime() + dayMs), sealing: testSealing })
  const erased = await showReport(db(), { workspaceId: scene.acme.id, number: '1', sealing: testSealing })
  expect(erased).toMatchObject({ isErased: true, report: null, state: 'closed', number: 1 })
  const trail = await db()
    .selectFrom('audit_event')
    .select(['action', 'actor_name'])
    .where('actor_name', '=', 'retention')
    .execute()
  expect(trail.map(({ action }) => action)).toEqual(['report.spam_purged', 'report.erased'])
})

it('mail to a reporter has fixed words and the link, answers go to the contact, and nothing of it is kept', async () => {
  const answer = await scene.report('acme', {
    title: 'A secret title',
    description: 'secret words',
    contactEmail: 'ada@research.example',
  })
  const [job] = await waitingOf(db(), 'mail_reporter')
  if (job === undefined) throw new Error('no mail to the reporter waits')
  const sent: Message[] = []
  const place = mailingOf(scene, (message) => {
    sent.push(message)
    return { kind: 'sent' }
  })
  await mailReporter(place, job)
  await mailReporter(place, job)
  const [first, again] = sent
  expect(first).toEqual(again)
  expect(first).toMatchObject({
    to: { address: 'ada@research.example' },
    subject: 'acme company received your report',
    replyTo: 'security@acme.example',
  })
  expect(first?.text).toContain(`${baseUrl}${receiptPath(answer)}`)
  expect(JSON.stringify(sent)).not.toMatch(/secret/)
  const rows = await db().selectFrom('mail').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('ada@')
  await mailReporter({ ...place, transport: null }, job)
  const companyName = '</title><img src=x onerror=ran()>'
  await db().updateTable('workspace').set({ company_name: companyName }).where('slug', '=', 'acme').execute()
  await mailReporter(place, job)
  expect(sent.at(-1)?.text).toContain(companyName)
  expect(sent.at(-1)?.html).toContain('&#60;img src=x onerror=ran()&#62;')
  expect(sent.at(-1)?.html).not.toContain('<img')
  const later = {
    send: () => Promise.resolve({ kind: 'later', reason: 'busy' } as const),
    close: () => undefined,
  }
  await expect(mailReporter({ ...place, transport: later }, job)).rejects.toThrow('busy')
})

it('nobody is reminded of a report that was closed as a duplicate without an answer', async () => {
  const owner = await scene.signIn(scene.acme, 'owner')
  const path = receiptPath(await scene.report('acme', { description: 'told by another first' }))
  const number = await numberOf(scene, path)
  await owner.call(markDuplicate, { params: { number }, body: { of: 1 } })
  await owner.call(moveReport, { params: { number }, body: { from: 'duplicate', to: 'closed' } })
  await remindOfReports(db(), new Date(scene.clock.now.getTime() + 30 * dayMs))
  const told = await notices()
  expect(
    told.filter((fact) => 'report' in fact.data && fieldOf(fact.data.report, 'number') === number),
  ).toEqual([])
  // neither the list nor its page counts down to an answer
  const list = await owner.call(listInbox, { query: { tab: 'closed' } })
  const rows = list.rows
  expect(rows.find((row) => row.number === number)?.acknowledgeBy).toBeNull()
  expect(await owner.call(getInboxReport, { params: { number } })).toMatchObject({ acknowledgeBy: null })
})

it('what is sealed is sealed again with another key, files byte for byte, and is counted where its key is missing', async () => {
  const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 7) % 256))
  await scene.report('umbrella', { description: 'of the other', contactEmail: 'b@c.example' }, [
    { name: 'proof.bin', bytes },
  ])
  const [old] = testSealing.ring === null ? [] : [testSealing.ring.writing]
  const added = parseKeys(newKeyText())
  if (old === undefined) throw new Error('no key')
  const both = createSealing(createKeyRing([...added, old]))
  const only = createSealing(createKeyRing(added))
  expect(await countUnusable(db(), only, inboxSealedColumns)).toBeGreaterThan(2)
  expect(await resealColumns(db(), both, inboxSealedColumns)).toMatchObject({ unreadable: 0 })
  expect(await countUnusable(db(), only, inboxSealedColumns)).toBe(0)
  const { id: workspaceId } = scene.umbrella
  const report = await showReport(db(), { workspaceId, number: '1', sealing: only })
  expect(report.report?.description).toBe('of the other')
  const attachmentId = report.attachments[0]?.id ?? ''
  const opened = await openAttachment(db(), { workspaceId, number: '1', attachmentId, sealing: only })
  expect(opened).toEqual({ name: 'proof.bin', bytes })
  await expect(
    openAttachment(db(), { workspaceId, number: '1', attachmentId, sealing: testSealing }),
  ).rejects.toMatchObject({ code: 'not_configured' })
})

const url = 'https://acme.example/.well-known/security.txt'
const own = 'https://monitor.example/disclose/acme/security.txt'
const expected = `Contact: https://monitor.example/disclose/acme\nExpires: 2026-06-30T00:00:00Z\nPolicy: ${own}\n`
type Served = { status?: number; headers?: Record<string, string>; body?: string }
it.each<[string, Served | 'refused', string[]]>([
  ['the same text', { body: expected }, []],
  ['a redirect to the copy here', { status: 302, headers: { location: own } }, []],
  [
    'a redirect in circles',
    { status: 302, headers: { location: url } },
    ['The address redirects more than three times.'],
  ],
  ['nothing', { status: 404 }, ['The address answers 404, not 200.']],
  [
    'a page',
    { body: expected, headers: { 'content-type': 'text/html' } },
    ['It is not served as text/plain.'],
  ],
  ['an old file', { body: expected.replace('2026', '2025') }, ['It has expired.']],
  [
    'a file of another contact',
    { body: expected.replace(/Contact: .*\n/, '') },
    ['The line "Contact: https://monitor.example/disclose/acme" is missing.'],
  ],
  [
    'two dates',
    { body: `${expected}Expires: 2026-06-30T00:00:00Z\n` },
    ['It must have exactly one Expires line.'],
  ],
  [
    'another address',
    { body: `${expected}Canonical: https://b.example/` },
    ['None of its Canonical lines names the address at which it is served.'],
  ],
  [
    'a private address',
    'refused',
    ['The file could not be read: host resolves to a private or reserved address'],
  ],
])('the check of the company’s own security.txt finds %s', async (_what, served, problems) => {
  const outbound: Outbound = {
    ask: ({ url: asked, purpose }) => {
      expect(purpose).toBe('security_txt')
      if (served === 'refused') throw new OutboundError('address_refused')
      const { status = 200, headers = {}, body = '' } = served
      const all = new Map(Object.entries({ 'content-type': 'text/plain; charset=utf-8', ...headers }))
      return Promise.resolve({ status, headers: all, url: asked, body: Buffer.from(body) })
    },
    download: () => Promise.reject(new Error('nothing is downloaded')),
    check: () => Promise.reject(new Error('nothing is checked')),
    resolveText: () => Promise.reject(new Error('nothing is looked up')),
  }
  const now = new Date('2026-01-01T00:00:00.000Z')
  const found: SecurityTxtCheck = await checkSecurityTxt(outbound, { url, ownUrls: [own], expected, now })
  expect(found).toEqual({ url, checkedAt: now.toISOString(), isFine: problems.length === 0, problems })
})
