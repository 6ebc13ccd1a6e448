import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { LetterKind } from '../src/contract/notices/letters.ts'
import { formatAbsolute } from '../web/kit/text/format.ts'
import { linkTo } from './support/mail.ts'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'
import { rowWith, tableNamed } from './support/rows.ts'

const password = 'correct horse battery'

let scene: Scene
let page: Page
/** Nils signs up, Nora is invited; anybody else who opens a link is a visitor. One browser switches between their sessions. */
type Person = 'nils' | 'nora' | 'visitor'
const sessions = new Map<Person, Awaited<ReturnType<BrowserContext['cookies']>>>()
let shown: Person = 'nils'

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
}, 240_000)
endAfterTests(() => scene)

/** Switches the browser to another person. A visitor has never been here. */
async function as(next: Person): Promise<void> {
  const context = page.context()
  sessions.set(shown, await context.cookies())
  await page.goto('about:blank')
  await context.clearCookies()
  if (next !== 'visitor') await context.addCookies(sessions.get(next) ?? [])
  shown = next
}

const follow = async (email: string, kind: LetterKind) => page.goto(await linkTo(scene, email, kind))
const open = (path: string) => page.goto(`${scene.service.baseUrl}/app${path}`)
const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const passwordField = () => page.getByLabel(/^Password/)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })
const openMembers = async () => {
  await open('/wonka/settings/members')
  await heading('Members').waitFor()
}
const rowOf = (name: RegExp) => rowWith(tableNamed(page, 'Members'), name)

async function signIn(email: string, secret = password): Promise<void> {
  await field('E-mail').fill(email)
  await passwordField().fill(secret)
  await button('Sign in').click()
}

describe('a company signs up', () => {
  it('says who it is, and gets a link', async () => {
    await open('/sign-in')
    await page.getByRole('link', { name: 'Sign up' }).waitFor()
    await scene.look('people-sign-in')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await heading('Sign up').waitFor()
    await field('Name').fill('Nils Newcomer')
    await field('E-mail').fill('nils@wonka.example')
    await field('Company name').fill('Acme')
    expect(await field('Workspace address').inputValue()).toBe('acme')
    await field('Security contact e-mail').fill('security@wonka.example')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('New_York')
    await page.getByRole('option', { name: 'America/New_York' }).click()
    await button('Sign up').click()
    await page.getByText('This address is taken.').waitFor()
    await scene.look('people-sign-up')
    await field('Company name').fill('Wonka')
    await button('Sign up').click()
    await heading('Confirm your e-mail address').waitFor()
    await scene.look('people-sign-up-sent')
  })

  it('is in its workspace once the link was opened, which counts once', async () => {
    const link = await linkTo(scene, 'nils@wonka.example', 'letter.sign_up')
    await page.goto(link)
    await heading('Create the workspace').waitFor()
    await scene.look('people-confirm')
    await passwordField().fill(password)
    await button('Create the workspace').click()
    await heading('Dashboard').waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/wonka')
    await as('visitor')
    await page.goto(link)
    await heading('This link is no longer valid').waitFor()
    await scene.look('people-ended-link')
  })
})

