import { afterAll, beforeAll, expect, it } from 'vitest'
import { hourMs } from '../../src/contract/durations.ts'
import { IncidentEvidence } from '../../src/contract/incidents/incident-evidence.ts'
import { entryWords } from '../../src/contract/incidents/entry-words.ts'
import {
  changeReport,
  eraseReport,
  getInboxReport,
  linkReportToIncident,
  markSpam,
  openIncidentFromReport,
  prefillAdvisoryFromReport,
  showCredit,
  unlinkReportFromIncident,
} from '../../src/contract/disclosure/operations.ts'
import { getIncident, listIncidentEntries } from '../../src/contract/incidents/operations.ts'
import {
  beginAdvisoryDraft,
  createAdvisory,
  getAdvisory,
  prefillAdvisoryFromIncident,
  previewAdvisory,
  publishAdvisory,
} from '../../src/contract/advisories/operations.ts'
import { saveDraft, exportIncident } from '../../src/contract/incidents/report-operations.ts'
import { changeFacts } from '../../src/contract/incidents/act-operations.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import type { AppSession } from '../support/app-session.ts'
import { addRecord } from '../support/records.ts'
import { addVersion } from '../support/rows.ts'
import { openDisclosureScene, type DisclosureScene } from './disclosure-scene.ts'
import { anyText, textWith, listWith } from '../support/expected.ts'
import { readAs } from '../support/read-as.ts'

let scene: DisclosureScene
let owner: AppSession
let viewer: AppSession
let stranger: AppSession
beforeAll(async () => {
  scene = await openDisclosureScene()
  owner = await scene.signIn(scene.acme, 'owner')
  viewer = await scene.signIn(scene.acme, 'viewer')
  stranger = await scene.signIn(scene.umbrella, 'owner')
})
afterAll(() => scene.close())

const secret = 'a-word-nobody-else-uses'
let texts = 0

type Received = { number: number; at: string }

async function received(fields: Record<string, string> = {}, slug = 'acme'): Promise<Received> {
  texts += 1
  const words = { title: `${secret} ${texts}`, description: `${secret} words ${texts}`, impact: secret }
  const { number } = await scene.received({ ...words, ...fields }, slug)
  return { number, at: scene.clock.now.toISOString() }
}
const incidentOf = (session: AppSession, id: string) =>
  session.call(getIncident, { params: { incident: id } })
const reportOf = (number: number) => owner.call(getInboxReport, { params: { number } })

const typed: BodyOf<typeof openIncidentFromReport> = {
  kind: 'vulnerability',
  title: 'Update service in danger',
  families: [],
}

async function opened(number: number, body: Partial<BodyOf<typeof openIncidentFromReport>> = {}) {
  return owner.call(openIncidentFromReport, { params: { number }, body: { ...typed, ...body } })
}

async function timeline(id: string): Promise<string[]> {
  const { rows } = await owner.call(listIncidentEntries, { params: { incident: id } })
  return rows.map(entryWords)
}

it('opens an incident from a report, aware since it came, with nothing of its words', async () => {
  const { number, at } = await received({ exploited: 'yes', cve: 'CVE-2025-11111' })
  scene.wait(5 * hourMs)
  const incident = await opened(number)
  const detail = await incidentOf(owner, incident.id)
  expect(detail).toMatchObject({
    title: typed.title,
    source: 'report',
    awareAt: at,
    vulnKey: null,
    inboxReports: [{ number, state: 'new' }],
  })
  // Regulation (EU) 2024/2847, Article 14(2)(a): 24 hours after the company became aware
  const early = detail.reports.find(({ report }) => report === 'early_warning')
  expect(early?.dueAt).toBe(new Date(Date.parse(at) + 24 * hourMs).toISOString())
  expect((await reportOf(number)).incidents).toEqual([{ id: incident.id, reference: incident.reference }])
  const words = await timeline(incident.id)
  expect(words).toContain(`Linked the report from outside #${number}.`)
  expect(words).toContain('Opened from a report from outside.')
  expect(JSON.stringify([detail, words])).not.toMatch(/a-word|11111/)
})

