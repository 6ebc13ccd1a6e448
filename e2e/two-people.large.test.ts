import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { changeAwareness, recordDetermination } from '../src/contract/incidents/act-operations.ts'
import { getIncident, openIncident } from '../src/contract/incidents/operations.ts'
import { getDraft, saveDraft } from '../src/contract/incidents/report-operations.ts'
import { listFamilies, renameFamily } from '../src/contract/products/operations.ts'
import { changeCompany, getCompany } from '../src/contract/workspace/company-operations.ts'
import type { AppSession } from '../test/support/app-session.ts'
import { expectAccessible } from './support/browser.ts'
import { holdBack } from './support/hold-back.ts'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
/** Another member, in another browser. */
let adam: AppSession

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', admin: 'Adam' })
  page = scene.page
  adam = await scene.elsewhere('adam@acme.example')
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
endAfterTests(() => scene)

const open = (path: string) => page.goto(`${scene.service.baseUrl}/app/acme${path}`)
const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

describe('settings that somebody else changes meanwhile', () => {
  const name = () => page.getByRole('textbox', { name: 'Company name' })
  const contact = () => page.getByRole('textbox', { name: 'Security contact e-mail' })
  const companyNow = async () => {
    const { slugFrozenAt: _frozen, ...company } = await adam.call(getCompany)
    return company
  }

  it('are not changed back by a page that has not read them again', async () => {
    await open('/settings/company')
    await name().fill('Acme Pumps')
    await adam.call(changeCompany, {
      body: { ...(await companyNow()), securityContactEmail: 'psirt@acme.example' },
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The settings are saved.').waitFor()
    expect(await companyNow()).toMatchObject({
      companyName: 'Acme Pumps',
      securityContactEmail: 'psirt@acme.example',
    })
    await expect.poll(() => contact().inputValue()).toBe('psirt@acme.example')
  })

  it('are shown when the page reads them again, beside what is typed', async () => {
    await name().fill('Acme Pumps and Fans')
    await adam.call(changeCompany, {
      body: { ...(await companyNow()), companyName: 'Acme', securityContactEmail: 'cert@acme.example' },
    })
    // returning to the window refetches what is more than a few seconds old
    await expect
      .poll(async () => {
        await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
        return contact().inputValue()
      })
      .toBe('cert@acme.example')
    expect(await name().inputValue()).toBe('Acme Pumps and Fans')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(companyNow)
      .toMatchObject({ companyName: 'Acme Pumps and Fans', securityContactEmail: 'cert@acme.example' })
  })
})

describe('the same field, typed by two people', () => {
  const name = () => page.getByRole('textbox', { name: 'Company name' })
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
  const nameNow = async () => (await adam.call(getCompany)).companyName
  const rename = async (companyName: string) => {
    const { slugFrozenAt: _frozen, ...company } = await adam.call(getCompany)
    await adam.call(changeCompany, { body: { ...company, companyName } })
  }

  it('is not replaced before one has read what the other saved', async () => {
    await open('/settings/company')
    await name().fill('Acme of Olga')
    await rename('Acme of Adam')
    await save()
    await page.getByText('Changed meanwhile to “Acme of Adam”. Saving replaces it.').waitFor()
    expect(await name().inputValue()).toBe('Acme of Olga')
    expect(await nameNow()).toBe('Acme of Adam')
    await expectAccessible(page)
    await save()
    await page.getByText('The settings are saved.').waitFor()
    expect(await nameNow()).toBe('Acme of Olga')
  })

  it('says so as soon as the page has read it', async () => {
    await open('/settings/company')
    await name().fill('Acme of Olga, again')
    await rename('Acme')
    await expect
      .poll(async () => {
        await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
        return page.getByText('Changed meanwhile to “Acme”. Saving replaces it.').isVisible()
      })
      .toBe(true)
    await save()
    await page.getByText('The settings are saved.').waitFor()
    expect(await nameNow()).toBe('Acme of Olga, again')
    await rename('Acme')
  })

  it('counts in the dialog that renames a family, too', async () => {
    const { rows } = await adam.call(listFamilies)
    const [pump] = rows
    const params = { family: pump?.id ?? '' }
    await open(`/families/${params.family}`)
    await page.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const renaming = dialog(/^Rename /)
    await renaming.getByRole('textbox', { name: 'Name' }).fill('Pump of Olga')
    await adam.call(renameFamily, { params, body: { name: 'Pump of Adam' } })
    await renaming.getByRole('button', { name: 'Rename family' }).click()
    await renaming.getByText('Changed meanwhile to “Pump of Adam”. Saving replaces it.').waitFor()
    await renaming.getByRole('button', { name: 'Rename family' }).click()
    await heading('Pump of Olga').waitFor()
    await adam.call(renameFamily, { params, body: { name: 'Pump' } })
  })
})

describe('what is typed while something is on its way', () => {
  it('stays when the comment before it is stored', async () => {
    const incident = await adam.call(openIncident, {
      body: { kind: 'severe_incident', title: 'Signing key lost', families: [] },
    })
    await open(`/incidents/${incident.id}?tab=comments`)
    const text = page.getByRole('textbox', { name: 'Text' })
    const comment = () => page.getByRole('button', { name: 'Comment', exact: true }).click()
    await text.fill('The first one.')
    const sending = await holdBack(page, 'POST', /\/comments$/)
    const readings = await holdBack(page, 'GET', /\/api\/app\/workspaces\//)
    await comment()
    await expect.poll(sending.waiting).toBe(1)
    await sending.letGo()
    await expect.poll(() => text.inputValue()).toBe('')
    await text.fill('The second one.')
    await readings.letGo()
    await page.getByRole('main').getByText('The first one.').waitFor()
    expect(await text.inputValue()).toBe('The second one.')
    const second = await holdBack(page, 'POST', /\/comments$/)
    await comment()
    await expect.poll(second.waiting).toBe(1)
    await text.fill('The third one.')
    await second.letGo()
    await page.getByRole('main').getByText('The second one.').waitFor()
    expect(await text.inputValue()).toBe('The third one.')
  })

  it('stays in a dialog that was opened again before the answer of the first one came', async () => {
    const { rows } = await adam.call(listFamilies)
    await open(`/families/${rows[0]?.id ?? ''}`)
    await heading('Pump').waitFor()
    const rename = async () => {
      await page.getByRole('button', { name: /^Actions for / }).click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
    }
    const name = () => dialog(/^Rename /).getByRole('textbox', { name: 'Name' })
    const sending = await holdBack(page, 'PATCH', /\/families\/[^/]+$/)
    await rename()
    await name().fill('Pump 2')
    await dialog(/^Rename /)
      .getByRole('button', { name: 'Rename family' })
      .click()
    await expect.poll(sending.waiting).toBe(1)
    await name().press('Escape')
    await name().waitFor({ state: 'hidden' })
    await rename()
    await name().fill('Pump 3')
    await sending.letGo()
    await heading('Pump 2').waitFor()
    expect(await name().inputValue()).toBe('Pump 3')
    await name().press('Escape')
  })

  it('is refused in words, also when its dialog has been left', async () => {
    const { rows } = await adam.call(listFamilies)
    const family = rows[0]?.id ?? ''
    await open('/families')
    await page.getByRole('button', { name: 'Create family' }).first().click()
    const create = dialog('Create a family')
    await create.getByRole('textbox', { name: 'Name' }).fill('Valve')
    const sending = await holdBack(page, 'POST', /\/families$/)
    await create.getByRole('button', { name: 'Create family' }).click()
    await expect.poll(sending.waiting).toBe(1)
    await create.getByRole('button', { name: 'Cancel' }).click()
    await create.waitFor({ state: 'hidden' })
    await adam.call(renameFamily, { params: { family }, body: { name: 'Valve' } })
    await sending.letGo()
    await page
      .getByRole('alert')
      .getByText(/Another family of this workspace has this name/)
      .waitFor()
  })
})

it('whoever opens a severe incident that somebody else has just opened is told, and opens another one all the same', async () => {
  const { reference } = await adam.call(openIncident, {
    body: { kind: 'severe_incident', title: 'Update server broken into', families: [] },
  })
  await open('/incidents')
  await page.getByRole('button', { name: 'Open incident' }).click()
  await dialog('Open an incident')
    .getByRole('radio', { name: /^A severe incident/ })
    .click()
  await dialog('Open an incident')
    .getByRole('textbox', { name: /^Title/ })
    .fill('Somebody was in the update server')
  await dialog('Open an incident').getByRole('button', { name: 'Open incident' }).click()
  const told = new RegExp(`^${reference} is open .*“Update server broken into”, opened by Adam at `)
  await dialog('Open an incident').getByText(told).waitFor()
  await expectAccessible(page)
  await scene.picture('another-incident')
  const another = dialog('Open an incident').getByRole('checkbox', { name: /^This is another one/ })
  await another.and(page.locator(':focus')).waitFor()
  await another.click()
  await dialog('Open an incident').getByText(told).waitFor({ state: 'hidden' })
  await dialog('Open an incident').getByRole('button', { name: 'Open incident' }).click()
  await page.getByRole('heading', { level: 1, name: /Somebody was in the update server/ }).waitFor()
})

it('a determination that waits is withdrawn by whoever recorded it: the other person has buttons to decide, and none to withdraw', async () => {
  const { id: incident } = await adam.call(openIncident, {
    body: { kind: 'severe_incident', title: 'Badge reader replaced', families: [], isAnother: true },
  })
  const reasoning = 'The reader opens no door behind which anything is built.'
  const body = { value: 'not_severe', reasoning } as const
  await adam.call(recordDetermination, { params: { incident }, body })
  await open(`/incidents/${incident}`)
  const panel = page.getByRole('main')
  const button = (name: string) => panel.getByRole('button', { name, exact: true })
  await button('Approve').waitFor()
  expect(await button('Withdraw').count()).toBe(0)
  await button('Reject').click()
  await dialog(/./)
    .getByRole('textbox', { name: /Comment|Why/ })
    .fill('The logs of the reader were not looked at yet.')
  await dialog(/./).getByRole('button', { name: 'Reject' }).click()
  await dialog(/./).waitFor({ state: 'hidden' })
  const olga = await scene.elsewhere('olga@acme.example')
  await olga.call(recordDetermination, { params: { incident }, body })
  await page.reload()
  await button('Withdraw').click()
  await page.getByText('The determination is withdrawn.').waitFor()
  await button('Withdraw').waitFor({ state: 'hidden' })
})

it('an earlier time of awareness counts at once and ends the later one that waited: the dialog says so before', async () => {
  const awareAt = new Date(Date.now() - 3 * 3_600_000).toISOString()
  const { id: incident } = await adam.call(openIncident, {
    body: { kind: 'severe_incident', title: 'Mail server read', families: [], isAnother: true, awareAt },
  })
  const later = new Date(Date.now() - 3_600_000).toISOString()
  const reason = 'The first report of it was not credible.'
  await adam.call(changeAwareness, { params: { incident }, body: { awareAt: later, reason } })
  const { reports } = await adam.call(getIncident, { params: { incident } })
  const params = { incident, report: reports[0]?.id ?? '' }
  const { values } = await adam.call(getDraft, { params })
  await adam.call(saveDraft, { params, body: { revision: 0, values } })
  await open(`/incidents/${incident}`)
  const waiting = page.getByRole('heading', { name: 'Another time of awareness waits' })
  await waiting.waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Change the time of awareness' }).click()
  const change = dialog('Change the time of awareness')
  await change.getByText(/waits for a second person. An earlier time that counts at once ends it/).waitFor()
  await expectAccessible(page)
  await scene.picture('earlier-awareness')
  const since = change.getByLabel('Aware since')
  const dayBefore = (typed: string) => new Date(Date.parse(`${typed.slice(0, 10)}T00:00Z`) - 86_400_000)
  await since.fill(
    `${dayBefore(await since.inputValue())
      .toISOString()
      .slice(0, 10)}T12:00`,
  )
  await change.getByRole('textbox', { name: 'Reason' }).fill('A customer had written the day before.')
  await change.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByText('The change is recorded.').waitFor()
  await waiting.waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: /^Timeline/ }).click()
  await page.getByText(/which waited for a second person: an earlier time counts now/).waitFor()
  await page.getByRole('tab', { name: 'Drafts', exact: true }).click()
  await page.getByText(/^Changed since, .*the incident says .*T12:00:00Z$/).waitFor()
  await scene.picture('awareness-in-draft')
  await page.getByRole('button', { name: 'Use it' }).click()
  await expect.poll(async () => (await adam.call(getDraft, { params })).values['i37']).toMatch(/T12:00:00Z$/)
})
