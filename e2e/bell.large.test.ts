import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', viewer: 'Vera' })
  page = scene.page
  await scene.sendSbom(sampleSbom)
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
endAfterTests(() => scene)

const bell = (words: RegExp) => page.getByRole('button', { name: words })

it('the bell counts, shows, marks as read and leads to what it tells of', { timeout: 180_000 }, async () => {
  await bell(/^Notifications, [1-9]/).waitFor()
  await bell(/^Notifications, /).click()
  const panel = page.getByRole('region', { name: 'Notifications' })
  const signIn = panel.getByRole('link', { name: /signed in to from a new address/ })
  await signIn.waitFor()
  await scene.look('bell', { whole: false })
  const before = await panel.getByRole('img', { name: 'unread', exact: true }).count()
  await panel.getByRole('button', { name: /^Mark as read: Your account/ }).click()
  await expect.poll(() => panel.getByRole('img', { name: 'unread', exact: true }).count()).toBe(before - 1)
  if (before > 1) await panel.getByRole('button', { name: 'Mark all as read' }).click()
  await bell(/^Notifications$/).waitFor()
  await signIn.click()
  await page.getByRole('heading', { name: 'Account and security' }).waitFor()
})

it(
  'a member chooses what comes by mail, and the application says when mail goes nowhere',
  { timeout: 180_000 },
  async () => {
    await page.goto(`${scene.service.baseUrl}/app/acme`)
    await page.getByText('No mail is sent:').waitFor()
    await scene.look('mail-notice', { whole: false })
    await bell(/^Notifications/).click()
    await page.getByRole('link', { name: 'Your notifications' }).click()
    await page.getByRole('heading', { name: 'Your notifications', level: 1 }).waitFor()
    const choice = (name: string) => page.getByRole('combobox', { name: `Mail: ${name}` })
    await choice('Deadline warning').waitFor()
    expect(await choice('Deadline warning').locator('option').allTextContents()).toEqual(['At once', 'Never'])
    expect(await choice('New findings').locator('option').allTextContents()).toEqual([
      'Daily digest',
      'Never',
    ])
    await scene.look('choices', { whole: false })
    await choice('Incident opened').selectOption('Daily digest')
    await page.getByText('Incident opened: daily digest.').waitFor()
    await choice('Deadline warning').selectOption('Never')
    await page.getByText('Nobody would receive deadline warnings by mail').waitFor()
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo')
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
    await page.getByText('Saved.').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Your notifications', level: 1 }).waitFor()
    await expect.poll(() => choice('Incident opened').inputValue()).toBe('digest')
    await expect.poll(() => page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Asia/Tokyo')
    await page.goto(`${scene.service.baseUrl}/app/acme/settings/tokens`)
    await page.getByText('Nobody would receive deadline warnings by mail').waitFor()
  },
)
