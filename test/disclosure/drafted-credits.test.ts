import { sql } from 'kysely'
import { hourMs } from '../../src/contract/durations.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  changeReport,
  eraseReport,
  getInboxReport,
  linkReportToIncident,
  markSpam,
  messageReporter,
  moveReport,
  openIncidentFromReport,
  showCredit,
} from '../../src/contract/disclosure/operations.ts'
import {
  beginAdvisoryDraft,
  createAdvisory,
  getAdvisory,
  prefillAdvisoryFromIncident,
  publishAdvisory,
  saveAdvisoryDraft,
} from '../../src/contract/advisories/operations.ts'
import type { Tlp } from '../../src/contract/advisories/shapes.ts'
import { reportRetention } from '../../src/disclosure/inbox/erase-report.ts'
import { removeOver } from '../../src/queue/schedule/retention.ts'
import type { AppSession } from '../support/app-session.ts'
import { testSealing, type Answer } from '../support/http.ts'
import { addVersion } from '../support/rows.ts'
import { openDisclosureScene, type DisclosureScene } from './disclosure-scene.ts'
import { textWith } from '../support/expected.ts'

let scene: DisclosureScene
let owner: AppSession
beforeAll(async () => {
  scene = await openDisclosureScene()
  owner = await scene.signIn(scene.acme, 'owner')
})
afterAll(() => scene.close())
/** The reporter's page of each report. */
const receipts = new Map<number, string>()

/** Sends a report whose author agrees to be credited; returns its number. */
async function receivedFrom(creditName: string): Promise<number> {
  const { number, path } = await scene.received({ credit: 'named', creditConsent: 'yes', creditName })
  receipts.set(number, path)
  return number
}

const reportOf = (number: number) => owner.call(getInboxReport, { params: { number } })

/** Drafts an advisory on an incident from a report; returns its initial credit. */
async function drafted(number: number): Promise<{ id: string; names: string[] }> {
  const family = scene.acme.families[0]?.id ?? ''
  await addVersion(scene.database.db, { workspaceId: scene.acme.id, familyId: family }, `3.2.${number}`)
  const vulnerability = `CVE-2025-7${String(number).padStart(4, '0')}`
  const { id: incident } = await owner.call(openIncidentFromReport, {
    params: { number },
    body: { kind: 'vulnerability', title: 'In danger', families: [family], vulnerability },
  })
  const beginning = await owner.call(prefillAdvisoryFromIncident, { params: { incident } })
  const vulnerabilities = beginning.content.vulnerabilities.map((one) => ({ ...one, description: 'x' }))
  const content = { ...beginning.content, vulnerabilities }
  const { id } = await owner.call(createAdvisory, { body: { ...beginning, content } })
  return { id, names: content.acknowledgments.flatMap(({ names }) => names) }
}

const publishFirst = (advisory: string) =>
  owner.ask(publishAdvisory, { params: { advisory }, body: { summary: 'New.', revision: 1 } })

it('publishes no name that was shown of somebody who has withdrawn the consent, whatever they called themselves', async () => {
  const number = await receivedFrom('Ada')
  const show = (name: string) =>
    owner.call(showCredit, { params: { number }, body: { name, link: 'https://ada.example/' } })
  await show('Ada Lovelace')
  const { id, names } = await drafted(number)
  expect(names).toEqual(['Ada Lovelace'])
  await show('A. Lovelace')
  const withdrawn = { params: { number }, body: { creditConsent: false } }
  expect((await owner.ask(changeReport, withdrawn)).status).toBe(204)
  expect(await publishFirst(id)).toMatchObject({
    status: 400,
    body: { fields: { 'acknowledgments.0': textWith(`#${number}`) } },
  })
  // the inbox shows the reporter's text unchanged
  const { report } = await reportOf(number)
  expect(report).toMatchObject({ creditName: 'Ada' })
  expect(report).not.toHaveProperty('shownNames')
})

