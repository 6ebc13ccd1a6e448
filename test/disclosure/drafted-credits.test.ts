import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  changeReport,
  eraseReport,
  getInboxReport,
  openIncidentFromReport,
  showCredit,
} from '../../src/contract/disclosure/operations.ts'
import {
  createAdvisory,
  getAdvisory,
  prefillAdvisoryFromIncident,
  publishAdvisory,
  saveAdvisoryDraft,
} from '../../src/contract/advisories/operations.ts'
import type { AppSession } from '../support/app-session.ts'
import { addVersion } from '../support/rows.ts'
import { openDisclosureScene, receiptPath, type DisclosureScene } from './disclosure-scene.ts'
import { textWith } from '../support/expected.ts'

let scene: DisclosureScene
let owner: AppSession
beforeAll(async () => {
  scene = await openDisclosureScene()
  owner = await scene.signIn(scene.acme, 'owner')
})
afterAll(() => scene.close())

const hourMs = 3_600_000
let texts = 0

/** Sends a report whose author agrees to be credited; returns its number. */
async function receivedFrom(creditName: string): Promise<number> {
  texts += 1
  // outside the hourly limits
  scene.clock.now = new Date(scene.clock.now.getTime() + hourMs)
  const words = { title: `Title ${texts}`, description: `Words ${texts}` }
  const credit = { credit: 'named', creditConsent: 'yes', creditName }
  const path = receiptPath(await scene.report('acme', { ...words, ...credit }))
  const [, number = ''] = /<h1>Report (\d+)<\/h1>/.exec((await scene.get(`${path}?lang=en`)).body) ?? []
  return Number(number)
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
