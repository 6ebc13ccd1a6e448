import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowWith } from './support/rows.ts'

let scene: Scene
let page: Page
let sbomId: string

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  sbomId = (await scene.sendSbom(sampleSbom)).id
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
endAfterTests(() => scene)

const field = () => page.getByRole('combobox', { name: 'Search the workspace' })
const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const open = (name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()

it('? shows the keys, and not while somebody types', async () => {
  await page.keyboard.press('Shift+?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.getByRole('rowheader', { name: 'Enter' }).waitFor()
  await scene.look('search-keys', { whole: false })
  await page.keyboard.press('Escape')
  // it fades out, and is a dialog until it is gone
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await field().fill('wh')
  await field().press('Shift+?')
  expect(await field().inputValue()).toBe('wh?')
  expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0)
})

it('the search finds incidents, settings and acts', async () => {
  await field().fill('incident')
  await page.getByRole('option', { name: /Open an incident/ }).waitFor()
  await field().fill('pump')
  await page
    .getByRole('option', { name: /INC-\d+-\d+ .* in Pump/ })
    .first()
    .waitFor()
  await scene.look('search-hits', { whole: false })
  await field().fill('invite')
  await page.getByRole('option', { name: /Invite a member/ }).waitFor()
  await page.getByRole('status').getByText('1 result shown.').waitFor()
  expect(await field().getAttribute('aria-expanded')).toBe('true')
  await field().press('ArrowDown')
  await field().press('Enter')
  await heading('Members').waitFor()
  // by name: the search may still be fading out beside it
  await page.getByRole('dialog', { name: 'Invite a member' }).waitFor()
  await page.getByRole('dialog', { name: 'Search the workspace' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

it('one Escape closes the search, also after a result was chosen with the arrow keys', async () => {
  await page.keyboard.press('/')
  await field().fill('invite')
  await page.getByRole('option', { name: /Invite a member/ }).waitFor()
  await field().press('ArrowDown')
  await field().press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

it('a version in a search is compared by the order of its ecosystem', async () => {
  await open('Components')
  const list = page.getByLabel('Search components')
  await list.fill('log4j-core <2.15')
  await rowWith(page, /log4j-core/)
    .first()
    .waitFor()
  await scene.look('search-versions')
  await list.fill('log4j-core <2.9')
  await rowWith(page, /log4j-core/)
    .first()
    .waitFor({ state: 'detached' })
})

it('Back undoes a filter, and typing is one step', async () => {
  await open('Vulnerabilities')
  await heading('Vulnerabilities').waitFor()
  await page.getByRole('button', { name: 'Critical' }).click()
  await page.waitForURL(/severity=critical/)
  await page.getByRole('button', { name: 'EPSS' }).click()
  await page.waitForURL(/sort=epss/)
  const search = page.getByLabel('Search vulnerabilities')
  for (const words of ['log', 'log4', 'log4j']) {
    await search.fill(words)
    await page.waitForURL(new RegExp(`search=${words}(&|$)`))
  }
  await page.goBack()
  await page.waitForURL((url) => url.search.includes('sort=epss') && !url.search.includes('search='))
  await expect.poll(() => search.inputValue()).toBe('')
  await page.goBack()
  await page.waitForURL((url) => url.search === '?severity=critical')
  await page.goBack()
  await page.waitForURL((url) => url.search === '')
  await heading('Vulnerabilities').waitFor()
})

it('the arrow keys go on from the row that has the focus, however it got there', async () => {
  for (const name of ['Sources', 'Vulnerabilities']) {
    await open(name)
    await heading(name).waitFor()
    await page.locator('[data-row="2"] [data-row-link]').focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('[data-row="3"] [data-row-link]:focus').waitFor()
  }
})

it('Back closes a drawer, and so do Escape and its button, without a step that is left over', async () => {
  await open('Vulnerabilities')
  await heading('Vulnerabilities').waitFor()
  await page.goto(`${scene.service.baseUrl}/app/acme/sboms/${sbomId}`)
  const drawer = page.getByRole('dialog')
  const closed = async () => {
    await drawer.waitFor({ state: 'hidden' })
    await page.waitForURL((url) => url.pathname.endsWith(sbomId) && url.search === '')
  }
  const openFirst = async () => {
    await rowWith(page, /log4j-core/)
      .first()
      .click()
    await page.waitForURL(/finding=/)
    await drawer.waitFor()
  }
  await openFirst()
  await page.goBack()
  await closed()
  await page.goForward()
  await drawer.waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await closed()
  await openFirst()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await closed()
  await page.goBack()
  await heading('Vulnerabilities').waitFor()
})

it('the list of vulnerabilities is saved as a file', async () => {
  await page.getByRole('button', { name: 'Export vulnerabilities' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /CSV/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^acme-vulnerabilities-\d{4}-\d{2}-\d{2}\.csv$/)
  await scene.look('vulnerabilities-export')
})