it('keeps the consent that a reporter has withdrawn from being set again by a member, and the trail keeps who did what', async () => {
  const number = await receivedFrom('Grace Finder')
  const consent = (creditConsent: boolean) =>
    owner.ask(changeReport, { params: { number }, body: { creditConsent } })
  // noted by a member, by mistake
  expect((await consent(false)).status).toBe(204)
  expect((await consent(true)).status).toBe(204)
  const own = (given: 'yes' | 'no') =>
    scene.post(receipts.get(number) ?? '', { fields: { action: 'consent', consent: given } })
  await own('no')
  await own('no')
  expect(await consent(true)).toMatchObject({ status: 409, body: { message: textWith('Only they') } })
  expect((await consent(false)).status).toBe(204)
  const withdrawn = scene.clock.now.toISOString()
  expect(await reportOf(number)).toMatchObject({ creditConsent: false, consentWithdrawnAt: withdrawn })
  await own('yes')
  expect(await reportOf(number)).toMatchObject({ creditConsent: true, consentWithdrawnAt: null })
  const trail = await scene.database.db
    .selectFrom('audit_event')
    .select(['actor_name', 'after'])
    .where('action', '=', 'report.changed')
    .where('actor_name', '=', 'reporter')
    .orderBy('id')
    .execute()
  expect(trail.map(({ after }) => after)).toEqual([{ credit_consent: false }, { credit_consent: true }])
})

/** Publishes it for the company's own members, and begins the next draft, which is to be public. */
async function republished(advisory: string, between: () => Promise<unknown>): Promise<Answer> {
  const params = { advisory }
  const saveAs = async (tlp: Tlp, revision: number) => {
    const { draft } = await owner.call(getAdvisory, { params })
    const content = { ...draft?.content, tlp }
    expect((await owner.ask(saveAdvisoryDraft, { params, body: { revision, content } })).status).toBe(200)
  }
  const publish = (revision: number) =>
    owner.ask(publishAdvisory, { params, body: { summary: 'New.', kind: 'update', revision } })
  await saveAs('AMBER', 1)
  expect((await publish(2)).status).toBe(200)
  await between()
  await owner.call(beginAdvisoryDraft, { params })
  await saveAs('WHITE', 3)
  return publish(4)
}

it('publishes no name whose consent was withdrawn while only the company could read it', async () => {
  const number = await receivedFrom('Joan Finder')
  const { id } = await drafted(number)
  const withdrawn = { action: 'consent', consent: 'no' }
  const answer = await republished(id, async () => {
    expect((await scene.post(receipts.get(number) ?? '', { fields: withdrawn })).status).toBe(303)
  })
  expect(answer).toMatchObject({
    status: 400,
    body: { fields: { 'acknowledgments.0': textWith(`#${number}`) } },
  })
})

it('publishes no name of a report that was erased while only the company could read it', async () => {
  const number = await receivedFrom('Jean Finder')
  const { id } = await drafted(number)
  const answer = await republished(id, () =>
    owner.call(eraseReport, { params: { number }, body: { confirmNumber: number } }),
  )
  expect(answer.status).toBe(200)
  const { rows } = await sql<{ number: string; text: string }>`
    select number, convert_from(bytes, 'UTF8') as text from advisory_version where advisory_id = ${id}
    order by ordinal`.execute(scene.database.db)
  expect(rows.map(({ number: version, text }) => [version, text.includes('Jean Finder')])).toEqual([
    ['1.0.0', true],
    ['1.1.0', false],
  ])
})

