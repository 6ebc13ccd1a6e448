import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/browser.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowAt } from './support/rows.ts'

const further = 1_000

let scene: Scene
let page: Page

/** `Pump` has an SBOM with findings; a thousand others have none. */
beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  await scene.service.cli(['provision'], {
    workspaces: [
      {
        slug: 'acme',
        companyName: 'Acme',
        securityContactEmail: 'security@acme.example',
        plan: 'core',
        families: Array.from({ length: further }, (_, n) => ({
          name: `Fan ${String(n + 1).padStart(4, '0')}`,
        })),
      },
    ],
  })
  await scene.sendSbom(sampleSbom)
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
endAfterTests(() => scene)

const table = () => page.getByRole('table', { name: 'Families' })
const firstRow = (name: string) => rowAt(table(), 1).getByText(name, { exact: true }).waitFor()
const note = (words: string) => page.getByRole('status').getByText(words, { exact: true }).waitFor()
const sortBy = (name: string) => table().getByRole('button', { name }).click()
const search = () => page.getByRole('searchbox', { name: 'Search families' })

describe('a thousand families', () => {
  it('are listed by name and read on while they are scrolled', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Families' }).click()
    await firstRow('Fan 0001')
    await note('1 001 families')
    await expectAccessible(page)
    await scene.picture('families')
    await table().getByRole('link', { name: 'Fan 0001' }).focus()
    const second = table().getByText('Fan 0200', { exact: true })
    await expect
      .poll(
        async () => {
          await page.keyboard.press('End')
          return second.count()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
  })

  it('are sorted by the server, and the address keeps it', async () => {
    await sortBy('Findings')
    await page.waitForURL(/sort=findings/)
    await firstRow('Pump')
    await page.reload()
    await firstRow('Pump')
    await sortBy('Last upload')
    await page.waitForURL(/sort=upload/)
    await firstRow('Pump')
    await sortBy('Family')
    await page.waitForURL((url) => !url.search.includes('sort'))
    // the address changes before the heading does, which says what the next press asks for
    await table().locator('th[aria-sort=ascending]').getByRole('button', { name: 'Family' }).waitFor()
    await sortBy('Family')
    await page.waitForURL(/sort=-name/)
    await firstRow('Pump')
  })

  it('are searched, which the address keeps and the way back too', async () => {
    await search().fill('fan 099')
    await page.waitForURL(/search=fan/)
    await note('10 of 1 001 families')
    await firstRow('Fan 0999')
    await scene.picture('families-found')
    await table().getByRole('link', { name: 'Fan 0995' }).click()
    await page.getByRole('heading', { name: 'Fan 0995', level: 1 }).waitFor()
    await page.goBack()
    await note('10 of 1 001 families')
    await expect.poll(() => search().inputValue()).toBe('fan 099')
    await firstRow('Fan 0999')
  })

  it('without the name are shown again with one press', async () => {
    await search().fill('<b>100%</b>')
    await page.getByText('No family has a matching name.').waitFor()
    await note('0 of 1 001 families')
    await expectAccessible(page)
    await scene.picture('families-none')
    await page.getByRole('link', { name: 'Show all families' }).click()
    await note('1 001 families')
    await expect.poll(() => search().inputValue()).toBe('')
  })

  it('are all offered where one is chosen', async () => {
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Vulnerabilities' })
      .click()
    const choice = page.getByRole('combobox', { name: 'Product family' })
    await choice.selectOption({ label: 'Fan 1000' })
    await page.waitForURL(/family=/)
  })
})

it.each([
  [1280, 'light'],
  [1280, 'dark'],
  [360, 'light'],
  [360, 'dark'],
] as const)('the list at %i px in %s', async (width, colorScheme) => {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 900 })
  await page.goto(`${scene.service.baseUrl}/app/acme/families?sort=exploited`)
  await firstRow('Pump')
  const [shown, needed] = await page.evaluate<[number, number]>(
    '[document.documentElement.clientWidth, document.documentElement.scrollWidth]',
  )
  expect(needed).toBe(shown)
  await expectAccessible(page)
  await scene.picture(`families-${width}-${colorScheme}`)
})

it('the tabs of a family are one line on a phone, with the open one in it', async () => {
  const { rows } = await scene.store.query<{ id: string }>(`select id from family where name = 'Pump'`)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${scene.service.baseUrl}/app/acme/families/${rows[0]?.id ?? ''}?tab=upload`)
  const tabs = page.getByRole('tab')
  await tabs.first().waitFor()
  const boxes = await Promise.all((await tabs.all()).map((tab) => tab.boundingBox()))
  expect(new Set(boxes.map((box) => box?.y)).size, 'lines of tabs').toBe(1)
  const open = await page.getByRole('tab', { name: 'Upload', selected: true }).boundingBox()
  expect((open?.x ?? 0) + (open?.width ?? 0)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
})

it('the severities of a family are all there on a phone, also the unknown one', async () => {
  const { rows } = await scene.store.query<{ id: string }>(`select id from family where name = 'Pump'`)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${scene.service.baseUrl}/app/acme/families/${rows[0]?.id ?? ''}`)
  await page.getByText('By severity').filter({ visible: true }).waitFor()
  const counts = page.getByTitle(/^\d+ (Critical|High|Medium|Low|Unknown)/).filter({ visible: true })
  const open = await page.getByText('Open findings').locator('..').innerText()
  const titles = await Promise.all((await counts.all()).map((slot) => slot.getAttribute('title')))
  const shown = titles.map((title) => Number.parseInt(title ?? '', 10))
  expect(shown.reduce((sum, count) => sum + count, 0)).toBe(Number(open.replaceAll(/\D/g, '')))
})
