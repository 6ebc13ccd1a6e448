import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { changeProductFacts, listFamilies } from '../src/contract/products/operations.ts'
import { getIncident, listIncidents, openIncident } from '../src/contract/incidents/operations.ts'
import type { AppSession } from '../test/support/app-session.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
let olga: AppSession
let family: string
let matched: string

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  olga = await scene.elsewhere('olga@acme.example')
  const families = await olga.call(listFamilies)
  family = families.rows[0]?.id ?? ''
  await scene.sendSbom(sampleSbom)
  matched = await vi.waitFor(
    async () => {
      const body = await olga.call(listIncidents, { query: { vulnerability: 'CVE-2021-44228' } })
      const [incident] = body.rows
      if (incident === undefined) throw new Error('no incident yet')
      return incident.id
    },
    { timeout: 120_000, interval: 100 },
  )
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
endAfterTests(() => scene)

const show = (path: string) => page.goto(`${scene.service.baseUrl}/app/acme/${path}`)

describe('the page of an incident', () => {
  it('says what the flaw is, what fixes it, what CISA demands and whether ransomware uses it', async () => {
    await show(`incidents/${matched}`)
    await page
      .getByText(/Remote code execution through log messages/)
      .first()
      .waitFor()
    await page.getByText(/^log4j-core 2\.14\.1: fixed in 2\.15\.0$/).waitFor()
    await page
      .getByText(/^CISA demands a fix by/)
      .first()
      .waitFor()
    await page
      .getByText(/ransomware campaigns/)
      .first()
      .waitFor()
    await page
      .getByText(/^Required action:/)
      .first()
      .waitFor()
    await scene.look('r0-incident')
  })
})

describe('what is the same in every report', () => {
  it('is entered once on the family, and every draft begins with it', async () => {
    await show(`families/${family}`)
    await page.getByRole('tab', { name: 'Product facts' }).click()
    await page.getByText('nothing entered yet').waitFor()
    await page
      .getByLabel(/^Member States/)
      .first()
      .fill('Norw')
    await page.getByRole('option', { name: 'Norway' }).click()
    await page.keyboard.press('Escape')
    await page.getByLabel(/^Product type/).selectOption('Important')
    await page.getByLabel(/^Product class/).selectOption('Class I')
    await page.getByLabel(/^Product category/).fill('Industrial firewalls')
    await page.getByLabel(/^Last day of the support period/).fill('2036-12-31')
    await page.getByLabel(/^Contact for users/).fill('support@acme.example')
    await page.getByRole('button', { name: 'Save product facts' }).click()
    await page.getByText(/^changed by Olga/).waitFor()
    await scene.look('r1-product-facts')

    await show(`incidents/${matched}?tab=drafts`)
    await page.getByText('Member States, product type and the end of support are kept with').waitFor()
    await expect
      .poll(() => page.getByRole('combobox', { name: /Product class/ }).inputValue())
      .toBe('class_1')
    await expect
      .poll(() => page.getByRole('textbox', { name: /Product category/ }).inputValue())
      .toBe('Industrial firewalls')
    await scene.look('r2-draft')
  })

  it('a saved draft says what has changed since, and takes it over', async () => {
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText(/^Saved by Olga, /).waitFor()
    await olga.call(changeProductFacts, { params: { family }, body: { category: 'Routers' } })
    await page.reload()
    await page.getByText(/^Changed since, .*the product facts of the family say Routers$/).waitFor()
    await scene.look('r3-changed-since')
    await page.getByRole('button', { name: 'Use it' }).click()
    await expect
      .poll(() => page.getByRole('textbox', { name: /Product category/ }).inputValue())
      .toBe('Routers')
    expect(await page.getByText(/^Changed since/).count()).toBe(0)
  })
})

