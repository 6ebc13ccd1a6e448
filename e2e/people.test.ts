import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ShownMail } from '../src/alerts/mail/list-mail.ts'
import type { LetterKind } from '../src/contract/letters.ts'
import { formatAbsolute } from '../web/ui/text/format.ts'
import { expectAccessible, openContext } from './support/browser.ts'
import { openScene, type Scene } from './support/scene.ts'

let scene: Scene
/** Who signs up, and who is invited. */
let nils: Page
let nora: Page
/** Whoever else opens a link. No context is closed before the end: the packed browser would end with it. */
let visitor: Page
const password = 'correct horse battery'
/** SCREENSHOTS=folder keeps a picture of every page. */
const pictures = process.env['SCREENSHOTS']

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  nils = scene.page
  nora = await anotherBrowser()
  visitor = await anotherBrowser()
}, 240_000)
afterAll(() => scene.close(), 60_000)

async function anotherBrowser(): Promise<Page> {
  const browser = scene.page.context().browser()
  if (browser === null) throw new Error('the browser is gone')
  return (await openContext(browser)).newPage()
}

async function freshVisitor(): Promise<Page> {
  await visitor.context().clearCookies()
  await visitor.goto('about:blank')
  return visitor
}

/** Light and wide, dark and narrow. */
async function look(page: Page, name: string): Promise<void> {
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
    await picture(page, `people-${name}-${scheme}-${width}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
}

/** The link of the newest message to an address, as the operator reads it where no mail server is configured. */
async function linkTo(email: string, kind: LetterKind): Promise<string> {
  const question = `
    select m.id from mail m join one_time_link l on l.id = m.link_id
    where m.recipient = $1 and m.kind = $2 and l.ended_at is null order by m.created_at desc, m.id desc limit 1`
  const id = await vi.waitFor(
    async () => {
      const { rows } = await scene.store.query<{ id: string }>(question, [email, kind])
      expect(rows).toHaveLength(1)
      return rows[0]?.id ?? ''
    },
    { timeout: 60_000, interval: 100 },
  )
  const { text } = await scene.service.cli<ShownMail>(['mail', 'show', id])
  const [link = ''] = /http:\S+#[\w-]{43}/.exec(text ?? '') ?? []
  expect(link).toContain(scene.service.baseUrl)
  return link
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const openMembers = async (page: Page) => {
  await page.goto(`${scene.service.baseUrl}/app/wonka/settings/members`)
  await heading(page, 'Members').waitFor()
}
const members = (page: Page) => page.getByRole('table', { name: 'Members' })
const rowOf = (page: Page, name: string | RegExp) => members(page).getByRole('row', { name })

describe('a company signs up', () => {
  it('says who it is, and gets a link', { timeout: 180_000 }, async () => {
    await nils.goto(`${scene.service.baseUrl}/app/sign-in`)
    await nils.getByRole('link', { name: 'Sign up' }).waitFor()
    await look(nils, 'sign-in')
    await nils.getByRole('link', { name: 'Sign up' }).click()
    await heading(nils, 'Sign up').waitFor()
    await field(nils, 'Name').fill('Nils Newcomer')
    await field(nils, 'E-mail').fill('nils@wonka.example')
    await field(nils, 'Company name').fill('Acme')
    expect(await field(nils, 'Workspace address').inputValue()).toBe('acme')
    await field(nils, 'Security contact e-mail').fill('security@wonka.example')
    await nils.getByRole('combobox', { name: 'Time zone' }).fill('New_York')
    await nils.getByRole('option', { name: 'America/New_York' }).click()
    await button(nils, 'Sign up').click()
    await nils.getByText('This address is taken.').waitFor()
    await look(nils, 'sign-up')
    await field(nils, 'Company name').fill('Wonka')
    await button(nils, 'Sign up').click()
    await heading(nils, 'Confirm your e-mail address').waitFor()
    await look(nils, 'sign-up-sent')
  })

  it('is in its workspace once the link was opened', { timeout: 180_000 }, async () => {
    const link = await linkTo('nils@wonka.example', 'letter.sign_up')
    await nils.goto(link)
    await heading(nils, 'Create the workspace').waitFor()
    await look(nils, 'confirm')
    await nils.getByLabel(/^Password/).fill(password)
    await button(nils, 'Create the workspace').click()
    await heading(nils, 'Dashboard').waitFor()
    expect(new URL(nils.url()).pathname).toBe('/app/wonka')
    await freshVisitor()
    await visitor.goto(link)
    await heading(visitor, 'This link is no longer valid').waitFor()
    await look(visitor, 'ended-link')
  })
})

describe('a colleague', () => {
  it('is invited by mail', { timeout: 180_000 }, async () => {
    await openMembers(nils)
    await rowOf(nils, /Nils Newcomer \(you\)/).waitFor()
    await look(nils, 'members-alone')
    await button(nils, 'Invite').click()
    const dialog = nils.getByRole('dialog', { name: 'Invite a member' })
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill('nora@wonka.example')
    await dialog.getByRole('radio', { name: 'lead' }).check()
    await look(nils, 'invite')
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    await nils.getByText('An invitation is on its way to nora@wonka.example.').waitFor()
    await nils
      .getByRole('table', { name: 'Invitations' })
      .getByRole('row', { name: /nora@wonka\.example/ })
      .waitFor()
    await look(nils, 'members-invited')
  })

  it('accepts as a new person, and both are listed', { timeout: 180_000 }, async () => {
    await nora.goto(await linkTo('nora@wonka.example', 'letter.invitation'))
    await heading(nora, 'Invitation').waitFor()
    await nora.getByText('Nils Newcomer invites you to Wonka as lead.').waitFor()
    await look(nora, 'invitation')
    await field(nora, 'Name').fill('Nora New')
    await nora.getByLabel(/^Password/).fill(password)
    await button(nora, 'Create the account and join').click()
    await heading(nora, 'Dashboard').waitFor()
    expect(new URL(nora.url()).pathname).toBe('/app/wonka')
    await openMembers(nora)
    await rowOf(nora, /Nora New \(you\)/).waitFor()
    await rowOf(nora, /Nils Newcomer/).waitFor()
    await look(nora, 'members-of-lead')
    expect(await button(nora, 'Invite').getAttribute('aria-disabled')).toBe('true')
  })

  it('sees times by the clock of the workspace, and by their own once they chose one', async () => {
    const joined = rowOf(nora, /Nora New/).locator('time')
    const shownIn = async (zone: string) => {
      const at = (await joined.getAttribute('datetime')) ?? ''
      expect(await joined.getAttribute('title')).toBe(formatAbsolute(at, zone))
    }
    await shownIn('America/New_York')
    await nora.goto(`${scene.service.baseUrl}/app/account`)
    await nora.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo')
    await nora.getByRole('option', { name: 'Asia/Tokyo' }).click()
    await button(nora, 'Save').click()
    await nora.getByText('Your profile has been saved.').waitFor()
    await openMembers(nora)
    await shownIn('Asia/Tokyo')
  })
})
