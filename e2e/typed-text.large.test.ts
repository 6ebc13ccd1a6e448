import type { Dialog, Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { openIncident } from '../src/contract/incidents/operations.ts'
import { incidentLimits } from '../src/contract/incidents/limits.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowWith } from './support/rows.ts'

let scene: Scene
let page: Page
let incident: string
let sbom: string

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  sbom = (await scene.sendSbom(sampleSbom)).id
  const olga = await scene.elsewhere('olga@acme.example')
  const body = { kind: 'severe_incident' as const, title: 'Pump stops', families: [] }
  incident = (await olga.call(openIncident, { body })).id
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
endAfterTests(() => scene)

const open = (path: string) => page.goto(`${scene.service.baseUrl}/app/acme${path}`)
const question = () => page.getByRole('dialog', { name: 'Discard what you typed?' })
const stay = () => question().getByRole('button', { name: 'Keep typing' }).click()
const discard = () => question().getByRole('button', { name: 'Discard', exact: true }).click()
const tab = (name: string) => page.getByRole('tab', { name })
const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const typed = 'Half of a sentence'

it('a comment that is not sent is asked about by a tab, a link and Back, and is there for whoever stays', async () => {
  await open('/incidents')
  await rowWith(page, /Pump stops/).click()
  await tab('Comments').click()
  const comment = page.getByRole('textbox', { name: 'Text' })
  await comment.fill(typed)
  const ways = [
    () => tab('Timeline').click(),
    () => page.getByRole('link', { name: 'Families', exact: true }).click(),
    () => page.evaluate('history.back()'),
  ]
  for (const leave of ways) {
    await leave()
    await question().waitFor()
    await stay()
    await question().waitFor({ state: 'hidden' })
    expect(await comment.inputValue()).toBe(typed)
  }
  await page.getByRole('link', { name: 'Families', exact: true }).click()
  await question().waitFor()
  await scene.look('typed-text', { whole: false })
  await discard()
  await heading('Families').waitFor()
})

it('the browser asks before a reload, and nobody is asked about what was sent', async () => {
  await open(`/incidents/${incident}?tab=comments`)
  const comment = page.getByRole('textbox', { name: 'Text' })
  await comment.click()
  await page.keyboard.type(typed)
  const asked: string[] = []
  const refuse = (dialog: Dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  }
  page.on('dialog', refuse)
  await page.evaluate('location.reload()')
  await expect.poll(() => asked).toEqual(['beforeunload'])
  page.off('dialog', refuse)
  expect(await comment.inputValue()).toBe(typed)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect.poll(() => comment.inputValue()).toBe('')
  await page.getByRole('link', { name: 'Families', exact: true }).click()
  await heading('Families').waitFor()
})

it('a dialog with text that is not sent closes by Escape and beside it only once that is asked', async () => {
  await open(`/incidents/${incident}?tab=comments`)
  await page.getByRole('button', { name: 'Add task' }).click()
  const form = page.getByRole('dialog', { name: 'Add task' })
  const title = form.getByRole('textbox', { name: 'What is asked for' })
  await title.fill(typed)
  const ways = [
    () => title.press('Escape'),
    () => page.mouse.click(5, 5),
    () => form.getByRole('button', { name: 'Close' }).click(),
  ]
  for (const close of ways) {
    await close()
    await question().waitFor()
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'hidden' })
    expect(await title.inputValue()).toBe(typed)
  }
  await title.press('Escape')
  await question().waitFor()
  await scene.look('typed-text-in-dialog', { whole: false })
  await discard()
  await form.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Add task' }).click()
  expect(await title.inputValue()).toBe('')
  await title.press('Escape')
  await form.waitFor({ state: 'hidden' })
})

it('a dialog over a drawer is asked about once, and closes without the drawer', async () => {
  await open(`/sboms/${sbom}`)
  await rowWith(page, /CVE-2021-44228/).click()
  const drawn = page.getByRole('link', { name: 'Open as a page' })
  await page.getByRole('button', { name: 'Record a verdict' }).click()
  const form = page.getByRole('dialog', { name: /^Record a verdict/ })
  const comment = form.getByRole('textbox', { name: 'Comment' })
  await comment.fill(typed)
  await comment.press('Escape')
  await question().waitFor()
  await discard()
  await form.waitFor({ state: 'hidden' })
  await drawn.waitFor()
  await page.getByRole('button', { name: 'Record a verdict' }).press('Escape')
  await drawn.waitFor({ state: 'hidden' })
})