describe('a financial entity', () => {
  it('says once what it is: every report begins with it, and its page says what holds on a weekend', async () => {
    await show('settings/regimes')
    await page.getByLabel('We are a financial entity.').check()
    await page.getByLabel(/^LEI of the financial entity/).fill('5299 wrong')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^An LEI has 20 letters and digits/).waitFor()
    await page.getByLabel(/^LEI of the financial entity/).fill('5493001kjtiigc8y1r12')
    await page.getByLabel(/^Type of financial entity/).fill('Payment institution')
    await page.getByLabel(/^Reporting currency/).fill('eur')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The settings are saved.').waitFor()
    await scene.look('r4-dora-settings')

    await show(`incidents/${matched}`)
    await page.getByText('Not classified yet.').waitFor()
    const classification = page.getByRole('region', { name: 'Classification (DORA)' })
    await classification.getByRole('button', { name: 'Record determination' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Major incident/ }).check()
    await dialog.getByLabel(/^Why/).fill('More clients are affected than the threshold says.')
    await dialog.getByRole('button', { name: 'Record determination' }).click()
    await page.getByText('The determination is recorded.').waitFor()
    const detail = await olga.call(getIncident, { params: { incident: matched } })
    const report = detail.reports.find(({ report: stage }) => stage === 'initial_notification')
    await show(`incidents/${matched}?tab=drafts&report=${report?.id ?? ''}`)
    await page.getByText(/by noon of the next working day/).waitFor()
    await page.getByText('The deadline shown here stays as it is.').waitFor()
    await expect
      .poll(() => page.getByRole('textbox', { name: /^LEI of the financial entity/ }).inputValue())
      .toBe('5493001KJTIIGC8Y1R12')
    await scene.look('r5-dora-draft')
  })
})

describe('how the reporting platform works in practice', () => {
  it('is said where the workspace gets ready, and in a drill, as what users reported', async () => {
    await show('')
    await page.getByText('How the reporting platform works in practice').click()
    await page.getByText('Reported by users in September 2026. Check it on the platform.').waitFor()
    await scene.look('r6-readiness')
    const drill = { kind: 'severe_incident' as const, title: 'Practice', families: [], isExercise: true }
    const opened = await olga.call(openIncident, { body: drill })
    await show(`incidents/${opened.id}`)
    await page.getByText('How the reporting platform works in practice').click()
    await page.getByText(/has none for the final report/).waitFor()
    await scene.look('r7-drill')
  })
})

describe('a submission whose receipt could not be stored', () => {
  it('is recorded once, says so, and takes the receipt later', async () => {
    const { id } = await olga.call(openIncident, {
      body: { kind: 'severe_incident', title: 'Update server taken over', families: [] },
    })
    await show(`incidents/${id}`)
    await page.getByRole('button', { name: 'Record submission' }).first().click()
    const form = page.getByRole('dialog')
    const file = { name: 'receipt.txt', mimeType: 'text/plain', buffer: Buffer.from('received') }
    const choose = async () => {
      const chooser = page.waitForEvent('filechooser')
      await form.getByRole('button', { name: 'Receipt', exact: true }).click()
      await (await chooser).setFiles(file)
    }
    await choose()
    await page.route(/\/receipt\?/, (route) => route.abort())
    await form.getByRole('button', { name: 'Record submission' }).click()
    const told = page.getByRole('dialog', { name: 'What was done' })
    await told.getByText(/Recorded without its receipt for 1 incident/).waitFor()
    await scene.look('receipt-not-stored', { whole: false })
    expect((await olga.call(getIncident, { params: { incident: id } })).submissions).toHaveLength(1)
    await page.unroute(/\/receipt\?/)
    await told.getByRole('button', { name: 'Close' }).click()
    await show(`incidents/${id}?tab=submissions`)
    await page.getByRole('button', { name: 'Add receipt' }).click()
    await choose()
    await scene.look('add-receipt', { whole: false })
    await form.getByRole('button', { name: 'Add receipt' }).click()
    await page.getByRole('main').getByRole('button', { name: 'Receipt', exact: true }).waitFor()
    const { submissions } = await olga.call(getIncident, { params: { incident: id } })
    expect(submissions.map(({ receiptName }) => receiptName)).toEqual(['receipt.txt'])
  })
})
