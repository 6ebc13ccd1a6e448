import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { untilStill } from './support/browser.ts'
import { coveredStops } from './support/covered-stops.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowWith } from './support/rows.ts'

let scene: Scene
let page: Page

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  await scene.sendSbom(sampleSbom)
  await page.goto(`${scene.service.baseUrl}/app/sign-in`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await look('sign-in')
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
endAfterTests(() => scene)

const open = (path: string) => page.goto(`${scene.service.baseUrl}/app/acme${path}`)
const hasFocus = (field: Locator) =>
  field.evaluate(
    (element) =>
      (element as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement === element,
  )

const look = (name: string) => scene.look(`form-${name}`, { whole: false })

async function openForm(path: string, button: string): Promise<Locator> {
  await open(path)
  await page.getByRole('button', { name: button }).first().click()
  const form = page.getByRole('dialog')
  await form.waitFor()
  return form
}

describe('a form', () => {
  it('says at the field what was refused, goes there, and forgets it when the field is changed', async () => {
    const form = await openForm('/families', 'Create family')
    const name = form.getByRole('textbox', { name: 'Name' })
    await name.fill('Pu\u202Emp')
    await form.getByRole('button', { name: 'Create family' }).click()
    const refused = form.getByText('It contains an invisible character (U+202E).')
    await refused.waitFor()
    expect(await form.getByRole('alert').count()).toBe(0)
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => hasFocus(name)).toBe(true)
    await look('refused-field')
    await name.fill('Fan')
    await refused.waitFor({ state: 'hidden' })
    await form.getByRole('button', { name: 'Create family' }).click()
    await page.getByRole('heading', { name: 'Fan', level: 1 }).waitFor()
  })

  it('says above its fields that it could not be sent, keeps what was typed, and can be sent again', async () => {
    const form = await openForm('/settings/tokens', 'Create token')
    await form.getByRole('textbox', { name: 'Name' }).fill('nightly')
    await form.getByLabel('Product family').selectOption({ label: 'Pump' })
    await form.getByText('90 days').click()
    await page.context().setOffline(true)
    await form.getByRole('button', { name: 'Create token' }).click()
    await form.getByRole('alert').getByText('The service cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await look('not-sent')
    expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('nightly')
    await form.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog', { name: 'Copy the token now' }).getByText(/^svc_/).waitFor()
    await look('new-token')
    const copy = page.getByRole('button', { name: 'Copy token' })
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
    await copy.click()
    await page
      .getByRole('alert')
      .getByText(/^The browser does not let this page copy/)
      .waitFor()
    // as on a page over plain HTTP, which has no clipboard
    await page.evaluate("Object.defineProperty(window, 'isSecureContext', { value: false })")
    await page.evaluate(`window.addEventListener('copy', ({ clipboardData }) => {
      globalThis.copied = clipboardData.getData('text/plain')
    })`)
    await copy.click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('globalThis.copied')).toMatch(/^svc_/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await rowWith(page, /nightly/).waitFor()
  })

  it('asks before what stops something, with the focus on the safe button', async () => {
    const form = await openForm('/settings/tokens', 'Revoke')
    const cancel = form.getByRole('button', { name: 'Cancel' })
    await expect.poll(() => hasFocus(cancel)).toBe(true)
    await look('confirm')
    await cancel.press('Enter')
    await form.waitFor({ state: 'hidden' })
    await rowWith(page, /nightly/).waitFor()
  })

  it('goes to the first field that is not complete', async () => {
    await open('/vulnerabilities/CVE-2021-44228')
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
    await page.getByRole('button', { name: 'Record a verdict' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Record verdict' }).click()
    await form.getByText('Choose a verdict.').waitFor()
    await expect.poll(() => hasFocus(form.getByRole('radio', { name: 'Affected', exact: true }))).toBe(true)
    await form.getByRole('radio', { name: 'Not affected' }).check()
    await form.getByRole('button', { name: 'Record verdict' }).click()
    const reason = form.getByText('“Not affected” needs a reason')
    await reason.waitFor()
    await look('verdict')
    await form.getByRole('textbox', { name: 'Comment' }).fill('It is not shipped.')
    await reason.waitFor({ state: 'hidden' })
    await form.getByRole('button', { name: 'Record verdict' }).click()
    await form.waitFor({ state: 'hidden' })
  })

  it('stays open after a double click on its button, and closes by a click beside it', async () => {
    await open('/families')
    await page.getByRole('button', { name: 'Create family' }).first().dblclick()
    const form = page.getByRole('dialog')
    await form.waitFor()
    await untilStill(page)
    expect(await form.isVisible()).toBe(true)
    await page.mouse.click(5, 5)
    await form.waitFor({ state: 'hidden' })
  })

  it('longer than the screen keeps what has the focus out from under its title', async () => {
    await openForm('/settings/notifications', 'Add destination')
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await coveredStops(page, 12)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Escape')
  })

  it('renames and exports', async () => {
    await open('/families')
    await page.getByRole('button', { name: 'Actions for Fan' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const rename = page.getByRole('dialog', { name: 'Rename Fan' })
    await rename.getByRole('textbox', { name: 'Name' }).fill('Ventilator')
    await look('rename')
    await rename.getByRole('button', { name: 'Rename family' }).click()
    await page.getByRole('link', { name: 'Ventilator' }).waitFor()
    await page.getByRole('link', { name: 'Pump' }).click()
    await page.getByRole('tab', { name: 'VEX' }).click()
    await page.getByRole('button', { name: 'Export VEX' }).click()
    const form = page.getByRole('dialog', { name: 'Export the verdicts of Pump' })
    await look('export')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      form.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('acme-Pump.openvex.json')
    await form.waitFor({ state: 'hidden' })
  })
})

it('a dialog that its address opened gives the focus to the page, which leads back to the family', async () => {
  await open('/families')
  await page.getByRole('link', { name: 'Pump' }).click()
  await page.getByRole('heading', { name: 'Pump', level: 1 }).waitFor()
  const [family] = /[^/]+$/.exec(new URL(page.url()).pathname) ?? []
  await open(`/settings/tokens?dialog=create&family=${family ?? ''}`)
  const form = page.getByRole('dialog')
  await expect.poll(() => hasFocus(form.getByRole('textbox', { name: 'Name' }))).toBe(true)
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(page.getByRole('main'))).toBe(true)
  await look('tokens-of-family')
  await page.getByRole('link', { name: 'Go to Pump' }).click()
  await page.getByRole('heading', { name: 'Pump', level: 1 }).waitFor()
})

it('an unknown address in a workspace keeps its pages beside it, and says nothing of another workspace', async () => {
  await open('/no-such-page')
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
  await look('not-found')
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Families' }).click()
  await page.getByRole('heading', { name: 'Families', level: 1 }).waitFor()
  await page.goto(`${scene.service.baseUrl}/app/another-company/no-such-page`)
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0)
})