it('takes another time of awareness only with a reason, and none in the future', async () => {
  const { number, at } = await received()
  const earlier = new Date(Date.parse(at) - hourMs).toISOString()
  const refused = await owner.refused(openIncidentFromReport, {
    params: { number },
    body: { ...typed, awareAt: earlier },
  })
  expect(refused).toMatchObject({
    status: 400,
    body: { fields: { awareReason: anyText } },
  })
  const future = new Date(scene.clock.now.getTime() + hourMs).toISOString()
  const body = { ...typed, title: 'Br\u0007oken', awareAt: future, awareReason: 'A clock went wrong.' }
  expect(await owner.refused(openIncidentFromReport, { params: { number }, body })).toMatchObject({
    status: 400,
    body: { fields: { title: anyText, awareAt: anyText } },
  })
  expect((await reportOf(number)).incidents).toEqual([])
  const { id } = await opened(number, { awareAt: earlier, awareReason: 'They rang an hour before.' })
  expect((await incidentOf(owner, id)).awareAt).toBe(earlier)
  expect(await timeline(id)).toContain(
    `Linked the report from outside #${number}. Aware at another time than it came: They rang an hour before.`,
  )
})

it('links a report to an incident once, and shows it only to those who see the inbox', async () => {
  const [first, second] = [await received(), await received()]
  const { id, reference } = await opened(first.number)
  await owner.call(linkReportToIncident, { params: { number: second.number }, body: { incident: id } })
  expect((await incidentOf(owner, id)).inboxReports.map(({ number }) => number)).toEqual([
    first.number,
    second.number,
  ])
  expect((await incidentOf(viewer, id)).inboxReports).toEqual([])
  const file = await viewer.ask(exportIncident, { params: { incident: id } })
  const { links } = readAs(IncidentEvidence, file.body)
  expect(links).toEqual(
    [first, second].map(({ number }) => ({ kind: 'inbox_report', name: `#${number}`, relation: null })),
  )
  const again = await owner.refused(linkReportToIncident, {
    params: { number: second.number },
    body: { incident: id },
  })
  expect(again).toMatchObject({
    status: 409,
    body: { message: `The report is already linked to ${reference}.` },
  })
  const lines = (await timeline(id)).filter((line) => line.includes(`#${second.number}`))
  expect(lines).toEqual([`Linked the report from outside #${second.number}.`])
  expect(
    (
      await viewer.refused(linkReportToIncident, {
        params: { number: second.number },
        body: { incident: id },
      })
    ).status,
  ).toBe(403)
})

it('unlinks a report from an incident, which keeps its clocks, and says so on both', async () => {
  const [first, second] = [await received(), await received()]
  const { id, reference } = await opened(first.number)
  const unlink = (session: AppSession) =>
    session.ask(unlinkReportFromIncident, { params: { number: second.number, incident: id } })
  expect((await unlink(owner)).status).toBe(404)
  await owner.call(linkReportToIncident, { params: { number: second.number }, body: { incident: id } })
  const before = await incidentOf(owner, id)
  expect((await unlink(viewer)).status).toBe(403)
  expect((await unlink(stranger)).status).toBe(404)
  expect((await reportOf(second.number)).incidents).toEqual([{ id, reference }])
  expect((await unlink(owner)).status).toBe(204)
  expect((await unlink(owner)).status).toBe(404)
  const after = await incidentOf(owner, id)
  expect(after.inboxReports.map(({ number }) => number)).toEqual([first.number])
  expect([after.status, after.awareAt, after.reports]).toEqual([
    before.status,
    before.awareAt,
    before.reports,
  ])
  expect((await timeline(id)).filter((line) => line.includes(`#${second.number}`)).toSorted()).toEqual([
    `Linked the report from outside #${second.number}.`,
    `Unlinked the report from outside #${second.number}.`,
  ])
  const report = await reportOf(second.number)
  expect(report.incidents).toEqual([])
  expect(report.entries).toMatchObject([{ kind: 'note', text: `No longer linked to ${reference}.` }])
  expect(report.state).toBe('new')
  const told = await scene.database.db
    .selectFrom('audit_event')
    .select(['action', 'object_name', 'before', 'after'])
    .where('action', 'in', ['incident.report_unlinked', 'report.incident_unlinked'])
    .orderBy('action')
    .execute()
  expect(told).toEqual([
    {
      action: 'incident.report_unlinked',
      object_name: reference,
      before: { report: `#${second.number}` },
      after: null,
    },
    {
      action: 'report.incident_unlinked',
      object_name: `#${second.number}`,
      before: { incident: reference },
      after: null,
    },
  ])
  await owner.call(linkReportToIncident, { params: { number: second.number }, body: { incident: id } })
})

