import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ReportDraftDetail } from '../src/contract/incidents/shapes.ts'
import { IncidentEvidence } from '../src/contract/incidents/incident-evidence.ts'
import { getIncident, openIncident } from '../src/contract/incidents/operations.ts'
import {
  exportIncident,
  getDraft,
  saveDraft,
  showDraftPresence,
} from '../src/contract/incidents/report-operations.ts'
import type { AppSession } from '../test/support/app-session.ts'
import { coveredStops } from './support/covered-stops.ts'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'
import { readAs } from '../test/support/read-as.ts'

let scene: Scene
let page: Page
let olga: AppSession

const password = 'correct horse battery'

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', lead: 'Per', viewer: 'Vic' })
  page = scene.page
  olga = await scene.elsewhere('olga@acme.example')
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
endAfterTests(() => scene)

/** Opens an incident and shows its early warning draft. */
async function openDraft(title: string): Promise<string> {
  const given = { kind: 'severe_incident' as const, title, families: [] }
  const { id } = await olga.call(openIncident, { body: given })
  // a page left before its save is confirmed keeps its copy
  await expect.poll(() => page.evaluate(keptKeys)).toEqual([])
  await page.goto(`${scene.service.baseUrl}/app/acme/incidents/${id}?tab=drafts`)
  await summary().waitFor()
  return id
}

const summary = () => page.getByRole('textbox', { name: /^3 · / })

async function evidenceOf(incident: string): Promise<IncidentEvidence> {
  return readAs(IncidentEvidence, (await olga.ask(exportIncident, { params: { incident } })).body)
}

