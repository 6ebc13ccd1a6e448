import type { Locator, Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { signOutEverywhere } from '../src/contract/people/operations/account.ts'
import { expectAccessible } from './support/browser.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowWith } from './support/rows.ts'

let scene: Scene
let page: Page

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', admin: 'Adam' })
  page = scene.page
  await scene.sendSbom(sampleSbom)
}, 300_000)
endAfterTests(() => scene)

const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const dialog = (name: string) => page.getByRole('dialog', { name })
const open = (path: string) => page.goto(`${scene.service.baseUrl}/app/acme${path}`)

/** Two clicks in one task of the event loop: nothing can render between them. */
function clickTwice(button: Locator): Promise<void> {
  return button.evaluate((element: { click: () => void }) => {
    element.click()
    element.click()
  })
}

/** Requests the page sends while `act` runs. */
async function sent(method: string, path: RegExp, act: () => Promise<unknown>): Promise<string[]> {
  const requests: string[] = []
  const keep = (request: Request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === method && path.test(pathname)) requests.push(pathname)
  }
  page.on('request', keep)
  await act()
  page.off('request', keep)
  return requests
}

/** Ends every session of the person, as "Sign out everywhere" in another browser does. */
async function endSessions(email: string): Promise<void> {
  await (await scene.elsewhere(email)).call(signOutEverywhere)
}

async function signInAgain(email: string): Promise<void> {
  const again = dialog('Sign in again')
  await again.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await again.getByLabel(/^Password/).fill('correct horse battery')
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
}