it('opens one incident when two members open it for the same vulnerability at once', async () => {
  const { number } = await received()
  const family = scene.acme.families[0]
  const body = { ...typed, vulnerability: 'CVE-2025-22222', families: [family?.id ?? ''] }
  const answers = await Promise.all(
    [1, 2].map(() => owner.ask(openIncidentFromReport, { params: { number }, body })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect((await reportOf(number)).incidents).toHaveLength(1)
})

it('links nothing across workspaces, nor from spam, nor from what was erased', async () => {
  const { number } = await received()
  const foreign = await received({}, 'umbrella')
  const { id } = await stranger.call(openIncidentFromReport, {
    params: { number: foreign.number },
    body: typed,
  })
  expect(
    await owner.refused(linkReportToIncident, { params: { number }, body: { incident: id } }),
  ).toMatchObject({
    status: 400,
    body: { fields: { incident: 'There is no such incident.' } },
  })
  expect((await owner.refused(getIncident, { params: { incident: id } })).status).toBe(404)
  expect((await owner.refused(prefillAdvisoryFromIncident, { params: { incident: id } })).status).toBe(404)
  expect(
    (await stranger.refused(prefillAdvisoryFromReport, { params: { slug: 'acme', number } })).status,
  ).toBe(404)
  const spam = await received()
  await owner.call(markSpam, { params: { number: spam.number } })
  expect(
    (await owner.refused(openIncidentFromReport, { params: { number: spam.number }, body: typed })).status,
  ).toBe(409)
  const linked = await received()
  const own = await opened(linked.number)
  await owner.call(markSpam, { params: { number: linked.number } })
  expect(
    (await owner.refused(unlinkReportFromIncident, { params: { number: linked.number, incident: own.id } }))
      .status,
  ).toBe(409)
  await owner.call(eraseReport, { params: { number }, body: { confirmNumber: number } })
  expect((await owner.refused(openIncidentFromReport, { params: { number }, body: typed })).status).toBe(409)
})

it('writes an advisory from a report with the credit agreed to, and never its words', async () => {
  const credit = {
    credit: 'named',
    creditConsent: 'yes',
    creditName: 'Ada Finder',
    creditLink: 'https://ada.example',
  }
  const embargoUntil = '2030-01-15'
  const { number } = await received({ ...credit, creditOrganisation: 'Research Ltd', embargoUntil })
  const silent = await received({ credit: 'named', creditName: 'Nobody Named' })
  expect(
    (await owner.call(prefillAdvisoryFromReport, { params: { number: silent.number } })).content
      .acknowledgments,
  ).toEqual([])
  const { id: incidentId, reference } = await opened(number)
  const beginning = await owner.call(prefillAdvisoryFromReport, { params: { number } })
  expect(beginning.content.acknowledgments).toEqual([
    { names: ['Ada Finder'], organization: 'Research Ltd', summary: '', urls: ['https://ada.example'] },
  ])
  expect(JSON.stringify(beginning)).not.toMatch(/a-word/)
  const { id, trackingId } = await owner.call(createAdvisory, { body: beginning })
  const reportId = (await reportOf(number)).id
  expect((await owner.call(getAdvisory, { params: { advisory: id } })).links).toEqual(
    [
      { kind: 'inbox_report', id: reportId, number, embargoUntil },
      { kind: 'incident', id: incidentId, reference },
    ].toSorted((one, other) => (one.kind < other.kind ? -1 : 1)),
  )
  expect((await viewer.call(getAdvisory, { params: { advisory: id } })).links).toEqual([
    { kind: 'incident', id: incidentId, reference },
  ])
  expect((await reportOf(number)).advisories).toEqual([{ id, trackingId }])
  expect((await incidentOf(owner, incidentId)).advisories).toEqual([{ id, trackingId, number: null }])
  expect(await timeline(incidentId)).toContain(`Linked the advisory ${trackingId}.`)
})

it('writes an advisory from an incident with its families and the credit of its reports', async () => {
  const { number } = await received({ credit: 'named', creditConsent: 'yes', creditName: 'Ada Finder' })
  await owner.call(showCredit, { params: { number }, body: { name: 'Ada F.', link: null } })
  const family = scene.acme.families[0]
  const { id } = await opened(number, { families: [family?.id ?? ''], vulnerability: 'CVE-2025-33333' })
  const { content, links } = await owner.call(prefillAdvisoryFromIncident, { params: { incident: id } })
  expect(links).toEqual([
    { kind: 'incident', objectId: id },
    { kind: 'inbox_report', objectId: (await reportOf(number)).id },
  ])
  expect(content.acknowledgments).toMatchObject([{ names: ['Ada F.'] }])
  expect(content).toMatchObject({ title: typed.title, vulnerabilities: [{ cve: 'CVE-2025-33333' }] })
  expect(JSON.stringify(content)).not.toMatch(/a-word/)
  await owner.call(createAdvisory, { body: { content, links } })
  expect((await viewer.refused(prefillAdvisoryFromIncident, { params: { incident: id } })).status).toBe(403)
})

it('begins with the versions of an incident’s families, also where the vulnerability is known and nothing was found', async () => {
  const cve = 'CVE-2025-44444'
  await addRecord(scene.database.db, {
    id: 'GHSA-pppp-aaaa-ffff',
    group: cve,
    aliases: [cve],
    affected: [{ ecosystem: 'npm', name: 'nobody-has-it', scheme: 'semver', ranges: [['0', null]] }],
  })
  const [family] = scene.acme.families
  const versionId = await addVersion(
    scene.database.db,
    { workspaceId: scene.acme.id, familyId: family?.id ?? '' },
    '3.1',
  )
  const { number } = await received()
  const { id } = await opened(number, { families: [family?.id ?? ''], vulnerability: cve })
  const { content } = await owner.call(prefillAdvisoryFromIncident, { params: { incident: id } })
  expect(content.products).toMatchObject([{ versionId, version: '3.1' }])
  expect(content.vulnerabilities).toMatchObject([
    { cve, statuses: [{ versionId, status: 'under_investigation' }] },
  ])
})

it('begins with the measures that the drafts of its incident say, the newest of each, and with none where they say nothing', async () => {
  const [family] = scene.acme.families
  const versionId = await addVersion(
    scene.database.db,
    { workspaceId: scene.acme.id, familyId: family?.id ?? '' },
    '4.1',
  )
  const { number } = await received()
  const { id } = await opened(number, { families: [family?.id ?? ''], vulnerability: 'CVE-2025-66666' })
  const remediations = async () => {
    const { content } = await owner.call(prefillAdvisoryFromIncident, { params: { incident: id } })
    return content.vulnerabilities[0]?.remediations
  }
  const { reports } = await incidentOf(owner, id)
  const write = async (stage: string, values: Record<string, string>) => {
    const report = reports.find((one) => one.report === stage)?.id
    scene.wait(hourMs)
    const body = { revision: 0, values }
    await owner.call(saveDraft, { params: { incident: id, report }, body })
  }
  expect(await remediations()).toEqual([])
  await write('notification', { '16': 'Switched the service off.', '17': 'Close port 80.' })
  const remedy = (category: string, details: string) => ({
    category,
    details,
    url: '',
    versionIds: listWith(versionId),
  })
  const forUsers = remedy('mitigation', 'Close port 80.')
  expect(await remediations()).toEqual([remedy('mitigation', 'Switched the service off.'), forUsers])
  await write('final_report', { v23: 'Version 4.2 mends it.', '17': ' ' })
  const measureAvailableAt = scene.clock.now.toISOString()
  await owner.call(changeFacts, { params: { incident: id }, body: { measureAvailableAt } })
  expect(await remediations()).toEqual([remedy('vendor_fix', 'Version 4.2 mends it.'), forUsers])
})

it('publishes no name whose owner has withdrawn the consent meanwhile, and keeps one that is published', async () => {
  const credit = { credit: 'named', creditConsent: 'yes', creditName: 'Grace Finder' }
  const { number } = await received(credit)
  const family = scene.acme.families[0]
  await addVersion(scene.database.db, { workspaceId: scene.acme.id, familyId: family?.id ?? '' }, '3.2')
  const { id: incident } = await opened(number, {
    families: [family?.id ?? ''],
    vulnerability: 'CVE-2025-55555',
  })
  const beginning = await owner.call(prefillAdvisoryFromIncident, { params: { incident } })
  expect(beginning.content.acknowledgments).toMatchObject([{ names: ['Grace Finder'] }])
  const vulnerabilities = beginning.content.vulnerabilities.map((one) => ({ ...one, description: 'x' }))
  const content = { ...beginning.content, vulnerabilities }
  const { id } = await owner.call(createAdvisory, { body: { ...beginning, content } })
  const consent = (creditConsent: boolean) =>
    owner.ask(changeReport, { params: { number }, body: { creditConsent } })
  const publish = (body: object) =>
    owner.ask(publishAdvisory, { params: { advisory: id }, body: { summary: 'New.', ...body } })
  expect((await consent(false)).status).toBe(204)
  const problem = textWith(`#${number}`)
  const preview = await owner.call(previewAdvisory, { params: { advisory: id }, body: { content } })
  expect(preview.problems).toMatchObject([{ field: 'acknowledgments.0', message: problem }])
  expect(await publish({ revision: 1 })).toMatchObject({
    status: 400,
    body: { fields: { 'acknowledgments.0': problem } },
  })
  expect((await consent(true)).status).toBe(204)
  expect((await publish({ revision: 1 })).status).toBe(200)
  expect((await consent(false)).status).toBe(204)
  const { revision } = await owner.call(beginAdvisoryDraft, { params: { advisory: id } })
  expect((await publish({ revision, kind: 'update' })).status).toBe(200)
})
