import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteAdvisoryDraft, getAdvisory, saveAdvisoryDraft } from '../src/contract/advisories/operations.ts'
import type { AppSession } from '../test/support/app-session.ts'
import { holdBack } from './support/hold-back.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowWith } from './support/rows.ts'

let scene: Scene
let page: Page
/** Another member, in another browser: sends what the application would. */
let erik: AppSession
let params: { advisory: string }

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', editor: 'Erik' })
  page = scene.page
  await scene.sendSbom(sampleSbom)
  erik = await scene.elsewhere('erik@acme.example')
  await scene.signIn(page, 'olga@acme.example')
  await page.goto(`${scene.service.baseUrl}/app/acme/vulnerabilities/CVE-2021-44228`)
  await page.getByRole('button', { name: 'Write an advisory' }).click()
  await title().waitFor()
  params = { advisory: new URL(page.url()).pathname.split('/').at(-1) ?? '' }
}, 300_000)
endAfterTests(() => scene)

const title = () => page.getByRole('textbox', { name: 'Title', exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const saved = () => page.getByRole('status').getByText('Saved', { exact: true })

const stored = () => erik.call(getAdvisory, { params })

/** Saves the stored draft with another title. */
async function saveAsErik(words: string): Promise<void> {
  const { draft } = await stored()
  if (draft === null) throw new Error('there is no draft')
  const body = { revision: draft.revision, content: { ...draft.content, title: words } }
  await erik.call(saveAdvisoryDraft, { params, body })
}

describe('two who write one draft', () => {
  const differences = () => page.getByRole('table', { name: 'What differs' })

  it('the later one sees what differs, and loses nothing of what was typed', async () => {
    await title().fill('Log4Shell in pumps')
    await saveAsErik('Remote code in the pump')
    await button('Save draft').click()
    await page.getByText('Erik saved it since you opened it. Yours is not saved yet.').waitFor()
    const row = rowWith(differences(), /title/)
    await expect
      .poll(() => row.getByRole('cell').allTextContents())
      .toEqual([expect.stringContaining('title'), 'Log4Shell in pumps', 'Remote code in the pump'])
    expect(await title().inputValue()).toBe('Log4Shell in pumps')
    expect((await stored()).draft?.content.title).toBe('Remote code in the pump')
    await scene.look('advisory-conflict')
  })

  it('keeping one’s own text replaces what was saved', async () => {
    await button('Replace it with mine').click()
    await saved().waitFor()
    await differences().waitFor({ state: 'hidden' })
    expect((await stored()).draft?.content.title).toBe('Log4Shell in pumps')
  })

  it('going on with the saved text puts it into the editor', async () => {
    await title().fill('A third title')
    await saveAsErik('Pump controller runs foreign code')
    await button('Save draft').click()
    await differences().waitFor()
    await button('Continue with the saved one').click()
    await expect.poll(() => title().inputValue()).toBe('Pump controller runs foreign code')
    await saved().waitFor()
    await differences().waitFor({ state: 'hidden' })
    expect(await page.getByText('Erik has changed the draft').count()).toBe(0)
  })

  it('who has typed nothing is shown the newer text, and told', async () => {
    await page.clock.install()
    await page.reload()
    await saved().waitFor()
    const news = page.getByRole('status', { name: 'Newer text' })
    expect(await news.textContent()).toBe('')
    await saveAsErik('Foreign code in the pump')
    await page.clock.fastForward(15_000)
    await news.getByText(/^Newer text, saved by Erik, \d\d:\d\d \w+ today\. It is shown here\.$/).waitFor()
    expect(await title().inputValue()).toBe('Foreign code in the pump')
    await page.clock.resume()
  })
})

it('text is saved as it is pasted from a word processor or a PDF file', async () => {
  await title().fill('Log4Shell\vin\u0002 pumps')
  await button('Save draft').click()
  await expect.poll(async () => (await stored()).draft?.content.title).toBe('Log4Shell in pumps')
  await saved().waitFor()
})

it('advice on a score leads to its vector, not to the list of scores', async () => {
  const vectors = page.getByRole('textbox', { name: 'Vector', exact: true })
  if ((await vectors.count()) === 0) await button('Add score').click()
  await vectors.first().fill('CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')
  await page.getByRole('combobox', { name: /^Status of / }).selectOption('affected')
  await page.getByRole('tab', { name: /^Tests/ }).click()
  const advice = page.getByRole('list', { name: 'Advice' }).getByRole('listitem')
  const link = advice
    .filter({ hasText: 'CVE-2021-44228: The score is of CVSS 3.0' })
    .getByRole('button', { name: 'Go to the field' })
  await link.click({ timeout: 120_000 })
  await expect.poll(() => page.evaluate('document.activeElement.value')).toMatch(/^CVSS:3\.0/)
  await page.getByRole('tab', { name: 'Page' }).click()
})

it('cannot be published while one of its tests fails, and says so', async () => {
  await page.getByRole('tab', { name: /^Tests: \d/ }).waitFor()
  await button('Save draft').click()
  await saved().waitFor()
  await page
    .getByRole('button', {
      name: 'Publish…',
      description: /^\d+ tests? of the draft fails?: see “Tests” beside it\.$/,
    })
    .waitFor()
  await button('Publish…').click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
})

it('what keeps it from being published is told by the name of the vulnerability', async () => {
  // without a preview nobody knows before
  await page.route(/\/preview$/, (route) => route.abort())
  await page.reload()
  await button('Publish…').click()
  const dialog = page.getByRole('dialog', { name: /^Publish / })
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await dialog.getByRole('alert').getByText('CVE-2021-44228, remediations', { exact: true }).waitFor()
  await scene.picture('advisory-refused')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.unroute(/\/preview$/)
  await page.getByRole('combobox', { name: /^Status of / }).selectOption('under_investigation')
  await button('Save draft').click()
  await saved().waitFor()
})

describe('the ID of an advisory', () => {
  const dialog = () => page.getByRole('dialog', { name: /^Change the ID of / })
  const id = () => dialog().getByRole('textbox', { name: 'ID' })

  it('can be changed until it is published, to one that fits and is free', async () => {
    await button('Change the ID').click()
    await id().fill('PUMP 7')
    await dialog().getByRole('button', { name: 'Change the ID' }).click()
    await expect.poll(() => id().getAttribute('aria-invalid')).toBe('true')
    await scene.look('advisory-id')
    await id().fill('PUMP-2026.7')
    await dialog().getByRole('button', { name: 'Change the ID' }).click()
    await page.getByRole('button', { name: 'Copy ID' }).waitFor()
    await page.getByRole('main').locator('header').getByText('PUMP-2026.7', { exact: true }).waitFor()
    expect((await stored()).trackingId).toBe('PUMP-2026.7')
  })

  it('is that of a draft which is reviewed and taken back, and each step is told', async () => {
    for (const [verb, told] of [
      ['Send to review', 'The draft waits for its review.'],
      ['Approve', 'The draft is approved.'],
      ['Take back to draft', 'It is a draft again.'],
    ] as const) {
      await button(verb).click()
      await page.getByText(told).waitFor()
    }
  })

  it('is fixed once it is published, without reading again after the save', async () => {
    await page.getByRole('combobox', { name: /^Status of / }).selectOption('affected')
    await button('Add remediation').click()
    await page.getByRole('textbox', { name: 'What to do' }).fill('Update to 2.4.2.')
    const readings = await holdBack(page, 'GET', new RegExp(`/advisories/${params.advisory}$`))
    await button('Save draft').click()
    await saved().waitFor()
    await expect.poll(readings.waiting).toBeGreaterThan(0)
    await button('Publish…').click()
    const publishing = page.getByRole('dialog')
    await publishing.getByRole('textbox', { name: 'What is new' }).fill('First publication.')
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/publish'))
    await publishing.getByRole('button', { name: 'Publish', exact: true }).click()
    expect((await answered).status()).toBe(200)
    await readings.letGo()
    await page.getByRole('link', { name: 'Public page' }).waitFor()
    expect(await button('Change the ID').count()).toBe(0)
    await button('Write a new version').click()
    await title().waitFor()
    expect(await button('Change the ID').count()).toBe(0)
  })
})

it('what is typed into a draft stays when somebody else deletes it, and can be put into the next one', async () => {
  await title().fill('Typed as it was deleted')
  const { draft } = await stored()
  await erik.call(deleteAdvisoryDraft, { params, query: { revision: draft?.revision ?? 0 } })
  await button('Save draft').click()
  await page.getByText('This draft has been published or deleted').waitFor()
  expect(await title().inputValue()).toBe('Typed as it was deleted')
  await scene.look('advisory-draft-gone', { whole: false })
  await button('Write a new version').click()
  await button('Replace it with mine').click()
  await saved().waitFor()
  expect((await stored()).draft?.content.title).toBe('Typed as it was deleted')
  await title().fill('Typed and not wanted')
  const { draft: next } = await stored()
  await erik.call(deleteAdvisoryDraft, { params, query: { revision: next?.revision ?? 0 } })
  await button('Save draft').click()
  await button('Discard what I typed').click()
  await title().waitFor({ state: 'hidden' })
})