it.each(['withdrawn', 'erased'] as const)(
  'knows the name that a member typed of whoever reported it after the draft was begun (%s)',
  async (end) => {
    const first = await receivedFrom('Ann Finder')
    const { id } = await drafted(first)
    const { links } = await owner.call(getAdvisory, { params: { advisory: id } })
    const incident = links.find(({ kind }) => kind === 'incident')?.id ?? ''
    const number = await receivedFrom('Lee Finder')
    await owner.call(linkReportToIncident, { params: { number }, body: { incident } })
    const params = { advisory: id }
    const { draft } = await owner.call(getAdvisory, { params })
    const credit = { names: ['Lee Finder'], organization: '', summary: '', urls: [] }
    const content = { ...draft?.content, acknowledgments: [credit] }
    expect((await owner.ask(saveAdvisoryDraft, { params, body: { revision: 1, content } })).status).toBe(200)
    if (end === 'erased') {
      await owner.call(eraseReport, { params: { number }, body: { confirmNumber: number } })
      const after = await owner.call(getAdvisory, { params })
      expect(after.draft?.content.acknowledgments).toEqual([])
    } else {
      const withdrawn = { params: { number }, body: { creditConsent: false } }
      expect((await owner.ask(changeReport, withdrawn)).status).toBe(204)
      const publishing = { params, body: { summary: 'New.', revision: 2 } }
      expect(await owner.ask(publishAdvisory, publishing)).toMatchObject({
        status: 400,
        body: { fields: { 'acknowledgments.0': textWith(`#${number}`) } },
      })
    }
  },
)

it('takes the name of an erased report out of drafts, and of nobody else', async () => {
  const number = await receivedFrom('Mary Finder')
  const { id } = await drafted(number)
  const params = { advisory: id }
  const { draft } = await owner.call(getAdvisory, { params })
  const credits = draft?.content.acknowledgments ?? []
  const others = { ...credits[0], names: ['Bob Helper'], organization: '', summary: '', urls: [] }
  const content = { ...draft?.content, acknowledgments: [...credits, others] }
  expect((await owner.ask(saveAdvisoryDraft, { params, body: { revision: 1, content } })).status).toBe(200)
  await owner.call(eraseReport, { params: { number }, body: { confirmNumber: number } })
  const after = await owner.call(getAdvisory, { params })
  expect(after.draft?.content.acknowledgments).toEqual([others])
  const publish = (revision: number) =>
    owner.ask(publishAdvisory, { params, body: { summary: 'New.', revision } })
  expect((await publish(2)).status).toBe(409)
  expect((await publish(after.draft?.revision ?? 0)).status).toBe(200)
})

const close = async (number: number) => {
  await owner.call(messageReporter, { params: { number }, body: { text: 'Thank you.' } })
  await owner.call(moveReport, { params: { number }, body: { from: 'acknowledged', to: 'closed' } })
}
const markAsSpam = (number: number) => owner.call(markSpam, { params: { number } })

it.each([
  ['a report that was closed three years ago', close, 3 * 366],
  ['spam after a month', markAsSpam, 31],
])('takes the name out of drafts when the schedule erases %s', async (_what, end, days) => {
  const number = await receivedFrom('Ada Finder')
  const { id } = await drafted(number)
  const { id: others } = await drafted(await receivedFrom('Bob Finder'))
  await end(number)
  const creditedIn = async (advisory: string) => {
    const { draft } = await owner.call(getAdvisory, { params: { advisory } })
    return draft?.content.acknowledgments.flatMap(({ names }) => names)
  }
  expect(await creditedIn(id)).toEqual(['Ada Finder'])
  const now = new Date(scene.clock.now.getTime() + days * 24 * hourMs)
  for (const rule of reportRetention) {
    const removal = () => removeOver(scene.database.db, rule, { now, sealing: testSealing })
    await Promise.all([removal(), removal()])
  }
  expect(await creditedIn(id)).toEqual([])
  expect(await creditedIn(others)).toEqual(['Bob Finder'])
})

it('tells a reporter whom a published advisory names that it stays so, and promises nothing else', async () => {
  const number = await receivedFrom('Mary Finder')
  const page = async () => (await scene.get(`${receipts.get(number)}?lang=en`)).body
  const { id } = await drafted(number)
  expect(await page()).not.toContain('advisory names you')
  expect((await publishFirst(id)).status).toBe(200)
  expect(await page()).toContain('A published security advisory names you.')
  await scene.post(receipts.get(number) ?? '', { fields: { action: 'consent', consent: 'no' } })
  expect(await page()).toMatch(
    /You have not agreed to be named\.[^]*A published security advisory names you\./,
  )
})