describe('what is submitted twice is sent once', () => {
  it('signing in', async () => {
    await page.goto(`${scene.service.baseUrl}/app/sign-in`)
    await page.getByRole('textbox', { name: 'E-mail' }).fill('olga@acme.example')
    await page.getByLabel(/^Password/).fill('correct horse battery')
    await page.getByLabel(/^Password/).press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.getByLabel(/^Password/).getAttribute('type')).toBe('text')
    const calls = await sent('POST', /\/session$/, async () => {
      await clickTwice(page.getByRole('button', { name: 'Sign in', exact: true }))
      await heading('Dashboard').waitFor()
    })
    expect(calls).toHaveLength(1)
    // what had the focus is gone with the form: a reader goes on with the page
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN')
  })

  it('a token', async () => {
    await open('/settings/tokens')
    await page.getByRole('button', { name: 'Create token' }).first().click()
    await dialog('Create a token').getByRole('textbox', { name: 'Name' }).fill('twice')
    await dialog('Create a token').getByLabel('Product family').selectOption({ label: 'Pump' })
    const calls = await sent('POST', /\/tokens$/, async () => {
      await clickTwice(dialog('Create a token').getByRole('button', { name: 'Create token' }))
      await dialog('Copy the token now').getByText(/^svc_/).waitFor()
    })
    expect(calls).toHaveLength(1)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await rowWith(page, /twice/).waitFor()
    expect(await rowWith(page, /twice/).count()).toBe(1)
  })

  it('a family, with Enter pressed twice and a slow network', async () => {
    await page.route('**/families', async (route) => {
      if (route.request().method() === 'POST') await new Promise((go) => setTimeout(go, 300))
      await route.continue()
    })
    await open('/families')
    await page.getByRole('button', { name: 'Create family' }).first().click()
    const name = dialog('Create a family').getByRole('textbox', { name: 'Name' })
    await name.fill('Fan')
    const calls = await sent('POST', /\/families$/, async () => {
      await name.press('Enter')
      await name.press('Enter')
      await heading('Fan').waitFor()
    })
    await page.unroute('**/families')
    expect(calls).toHaveLength(1)
  })

  it('a file that is dropped twice', async () => {
    await open('/families')
    await page.getByRole('link', { name: 'Pump' }).click()
    await page.getByRole('tab', { name: 'Upload' }).click()
    const area = page.getByRole('region', { name: 'Send SBOMs' }).locator('> div')
    const calls = await sent('POST', /\/sboms/, async () => {
      const transfer = await page.evaluateHandle(
        (text) => {
          const { DataTransfer, File } = globalThis as unknown as {
            DataTransfer: new () => { items: { add: (file: unknown) => void } }
            File: new (parts: string[], name: string, options: object) => unknown
          }
          const files = new DataTransfer()
          files.items.add(new File([text], 'twice.cdx.json', { lastModified: 1 }))
          return files
        },
        sampleSbom.replace('2.4.1', '2.4.9'),
      )
      await area.evaluate((element, dataTransfer) => {
        const target = element as unknown as { dispatchEvent: (event: unknown) => void }
        const { DragEvent } = globalThis as unknown as { DragEvent: new (t: string, o: object) => unknown }
        for (let times = 0; times < 2; times += 1)
          target.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
      }, transfer)
      await page.getByRole('link', { name: 'Open the SBOM' }).waitFor()
      await page.getByRole('button', { name: 'Choose files' }).isEnabled()
    })
    expect(calls).toHaveLength(1)
    expect(await page.getByText('twice.cdx.json').count()).toBe(1)
  })

  it('a verdict', async () => {
    await open('/vulnerabilities/CVE-2021-44228')
    await rowWith(page, /Pump 2\.4\.1/).waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
    await page.getByRole('button', { name: 'Record a verdict' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('radio', { name: 'Affected', exact: true }).check()
    await form.getByRole('textbox', { name: 'Comment' }).fill('It is reachable.')
    const calls = await sent('POST', /\/decisions$/, async () => {
      await clickTwice(form.getByRole('button', { name: 'Record verdict' }))
      await form.waitFor({ state: 'hidden' })
    })
    expect(calls).toHaveLength(1)
  })
})

it('Enter that is held down opens the dialog of a report, and records nothing', async () => {
  await open('/incidents')
  await page.getByRole('link', { name: 'INC-2026-0001' }).click()
  await page.getByRole('button', { name: 'Record submission' }).first().focus()
  const form = page.getByRole('dialog')
  const calls = await sent('POST', /\/submissions$/, async () => {
    await page.keyboard.down('Enter')
    await form.getByLabel(/^Submitted at/).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('datetime-local')
    for (let repeats = 0; repeats < 5; repeats += 1) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
  })
  expect(calls).toEqual([])
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.waitFor({ state: 'hidden' })
})

it('an act whose answer is lost is shown as done, and sent again it is not done twice', async () => {
  await open('/families')
  await page.getByRole('button', { name: 'Create family' }).click()
  const form = page.getByRole('dialog', { name: /family/ })
  await form.getByRole('textbox', { name: 'Name' }).fill('Answer lost')
  const create = ({ pathname }: URL) => pathname.endsWith('/families')
  await page.route(create, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await form.getByRole('button', { name: /^Create/ }).click()
  await form.getByText('The answer was lost: it may have been done all the same.').waitFor()
  await page.getByRole('link', { name: 'Answer lost', includeHidden: true }).waitFor({ state: 'attached' })
  await page.unroute(create)
  await form.getByRole('button', { name: /^Create/ }).click()
  await form.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Answer lost' }).waitFor()
})

describe('when the session ends', () => {
  it('keeps what was typed, asks to sign in over it, and sends it once', async () => {
    await open('/settings/tokens')
    await page.getByRole('button', { name: 'Create token' }).first().click()
    const form = dialog('Create a token')
    await form.getByRole('textbox', { name: 'Name' }).fill('kept')
    await form.getByLabel('Product family').selectOption({ label: 'Pump' })
    await endSessions('olga@acme.example')
    // a request of the page may just have found out, and the dialog covers the button
    await form.getByRole('button', { name: 'Create token' }).dispatchEvent('click')
    const again = dialog('Sign in again')
    await again.waitFor()
    expect(await again.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('olga@acme.example')
    await scene.look('sign-in-again', { whole: false })
    await again.getByLabel(/^Password/).fill('a wrong password')
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.getByText(/wrong|not right|does not/i).waitFor()
    await again.getByLabel(/^Password/).press('Escape')
    await signInAgain('olga@acme.example')
    await again.waitFor({ state: 'hidden' })
    expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('kept')
    expect(await form.getByRole('alert').count()).toBe(0)
    const calls = await sent('POST', /\/tokens$/, async () => {
      await clickTwice(form.getByRole('button', { name: 'Create token' }))
      await dialog('Copy the token now').getByText(/^svc_/).waitFor()
    })
    expect(calls).toHaveLength(1)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await rowWith(page, /kept/).waitFor()
  })

  it('gives the keyboard back to where it was', async () => {
    await open('/settings/company')
    const save = page.getByRole('button', { name: 'Save', exact: true }).first()
    await page.getByRole('textbox', { name: /^Company name/ }).fill('Acme Pumps')
    await endSessions('olga@acme.example')
    await save.focus()
    await page.keyboard.press('Enter')
    await dialog('Sign in again').waitFor()
    await signInAgain('olga@acme.example')
    await dialog('Sign in again').waitFor({ state: 'hidden' })
    await expect.poll(() => save.and(page.locator(':focus')).count()).toBe(1)
    await page.getByRole('textbox', { name: /^Company name/ }).fill('Acme')
  })

  it('lets what only reads go on where it was', async () => {
    await open('/families')
    await heading('Families').waitFor()
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Components' })
    await link.waitFor()
    await endSessions('olga@acme.example')
    // a request of the page may just have found out, and the dialog covers the link
    await link.dispatchEvent('click')
    await dialog('Sign in again').waitFor()
    await signInAgain('olga@acme.example')
    await heading('Components').waitFor()
    await rowWith(page, /log4j-core/)
      .first()
      .waitFor()
  })

  it('loads the page again for another person', async () => {
    await open('/settings/tokens')
    await page.getByRole('button', { name: 'Create token' }).first().click()
    await dialog('Create a token').getByRole('textbox', { name: 'Name' }).fill('of Olga')
    await endSessions('olga@acme.example')
    await dialog('Create a token').getByLabel('Product family').selectOption({ label: 'Pump' })
    await dialog('Create a token').getByRole('button', { name: 'Create token' }).dispatchEvent('click')
    await dialog('Sign in again').waitFor()
    const loaded = page.waitForEvent('load')
    await signInAgain('adam@acme.example')
    await loaded
    await heading('API tokens').waitFor()
    const name = dialog('Create a token').getByRole('textbox', { name: 'Name' })
    await name.waitFor()
    expect(await name.inputValue()).toBe('')
    await name.press('Escape')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByText('adam@acme.example').waitFor()
    await page.keyboard.press('Escape')
  })
})

describe('when the code of a page does not arrive', () => {
  it('says so, stays while there is no connection, and recovers on "Try again"', async () => {
    await page.goto(`${scene.service.baseUrl}/app/acme`)
    await heading('Dashboard').waitFor()
    const lost = (path: string) => /\/assets\/(VulnerabilitiesPage|SourcesPage)/.test(path)
    await page.context().route(
      (address) => lost(address.pathname),
      (route) => route.abort(),
    )
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Sources' }).click()
    await page.getByText('This page could not be loaded.').waitFor()
    await expectAccessible(page)
    await scene.picture('page-not-loaded')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The service cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await page.context().unroute((address) => lost(address.pathname))
    await page.context().unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading('Sources').waitFor()
  })

  it('says so of a dialog, too', async () => {
    await page.goto(`${scene.service.baseUrl}/app/account`)
    await page.context().route(/\/assets\/AppSetup/, (route) => route.fulfill({ status: 404 }))
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByText('A part of this page could not be loaded.').waitFor()
    await page.context().unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
  })
})