it('one that has an address is asked about once, and Cancel is an answer', async () => {
  for (const leave of ['Close', 'Cancel']) {
    await open('/incidents?dialog=open')
    const form = page.getByRole('dialog', { name: 'Open an incident' })
    await form.getByRole('textbox', { name: 'Title' }).fill(typed)
    await form.getByRole('button', { name: leave }).click()
    if (leave === 'Close') {
      await question().waitFor()
      await discard()
    }
    await form.waitFor({ state: 'hidden' })
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await question().waitFor({ state: 'hidden' })
  }
})

it('a text that is pasted longer than is taken stays whole, and its field says how long it may be', async () => {
  const pasted = 'x'.repeat(incidentLimits.reasoningCharacters + 1)
  const paste = async (field: Locator) => {
    await field.click()
    await page.keyboard.insertText(pasted)
  }
  await open(`/incidents/${incident}?tab=comments`)
  const comment = page.getByRole('textbox', { name: 'Text' })
  await paste(comment)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByText('1 to 10000 characters are required.').waitFor()
  expect(await comment.inputValue()).toBe(pasted)
  await comment.fill('')

  await page.getByRole('button', { name: 'Record determination' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('radio').first().click()
  const why = form.getByRole('textbox', { name: 'Why' })
  await paste(why)
  await form.getByRole('button', { name: 'Record determination' }).click()
  await form.getByText('At least 20 and at most 10000 characters are required.').waitFor()
  expect(await why.inputValue()).toBe(pasted)
  await why.press('Escape')
  await discard()
  await form.waitFor({ state: 'hidden' })
})

it('a new password that is pasted longer than is taken is refused, not cut', async () => {
  await page.goto(`${scene.service.baseUrl}/app/account`)
  const long = 'correct horse '.repeat(15)
  const [current, next, repeated] = [/^Current password/, /^New password/, /^Repeat the new password/].map(
    (name) => page.getByRole('textbox', { name }),
  )
  await current?.fill('correct horse battery')
  for (const field of [next, repeated]) {
    await field?.click()
    await page.keyboard.insertText(long)
  }
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('A password of 12 to 200 characters is required.').waitFor()
  expect(await next?.inputValue()).toBe(long)
  for (const field of [current, next, repeated]) await field?.fill('')
})

it('an address that somebody is invited by counts, a name that only confirms does not', async () => {
  await open('/settings/members')
  await page.getByRole('button', { name: 'Invite' }).click()
  const invite = page.getByRole('dialog', { name: /^Invite/ })
  await invite.getByRole('textbox', { name: /mail/ }).fill('nora@acme.example')
  await page.keyboard.press('Escape')
  await question().waitFor()
  await discard()
  await invite.waitFor({ state: 'hidden' })
  await open('/settings/close')
  await page.getByRole('textbox', { name: 'Type Acme to close the workspace' }).fill('Acm')
  await page.getByRole('link', { name: 'Families', exact: true }).click()
  await heading('Families').waitFor()
})

it('the draft of an advisory and settings that are not saved are asked about, too', async () => {
  await open('/vulnerabilities/CVE-2021-44228')
  await page.getByRole('button', { name: 'Write an advisory' }).click()
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill(typed)
  await page.getByRole('link', { name: 'Families', exact: true }).click()
  await question().waitFor()
  await stay()
  expect(await title.inputValue()).toBe(typed)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Families', exact: true }).click()
  await heading('Families').waitFor()

  await open('/settings/company')
  const name = page.getByRole('textbox', { name: 'Company name' })
  await name.fill('Acme Pumps')
  await page.getByRole('link', { name: 'Families', exact: true }).click()
  await question().waitFor()
  await stay()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The settings are saved.').waitFor()
  await page.getByRole('link', { name: 'Families', exact: true }).click()
  await heading('Families').waitFor()
})

it('signing out says that something is typed, and asks no more once it is given up', async () => {
  await open(`/incidents/${incident}?tab=comments`)
  await page.getByRole('textbox', { name: 'Text' }).fill(typed)
  const signOut = async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await signOut()
  await page.getByText('You are still signed in').waitFor()
  expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(typed)
  await signOut()
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
})
