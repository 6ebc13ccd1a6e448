import { beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { codeOf } from '../test/sign-in/app-codes.ts'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'

let scene: Scene
const email = 'olga@acme.example'
const password = 'correct horse battery'

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
}, 240_000)
endAfterTests(() => scene)

async function typePassword(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

it('sets up an app, signs in with it and with a recovery code', { timeout: 300_000 }, async () => {
  const { page } = scene
  await scene.signIn(page, email)
  await page.goto(`${scene.service.baseUrl}/app/account`)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'QR code with the key of the app' }).waitFor()
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await scene.look('second-factor-set-up')
  await dialog.getByRole('textbox', { name: 'Six-digit code' }).fill('000000')
  await dialog.getByRole('button', { name: 'Use this app' }).click()
  await dialog.getByText('This is not the current code of the app.').waitFor()
  await dialog.getByRole('textbox', { name: 'Six-digit code' }).fill(codeOf(secret, new Date()))
  await dialog.getByRole('button', { name: 'Use this app' }).click()
  await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor()
  const codes = await dialog
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allTextContents()
  expect(codes).toHaveLength(10)
  await scene.look('recovery-codes')
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('10 of 10 recovery codes are left.').waitFor()
  await scene.look('second-factor')

  await page.goto(`${scene.service.baseUrl}/app/acme`)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await typePassword(page)
  await page.getByRole('textbox', { name: 'Six-digit code' }).waitFor()
  await scene.look('second-step')
  await page.getByRole('textbox', { name: 'Six-digit code' }).fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('This code is wrong or has already been used.').waitFor()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
})

it('asks for a proof before a dangerous act, and goes on with it', { timeout: 120_000 }, async () => {
  const { page } = scene
  await scene.store.query(`update session set confirmed_at = confirmed_at - interval '1 hour'`)
  await page.goto(`${scene.service.baseUrl}/app/account`)
  await page.getByRole('button', { name: 'Make new recovery codes' }).click()
  await page.getByRole('button', { name: 'Make new codes' }).click()
  const asking = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await asking.getByLabel(/^Your password/).fill('not the password')
  await asking.getByRole('button', { name: 'Confirm' }).click()
  await asking.getByText('This is not your password.').waitFor()
  await scene.look('confirm-identity')
  await asking.getByLabel(/^Your password/).fill(password)
  await asking.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  expect(
    await page
      .getByRole('listitem')
      .filter({ has: page.locator('code') })
      .count(),
  ).toBe(10)
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('10 of 10 recovery codes are left.').waitFor()
})

it(
  'signs in with a passkey alone, and asks every member for a second factor',
  { timeout: 300_000 },
  async () => {
    const { page, service } = scene
    // passkeys need a host name, not an IP address
    const base = service.baseUrl.replace('127.0.0.1', 'localhost')
    await scene.store.query('delete from authenticator')
    await scene.store.query('delete from recovery_code')
    await page.goto(`${base}/app/sign-in`)
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    })
    await typePassword(page)
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    await page.goto(`${base}/app/account`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Telephone')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('Telephone', { exact: true }).waitFor()
    await page.getByText('A passkey is asked for after your password.').waitFor()
    await page.getByText('10 of 10 recovery codes are left.').waitFor()
    await scene.look('passkeys')

    await page.goto(`${base}/app/acme/settings/sign-in`)
    await page
      .getByText('Every member has one.')
      .or(page.getByText('have none so far.'))
      .or(page.getByText('has none so far.'))
      .waitFor()
    await page.getByRole('switch', { name: 'Every member needs a second factor' }).click()
    await page.getByText('A second factor is required from now on.').waitFor()
    await scene.look('sign-in-settings')

    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

    await page.goto(`${base}/app/account`)
    await page.getByRole('button', { name: 'Remove the passkey Telephone' }).click()
    await page.getByRole('button', { name: 'Remove the passkey', exact: true }).click()
    await page.getByText('Acme asks its members for a second factor.').waitFor()
    await page.goto(`${base}/app/acme`)
    await page.getByText('Acme asks its members for a second factor.').waitFor()
    await scene.look('second-factor-required')
  },
)
