import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { archiveFamily, getFamily, listFamilies, retireVersion } from '../src/contract/products/operations.ts'
import type { FamilyDetail } from '../src/contract/products/shapes.ts'
import type { AppSession } from '../test/support/app-session.ts'
import { expectAccessible } from './support/browser.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
/** The same person in another browser: the open page does not know what is done there. */
let elsewhere: AppSession
let family: FamilyDetail

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  await scene.sendSbom(sampleSbom)
  await scene.sendSbom(sampleSbom.replaceAll('"2.4.1"', '"2.5.0"'))
  await scene.signIn(page, 'olga@acme.example')
  const olga = { email: 'olga@acme.example', name: 'Olga', role: 'owner', password: 'correct horse battery' }
  await scene.service.cli(['provision'], {
    workspaces: [
      {
        slug: 'second',
        companyName: 'Second',
        securityContactEmail: 'security@second.example',
        plan: 'core',
        members: [olga],
        families: [],
      },
    ],
  })
  elsewhere = await scene.elsewhere('olga@acme.example')
  const { rows } = await elsewhere.call(listFamilies)
  const id = rows[0]?.id ?? ''
  family = await elsewhere.call(getFamily, { params: { family: id } })
}, 240_000)
endAfterTests(() => scene)

async function choose(menu: string, item: string, before: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: menu }).click()
  const entry = page.getByRole('menuitem', { name: item })
  await entry.waitFor()
  await before()
  await entry.click()
}

const message = (words: string) => page.getByRole('alert').getByText(words).waitFor()

const menus = [
  { name: 'of a family', button: 'Actions for Pump', item: 'Archive' },
  { name: 'of a version', button: 'Actions for version 2.4.1', item: 'Make current', fromPx: 768 },
  { name: 'of the colours', button: 'Colours: System', item: 'Dark' },
  { name: 'of the account', button: 'Account', item: 'Sign out' },
  { name: 'of the workspaces', button: 'Acme', item: 'Second' },
]

describe.each([360, 1280])('on a screen of %i px', (width) => {
  it.each(menus.filter(({ fromPx = 0 }) => fromPx <= width))(
    'the menu $name is part of the page, whole on the screen, and closes',
    async (menu) => {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${scene.service.baseUrl}/app/acme/families/${family.id}`)
      await page.getByRole('heading', { name: 'Pump', level: 1 }).waitFor()
      const button = page.getByRole('button', { name: menu.button, exact: true })
      const pages = page.getByRole('button', { name: 'Pages', exact: true })
      const isInPages = width < 600 && menu.name === 'of the workspaces'
      if (isInPages) await pages.click()
      expect(await button.getAttribute('aria-haspopup')).toBe('menu')
      await button.focus()
      await page.keyboard.press('Enter')
      const item = page.getByRole('menu').getByText(menu.item, { exact: true })
      await item.waitFor()
      await expectAccessible(page)
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await scene.picture(`menu ${menu.name}-${colorScheme}-${width}`)
      }
      const { x, width: wide } = (await item.boundingBox()) ?? { x: -1, width: 0 }
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + wide).toBeLessThanOrEqual(width)
      await item.click({ trial: true })
      await page.keyboard.press('Escape')
      await item.waitFor({ state: 'hidden' })
      // on a phone the sidebar may close with it
      const openers = isInPages ? button.or(pages) : button
      await expect.poll(() => openers.and(page.locator(':focus')).count()).toBe(1)
    },
  )
})

it('says that a version could not be made the current one', async () => {
  await page.goto(`${scene.service.baseUrl}/app/acme/families/${family.id}`)
  const context = page.context()
  await choose('Actions for version 2.4.1', 'Make current', () => context.setOffline(true))
  await message('Check the connection, then try again.')
  await context.setOffline(false)
})

it('says that a version could not be restored', async () => {
  const params = { family: family.id, version: family.versions.find(({ name }) => name === '2.4.1')?.id }
  await elsewhere.call(retireVersion, { params })
  await page.reload()
  const context = page.context()
  await choose('Actions for version 2.4.1', 'Restore', () => context.setOffline(true))
  await message('Check the connection, then try again.')
  await scene.picture('refused-in-menus')
  await context.setOffline(false)
})

it('says that a family could not be restored', async () => {
  await elsewhere.call(archiveFamily, { params: { family: family.id } })
  await page.goto(`${scene.service.baseUrl}/app/acme/families/${family.id}`)
  await choose('Actions for Pump', 'Restore', () => page.context().setOffline(true))
  await message('Check the connection, then try again.')
})

it('a dialog that is opened from a menu gives the focus back to its button', async () => {
  await page.context().setOffline(false)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${scene.service.baseUrl}/app/acme/families/${family.id}`)
  const button = page.getByRole('button', { name: 'Actions for Pump', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Rename' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.getAttribute("aria-label")'))
    .toBe('Actions for Pump')
})
