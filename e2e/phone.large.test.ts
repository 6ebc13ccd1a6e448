import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene } from './support/scene.ts'

let scene: Scene
let phone: Page

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', viewer: 'Vera' })
  const browser = scene.page.context().browser()
  if (browser === null) throw new Error('the scene has a browser')
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  phone = await context.newPage()
  await scene.signIn(phone, 'vera@acme.example')
}, 120_000)
afterAll(async () => {
  await scene.close()
}, 60_000)

describe('an act that a role may not do, on a phone', () => {
  it('says why when it is tapped, until something else is', async () => {
    await phone.goto(`${scene.service.baseUrl}/app/acme/families`)
    const reason = phone.getByRole('tooltip')
    await phone.getByRole('button', { name: 'Create family' }).tap({ force: true })
    await reason.waitFor()
    expect(await reason.textContent()).toBe('Your role is viewer. This needs owner, admin or lead.')
    await scene.picture('refused-on-a-phone', { whole: false, on: phone })
    await phone.getByRole('heading', { name: 'Families', level: 1 }).tap()
    await reason.waitFor({ state: 'hidden' })
  })
})
