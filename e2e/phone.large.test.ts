import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, untilStill } from './support/browser.ts'
import { openScene, sampleSbom, type Scene } from './support/scene.ts'

const tooWidePx = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
/** Names of rows that are cut within their first fourteen letters. */
const cutNames = `[...document.querySelectorAll('tbody [data-name] :is(a, span)')]
  .filter(({ firstChild, clientWidth }) => firstChild?.nodeType === 3 && clientWidth !== 1)
  .filter((name) => {
    const letters = document.createRange()
    letters.setStart(name.firstChild, 0)
    letters.setEnd(name.firstChild, Math.min(14, name.firstChild.length))
    return letters.getBoundingClientRect().right > name.closest('[data-name]').getBoundingClientRect().right
  })
  .map(({ textContent }) => textContent)`

/** The controls of the open drawer below the message. */
const coveredByMessage = `(() => {
  const told = document.querySelector('.mantine-Notification-root').getBoundingClientRect()
  return [...document.querySelectorAll('[role=dialog] :is(button, a, select, input)')]
    .filter((control) => {
      const { top, bottom, left, right } = control.getBoundingClientRect()
      return top < told.bottom && bottom > told.top && left < told.right && right > told.left
    })
    .map(({ textContent, ariaLabel }) => ariaLabel ?? textContent)
})()`

let scene: Scene
let phone: Page
/** A small one, of the owner. */
let owners: Page
let ownersBrowser: Browser

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', viewer: 'Vera' })
  const browser = scene.page.context().browser()
  if (browser === null) throw new Error('the scene has a browser')
  const aPhone = { isMobile: true, hasTouch: true, locale: 'en-GB', reducedMotion: 'reduce' } as const
  phone = await (await browser.newContext({ ...aPhone, viewport: { width: 390, height: 844 } })).newPage()
  ownersBrowser = await openBrowser()
  owners = await (
    await ownersBrowser.newContext({ ...aPhone, viewport: { width: 390, height: 480 } })
  ).newPage()
  await scene.signIn(phone, 'vera@acme.example')
}, 120_000)
afterAll(async () => {
  await ownersBrowser.close()
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

describe('a message while a drawer is open, on a phone', () => {
  it('covers nothing that can be used', async () => {
    await scene.signIn(owners, 'olga@acme.example')
    await owners.goto(`${scene.service.baseUrl}/app/acme/settings/members`)
    await owners.getByRole('link', { name: 'Vera' }).tap()
    const drawer = owners.getByRole('dialog')
    await drawer.getByRole('radio', { name: /^editor/i }).check()
    await drawer.getByRole('button', { name: 'Change the role' }).tap()
    const message = owners.getByRole('alert').filter({ hasText: 'Vera is now editor.' })
    await message.waitFor()
    await untilStill(owners)
    await scene.picture('message-over-a-drawer', { whole: false, on: owners })
    expect(await owners.evaluate<string[]>(coveredByMessage)).toEqual([])
  })
})

describe('text that is enlarged four times', () => {
  it('shows which vulnerabilities and incidents are listed, on pages no wider than the screen', async () => {
    await scene.sendSbom(sampleSbom)
    await phone.setViewportSize({ width: 320, height: 640 })
    for (const [page, name] of [
      ['vulnerabilities', 'CVE-2021-44228'],
      ['incidents', 'INC-2026-0001'],
      ['settings/tokens', 'ci'],
    ] as const) {
      await phone.goto(`${scene.service.baseUrl}/app/acme/${page}`)
      await phone.getByRole('table').getByText(name).first().waitFor()
      await untilStill(phone)
      await scene.picture(`enlarged-${page.replace('/', '-')}`, { whole: false, on: phone })
      expect(await phone.evaluate<number>(tooWidePx), page).toBeLessThanOrEqual(0)
      expect(await phone.evaluate<string[]>(cutNames), page).toEqual([])
    }
    await phone.setViewportSize({ width: 320, height: 256 })
    const bar = phone.getByRole('banner').first()
    await phone.evaluate('scrollTo(0, 400)')
    await expect.poll(async () => (await bar.boundingBox())?.y).toBeLessThan(0)
  })
})

it('an affected component that no record names any more is said to be so in full', async () => {
  await scene.store.query('update finding set closed_at = now(), ended_by_data = true')
  await phone.goto(`${scene.service.baseUrl}/app/acme/incidents`)
  await phone.getByRole('link', { name: 'INC-2026-0001' }).first().tap()
  const cell = phone.getByRole('cell', { name: 'no record names it' }).first()
  for (const width of [1440, 360]) {
    await phone.setViewportSize({ width, height: 900 })
    await cell.waitFor()
    const cutPx = await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(cutPx, `${width} px`).toBe(0)
  }
})