describe('a colleague', () => {
  it('is invited by mail', async () => {
    await as('nils')
    await openMembers()
    await rowOf(/Nils Newcomer \(you\)/).waitFor()
    await button('Invite').click()
    const form = dialog('Invite a member')
    await form.getByRole('textbox', { name: 'E-mail' }).fill('nora@wonka.example')
    await form.getByRole('radio', { name: 'lead' }).check()
    await scene.look('people-invite')
    await form.getByRole('button', { name: 'Send the invitation' }).click()
    await page
      .getByText(
        'No mail was sent to nora@wonka.example: this service has no mail server. Its operator has the link. Ask for it, and hand it over yourself.',
      )
      .waitFor()
    await rowWith(tableNamed(page, 'Invitations'), /nora@wonka\.example/).waitFor()
    await scene.look('people-members-invited')
  })

  it('accepts as a new person, and both are listed', async () => {
    await as('visitor')
    await follow('nora@wonka.example', 'letter.invitation')
    await heading('Invitation').waitFor()
    await page.getByText('Nils Newcomer invites you to Wonka as lead.').waitFor()
    await scene.look('people-invitation')
    await field('Name').fill('Nora New')
    await passwordField().fill(password)
    await button('Create the account and join').click()
    await heading('Dashboard').waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/wonka')
    shown = 'nora'
    await openMembers()
    await rowOf(/Nora New \(you\)/).waitFor()
    await rowOf(/Nils Newcomer/).waitFor()
    await scene.look('people-members-of-lead')
    await expect.poll(() => button('Invite').getAttribute('aria-disabled')).toBe('true')
  })

  it('sees times by the clock of the workspace, and by their own once they chose one', async () => {
    const joined = rowOf(/Nora New/).locator('time')
    const expectShownIn = async (zone: string) => {
      const at = (await joined.getAttribute('datetime')) ?? ''
      expect(await joined.getAttribute('title')).toBe(formatAbsolute(at, zone))
    }
    await expectShownIn('America/New_York')
    await open('/account')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo')
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
    await button('Save').click()
    await page.getByText('Your profile has been saved.').waitFor()
    await openMembers()
    await expectShownIn('Asia/Tokyo')
  })

  it('gets another role, which counts at once', async () => {
    await as('nils')
    await openMembers()
    await rowOf(/Nora New/).click()
    const drawer = dialog('Nora New')
    await drawer.getByRole('radio', { name: 'viewer' }).check()
    await scene.look('people-member')
    await drawer.getByRole('button', { name: 'Change the role' }).click()
    await page.getByText('Nora New is now viewer.').waitFor()
    await as('nora')
    await openMembers()
    await rowOf(/Nora New .*viewer/).waitFor()
    await open('/wonka/settings/audit')
    await page.getByText('Your role is viewer.').waitFor()
  })

  it('becomes owner only with the password of an owner', async () => {
    await as('nils')
    await openMembers()
    await rowOf(/Nora New/).click()
    const drawer = dialog('Nora New')
    await drawer.getByRole('radio', { name: 'owner' }).check()
    await drawer.getByLabel(/^Your password/).fill('not the password')
    await scene.look('people-owner')
    await drawer.getByRole('button', { name: 'Change the role' }).click()
    await drawer.getByText('This is not your password.').waitFor()
    await drawer.getByRole('radio', { name: 'viewer' }).check()
  })

  it('is removed once it is confirmed, and is out at once', async () => {
    const drawer = dialog('Nora New')
    await drawer.getByRole('button', { name: 'Remove from the workspace' }).click()
    const question = dialog('Remove Nora New from Wonka?')
    await question.getByText(/They lose access at once/).waitFor()
    await scene.look('people-remove')
    await question.getByRole('button', { name: 'Remove from the workspace' }).click()
    await page.getByText('Nora New is no longer a member.').waitFor()
    await expect.poll(() => rowOf(/Nora New/).count()).toBe(0)
    await as('nora')
    await open('/wonka/families')
    await heading('Page not found').waitFor()
  })

  it('with an account joins with it, and leaves', async () => {
    await as('nils')
    await openMembers()
    await rowOf(/Nils Newcomer \(you\)/).waitFor()
    await expect.poll(() => button('Leave the workspace').getAttribute('aria-disabled')).toBe('true')
    await button('Invite').click()
    const form = dialog('Invite a member')
    await form.getByRole('textbox', { name: 'E-mail' }).fill('olga@acme.example')
    await form.getByRole('button', { name: 'Send the invitation' }).click()
    await page.getByText('No mail was sent to olga@acme.example: this service has no mail server.').waitFor()
    await as('visitor')
    await follow('olga@acme.example', 'letter.invitation')
    await page.getByText('You have an account here. Sign in with olga@acme.example to continue.').waitFor()
    await scene.look('people-invitation-known')
    await signIn('olga@acme.example')
    await button('Join Wonka').click()
    await heading('Dashboard').waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/wonka')
    await openMembers()
    await button('Leave the workspace').click()
    await dialog('Leave Wonka?').getByRole('button', { name: 'Leave the workspace' }).click()
    await page.waitForURL('**/app/acme')
  })
})

describe('the mail of an account', () => {
  it('brings a new password to somebody who has forgotten theirs, and signs out every other browser', async () => {
    await as('visitor')
    await open('/sign-in')
    await page.getByRole('link', { name: 'Forgotten password' }).click()
    await heading('Forgotten password').waitFor()
    await field('E-mail').fill('nora@wonka.example')
    await scene.look('people-forgotten')
    await button('Send the link').click()
    await page.getByText('If there is an account, its operator has a link and can give it to you.').waitFor()
    await follow('nora@wonka.example', 'letter.password_reset')
    await heading('Choose a new password').waitFor()
    await page.getByRole('textbox', { name: /^New password/ }).fill('another horse battery')
    await page.getByRole('textbox', { name: 'Repeat the new password' }).fill('another house battery')
    await button('Change password').click()
    await page.getByText('The passwords do not match.').waitFor()
    await scene.look('people-reset')
    await page.getByRole('textbox', { name: 'Repeat the new password' }).fill('another horse battery')
    await button('Change password').click()
    await page.getByText('Your password has been changed. Sign in with it.').waitFor()
    await heading('Sign in').waitFor()
    await signIn('nora@wonka.example')
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    await signIn('nora@wonka.example', 'another horse battery')
    await heading('No workspace').waitFor()
    await scene.look('people-no-workspace')
    await button('Sign out').click()
    await heading('Sign in').waitFor()
    await as('nora')
    await open('/account')
    await heading('Sign in').waitFor()
  })

  it('confirms another address, in whatever browser', async () => {
    await as('nils')
    await open('/account')
    await field('New e-mail').fill('nils@chocolate.example')
    await page.getByLabel(/^Your password/).fill(password)
    await scene.look('people-account')
    await button('Send the link').click()
    await page
      .getByText('No mail was sent to nils@chocolate.example: this service has no mail server.')
      .waitFor()
    await as('visitor')
    await follow('nils@chocolate.example', 'letter.email_change')
    await heading('Confirm your new e-mail address').waitFor()
    await scene.look('people-email')
    await button('Confirm this address').click()
    await page.getByText('You sign in with nils@chocolate.example from now on.').waitFor()
    await scene.look('people-email-confirmed')
  })
})
