import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './support/browser.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  await scene.sendSbom(sampleSbom)
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
endAfterTests(() => scene)

const patience = { timeout: 480_000 }

const saved = (on: Page) => on.getByRole('status').getByText('Saved', { exact: true })

async function publish(kind: RegExp | undefined, summary: string): Promise<void> {
  await page.getByRole('button', { name: 'Save draft' }).click()
  await saved(page).waitFor()
  await page.getByRole('button', { name: 'Publish…' }).click()
  const dialog = page.getByRole('dialog')
  if (kind !== undefined) await dialog.getByRole('radio', { name: kind }).check()
  await dialog.getByRole('textbox', { name: 'What is new' }).fill(summary)
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('cell', { name: summary }).waitFor()
}

it('a list without any advisory says how to begin one', patience, async () => {
  await page.goto(`${scene.service.baseUrl}/app/acme/advisories`)
  await page.getByText('No advisory has been written so far.').waitFor()
  await scene.look('advisories-empty-list')
})

it(
  'an advisory is begun on a vulnerability, written beside its preview, published, updated and corrected',
  patience,
  async () => {
    await page.goto(`${scene.service.baseUrl}/app/acme/vulnerabilities/CVE-2021-44228`)
    await page.getByRole('button', { name: 'Write an advisory' }).click()
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.waitFor()
    expect(await title.inputValue()).toBe('CVE-2021-44228 in Pump')
    await title.fill('Overflow <b>in</b> pumps')
    const status = page.getByRole('combobox', { name: /^Status of / })
    expect(await status.inputValue()).toBe('under_investigation')
    // by keyboard: the first letter of the status
    await status.focus()
    await page.keyboard.type('A')
    await page.getByText(/Say what users of .* can do/).waitFor()
    await page.getByRole('tab', { name: /^Tests: \d/ }).click()
    await scene.look('advisories-editor')
    await page
      .getByRole('listitem')
      .filter({ hasText: /Say what users of/ })
      .getByRole('button', { name: 'Go to the field' })
      .click()
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Remediations')
    await page.getByRole('button', { name: 'Add remediation' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Kind')
    await page.getByRole('textbox', { name: 'What to do' }).fill('Update to 2.0.')
    await page.getByText('The document passes every mandatory test').waitFor()
    await page.getByRole('tab', { name: 'Document' }).click()
    await page.getByLabel('The document as JSON').getByText('"csaf_vex"').waitFor()
    await page.getByRole('tab', { name: 'Page' }).click()
    const preview = page.frameLocator('iframe[title="Preview of the page"]')
    await preview.getByRole('heading', { name: 'Overflow <b>in</b> pumps' }).waitFor()
    // the keyboard goes through the panel into the page within
    await page.getByRole('tab', { name: 'Page' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.title')).toBe('Preview of the page')
    const ring = () =>
      page.evaluate<string>('getComputedStyle(document.querySelector("iframe")).outlineStyle')
    await expect.poll(ring).toBe('solid')
    await page.getByRole('tab', { name: 'Page' }).focus()
    await expect.poll(ring).toBe('none')
    await scene.look('advisories-ready')
    await publish(undefined, 'First publication of it.')
    const link = page.getByRole('link', { name: 'Public page' })
    await link.waitFor()
    const header = page.getByRole('main').locator('header')
    await header.getByRole('heading', { name: 'Overflow <b>in</b> pumps', level: 1 }).waitFor()
    await header.getByText(/^ACME-SA-\d{4}-0001$/).waitFor()
    await scene.look('advisories-published')

    const stranger = await page.context().browser()?.newPage()
    if (stranger === undefined) throw new Error('no browser')
    await stranger.goto((await link.getAttribute('href')) ?? '')
    await stranger.getByRole('heading', { name: 'Overflow <b>in</b> pumps' }).waitFor()
    await expectAccessible(stranger)
    const address =
      (await stranger.locator('link[rel=alternate][type="application/json"]').getAttribute('href')) ?? ''
    const served = async () => (await fetch(new URL(address, stranger.url()))).json()
    expect(await served()).toMatchObject({ document: { tracking: { version: '1.0.0' } } })

    await page.getByRole('button', { name: 'Write a new version' }).click()
    await title.fill('Overflow in all pumps')
    await publish(/^Update/, 'More pumps are known.')
    expect(await served()).toMatchObject({ document: { tracking: { version: '1.1.0' } } })

    await page.getByRole('button', { name: 'Write a new version' }).click()
    await title.fill('Overflow in every pump')
    await publish(/^Correction/, 'A better title.')
    await page.getByText('1.1.1', { exact: true }).waitFor()
    expect(await served()).toMatchObject({ document: { tracking: { version: '1.1.1' } } })
    await stranger.reload()
    await stranger.getByRole('heading', { name: 'Overflow in every pump' }).waitFor()
  },
)