it('text that is typed and not saved is kept with the submission that is recorded over it', async () => {
  const incident = await openDraft('Filed at three')
  await summary().fill('Typed at three in the morning.')
  await page.getByRole('button', { name: 'Record submission' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^What the draft says at this moment is kept/).waitFor()
  await dialog.getByRole('button', { name: 'Record submission' }).click()
  await page.getByText('The submission is recorded.').waitFor()
  // a message that is closed with the keyboard does not take the focus along
  const tab = page.getByRole('tab', { name: 'Drafts' })
  await tab.focus()
  await page.getByRole('button', { name: 'Close message' }).press('Enter')
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  await expect.poll(focused).toMatch(/^Drafts/)
  await page.getByText('The submission is recorded.').waitFor({ state: 'hidden' })
  expect(await focused()).toMatch(/^Drafts/)
  const { submissions } = await olga.call(getIncident, { params: { incident } })
  expect(submissions.map(({ hasDraft }) => hasDraft)).toEqual([true])
  const [filed] = (await evidenceOf(incident)).submissions
  expect(filed?.draft?.fields.find(({ id }) => id === '3')?.value).toBe('Typed at three in the morning.')
})

it('text is saved as it is pasted from a word processor or a PDF file; what is too long for any draft is named in the dialog, too', async () => {
  const incident = await openDraft('Pasted')
  await summary().fill('From a word processor\vand a PDF\fwith a\u0002 stray character.')
  await isSaved()
  const lines = 'From a word processor\nand a PDF\nwith a stray character.'
  expect(await savedSummary(incident)).toBe(lines)
  expect(await summary().inputValue()).toBe(lines)

  await summary().fill('x'.repeat(20_001))
  await page.getByRole('button', { name: 'Record submission' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Record submission' }).click()
  await page.getByRole('dialog').getByText('Summary: At most 20000 characters.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await summary().fill('Short again.')
  await isSaved()
})

const title = () => page.getByRole('textbox', { name: /^2 · / })
const saving = (on = page) => on.getByRole('status', { name: 'Saving' })
const isSaved = () => saving().getByText('It saves itself.').waitFor()

const keptKeys = 'Object.keys(localStorage).filter((key) => key.startsWith("unsaved"))'

async function draftOf(incident: string): Promise<ReportDraftDetail> {
  const { reports } = await olga.call(getIncident, { params: { incident } })
  const report = reports.find((one) => one.report === 'early_warning')?.id ?? ''
  return olga.call(getDraft, { params: { incident, report } })
}

const savedSummary = async (incident: string) => (await draftOf(incident)).values['3']

describe('text that is typed is not lost', () => {
  it('by another tab of the page, another report or a link: it is saved, and there again', async () => {
    const incident = await openDraft('Left early')
    await page.getByText('Made from what is known. Nothing is saved yet.').waitFor()
    await summary().fill('Before another tab.')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('list', { name: 'Timeline' }).waitFor()
    await expect.poll(() => savedSummary(incident)).toBe('Before another tab.')
    await page.getByRole('tab', { name: 'Drafts' }).click()
    await expect.poll(() => summary().inputValue()).toBe('Before another tab.')

    await summary().fill('Before another report.')
    await page.getByRole('combobox', { name: 'Report' }).selectOption({ label: 'CRA: notification' })
    await expect.poll(() => savedSummary(incident)).toBe('Before another report.')
    await page.getByRole('combobox', { name: 'Report' }).selectOption({ label: 'CRA: early warning' })
    await expect.poll(() => summary().inputValue()).toBe('Before another report.')

    await summary().fill('Before a link.')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    await expect.poll(() => savedSummary(incident)).toBe('Before a link.')
    await page.goBack()
    await expect.poll(() => summary().inputValue()).toBe('Before a link.')
  })

  it('by a reload, even at a moment in which nothing can be saved', async () => {
    const incident = await openDraft('Reloaded')
    await page.route('**/draft', async (route) => {
      if (route.request().method() === 'PATCH') await route.abort()
      else await route.continue()
    })
    await summary().fill('Before a reload.')
    await saving()
      .getByText(/^Not saved: the service cannot be reached/)
      .waitFor()
    await scene.picture('k1-away')
    await page.reload()
    await expect.poll(() => summary().inputValue()).toBe('Before a reload.')
    await page.unroute('**/draft')
    await expect.poll(() => savedSummary(incident)).toBe('Before a reload.')
    await expect.poll(() => page.evaluate(keptKeys)).toEqual([])
  })

  it('by recording the submission: it is kept with it, and the draft', async () => {
    const incident = await openDraft('Filed at once')
    await summary().fill('Typed and filed.')
    await page.getByRole('button', { name: 'Record submission' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Record submission' }).click()
    await page.getByText('The submission is recorded.').first().waitFor()
    await expect.poll(() => savedSummary(incident)).toBe('Typed and filed.')
  })

  it('by a session that ends: signing in again saves it, over the page or after it was left', async () => {
    const incident = await openDraft('Signed out')
    const signIn = async () => {
      const dialog = page.getByRole('dialog', { name: 'Sign in again' })
      await dialog.getByLabel(/^Password/).fill(password)
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await page.context().clearCookies()
    await summary().fill('Over the page.')
    await page.getByRole('dialog').getByText('Your session has ended.').waitFor()
    await scene.picture('k2-session')
    await signIn()
    await isSaved()
    expect(await savedSummary(incident)).toBe('Over the page.')

    await page.context().clearCookies()
    await summary().fill('After it was left.')
    await page.getByRole('dialog').getByText('Your session has ended.').waitFor()
    await scene.signIn(page, 'olga@acme.example')
    expect(await savedSummary(incident)).toBe('Over the page.')
    await page.goto(`${scene.service.baseUrl}/app/acme/incidents/${incident}?tab=drafts`)
    await page.getByText('Text that you typed before is back in its fields.').waitFor()
    await expect.poll(() => summary().inputValue()).toBe('After it was left.')
    await isSaved()
    expect(await savedSummary(incident)).toBe('After it was left.')
  })

  it('by signing out, which saves it first and leaves nothing in the browser', async () => {
    const incident = await openDraft('Going home')
    await summary().fill('Before going home.')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor()
    expect(await savedSummary(incident)).toBe('Before going home.')
    expect(await page.evaluate(keptKeys)).toEqual([])
    await scene.signIn(page, 'olga@acme.example')
  })
})

it('two people in one draft see each other; where both wrote, both texts are shown and one chooses', async () => {
  const per = await scene.elsewhere('per@acme.example')
  const incident = await openDraft('Two in one')
  await summary().fill('The words of Olga.')
  await isSaved()
  const { reportId } = await draftOf(incident)
  const isThere = (isWriting: boolean) =>
    per.call(showDraftPresence, { params: { incident, report: reportId }, body: { isWriting } })
  /** Per saves based on what he has just read. */
  const write = async (field: string, text: string) => {
    const { revision, values } = await draftOf(incident)
    const body = { revision, values: { ...values, [field]: text } }
    await per.call(saveDraft, { params: { incident, report: reportId }, body })
  }
  await expect.poll(async () => (await isThere(false)).others).toEqual([{ name: 'Olga', isWriting: true }])
  await page.getByText('Per has this draft open').waitFor()

  await write('2', 'A title of Per')
  await isThere(true)
  await page.getByText('Per is editing this draft').waitFor()
  await expect.poll(() => title().inputValue()).toBe('A title of Per')
  await page.getByText(/^Saved by Per/).waitFor()
  await page
    .getByText(/^Newer text, saved by Per, \d\d:\d\d \w+ today: Title\. It is shown here\.$/)
    .waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await scene.look('k3-together')

  const isHeld = { value: true }
  await page.route('**/draft', async (route) => {
    if (isHeld.value && route.request().method() === 'PATCH') await route.abort()
    else await route.continue()
  })
  await summary().fill('What Olga means.')
  await write('3', 'What Per means.')
  const choice = page.getByRole('group', { name: /two texts$/ })
  await choice.getByText('What Per means.').waitFor()
  isHeld.value = false
  expect(await summary().inputValue()).toBe('What Olga means.')
  await saving()
    .getByText(/1 field with two texts: choose one\.$/)
    .waitFor()
  await choice.scrollIntoViewIfNeeded()
  await scene.look('k4-two-texts', { whole: false })
  expect(await savedSummary(incident)).toBe('What Per means.')
  await choice.getByRole('button', { name: 'Put both in the field' }).click()
  await isSaved()
  expect(await savedSummary(incident)).toBe('What Olga means.\n\nWhat Per means.')
})

it('who may not write a draft reads and copies it: no field takes text that could not be saved', async () => {
  const incident = await openDraft('Read by a viewer')
  await summary().fill('Filed by somebody else.')
  await isSaved()
  expect(await coveredStops(page, 24)).toEqual([])
  const readsOnly = async (why: string) => {
    await page.getByText(why).first().waitFor()
    await expect.poll(() => summary().isEditable()).toBe(false)
    expect(await summary().inputValue()).toBe('Filed by somebody else.')
    expect(await page.getByRole('combobox', { name: /^1 · / }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Copy the whole draft' }).waitFor()
    expect(await saving().count()).toBe(0)
  }
  await page.context().clearCookies()
  await scene.signIn(page, 'vic@acme.example')
  await page.clock.install()
  await page.goto(`${scene.service.baseUrl}/app/acme/incidents/${incident}?tab=drafts`)
  await readsOnly('Your role is viewer. This needs owner, admin, lead or editor.')
  // reading on: Olga saves while the page is open
  const news = page.getByRole('status', { name: 'Newer text' })
  expect(await news.textContent()).toBe('')
  const { reportId, revision, values } = await draftOf(incident)
  const body = { revision, values: { ...values, '3': 'Written while somebody reads.' } }
  await olga.call(saveDraft, { params: { incident, report: reportId }, body })
  await page.clock.fastForward(10_000)
  await news
    .getByText(/^Newer text, saved by Olga, \d\d:\d\d \w+ today: Summary\. It is shown here\.$/)
    .waitFor()
  expect(await summary().inputValue()).toBe('Written while somebody reads.')
  await page.getByText(/^Saved by Olga/).waitFor()
  await scene.look('k5-viewer', { whole: false })
  await page.context().clearCookies()
  await scene.signIn(page, 'olga@acme.example')
})
