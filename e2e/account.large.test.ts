import { beforeAll, expect, it } from 'vitest'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
}, 240_000)
endAfterTests(() => scene)

it('changes the password, and signs out everywhere', { timeout: 120_000 }, async () => {
  const { page } = scene
  await scene.signIn(page, 'olga@acme.example')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Account and security' }).click()
  await page.getByRole('heading', { name: 'Account and security', level: 1 }).waitFor()
  await page.getByText('This browser', { exact: true }).waitFor()
  await scene.look('account')
  const type = async (current: string, next: string, again: string) => {
    await page.getByRole('textbox', { name: /^Current password/ }).fill(current)
    await page.getByRole('textbox', { name: /^New password(?! again)/ }).fill(next)
    await page.getByRole('textbox', { name: /^Repeat the new password/ }).fill(again)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await type('correct horse battery', 'another horse battery', 'another house battery')
  await page.getByText('The passwords do not match.').waitFor()
  await type('wrong horse battery', 'another horse battery', 'another horse battery')
  await page.getByText('This is not your password.').waitFor()
  await scene.picture('account-refused', { whole: true })
  await type('correct horse battery', 'another horse battery', 'another horse battery')
  await page.getByText('Your password has been changed. Other browsers have been signed out.').waitFor()
  // the button that waited for its answer has the focus again
  await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Change password')

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('You will be signed out in this browser').waitFor()
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  expect(await page.context().cookies()).toEqual([])
})
