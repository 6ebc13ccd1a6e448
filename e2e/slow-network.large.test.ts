import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { holdBack } from './support/hold-back.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowAt, rowWith } from './support/rows.ts'

let scene: Scene
let page: Page
/** Two SBOMs with the same components. */
let sboms: [string, string]

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  const first = await scene.sendSbom(sampleSbom)
  const second = await scene.sendSbom(sampleSbom.replace('2.4.1', '2.4.2'))
  sboms = [first.id, second.id]
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
endAfterTests(() => scene)

const open = (path: string) => page.goto(`${scene.service.baseUrl}/app/acme${path}`)
const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
/** Navigates inside the application, without reloading the document. */
const goOn = (path: string) =>
  page.evaluate((to) => {
    const { history } = globalThis as unknown as {
      history: { pushState: (state: unknown, title: string, to: string) => void }
    }
    history.pushState({}, '', to)
  }, `/app/acme${path}`)
const bar = () => page.getByRole('region', { name: 'Selected findings' })
const boxes = () =>
  page.getByRole('table', { name: 'Findings' }).getByRole('checkbox', { name: /^Select CVE/ })

describe('what is chosen or typed', () => {
  it('is not carried from one SBOM to another', async () => {
    await open(`/sboms/${sboms[0]}`)
    await heading(/2\.4\.1/).waitFor()
    await boxes().first().check()
    await bar().waitFor()
    await goOn(`/sboms/${sboms[1]}`)
    await heading(/2\.4\.2/).waitFor()
    await boxes().first().waitFor()
    expect(await bar().count()).toBe(0)
  })

  it('is nothing when all findings of another filter arrive late', async () => {
    await open(`/sboms/${sboms[0]}`)
    await boxes().first().check()
    const ids = await holdBack(page, 'GET', /\/finding-ids$/)
    await bar()
      .getByRole('button', { name: /^Select all/ })
      .click()
    await expect.poll(ids.waiting).toBe(1)
    const answered = page.waitForResponse((answer) => /\/finding-ids/.test(answer.url()))
    await goOn(`/sboms/${sboms[0]}?severity=critical`)
    await bar().waitFor({ state: 'hidden' })
    await ids.letGo()
    await (await answered).finished()
    await boxes().first().waitFor()
    expect(await bar().count()).toBe(0)
  })

  it('stays when all findings could not be read, which is said', async () => {
    await open(`/sboms/${sboms[0]}`)
    await boxes().first().check()
    await page.route(/\/finding-ids/, (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
    await bar()
      .getByRole('button', { name: /^Select all/ })
      .click()
    await page.getByText(/such as a proxy, answered instead of it/).waitFor()
    await page.unroute(/\/finding-ids/)
    await bar().getByText('1 selected').waitFor()
  })
})

describe('a list whose answer is late or refused', () => {
  it('does not show the reports of one tab of the inbox as those of another', async () => {
    await open('/inbox')
    await page.getByText('No report waits for an answer.').waitFor()
    const reading = await holdBack(page, 'GET', /\/inbox$/)
    await page.getByRole('tab', { name: /^Closed/ }).click()
    await expect.poll(reading.waiting).toBeGreaterThan(0)
    await page.getByText('No report waits for an answer.').waitFor({ state: 'hidden' })
    expect(await page.getByText('No report has been closed.').count()).toBe(0)
    await reading.letGo()
    await page.getByText('No report has been closed.').waitFor()
  })

  it('asks once for a next page that is refused, and again when it is asked to', async () => {
    const components = Array.from({ length: 420 }, (_, at) => ({
      type: 'library',
      name: `part-${String(at).padStart(3, '0')}`,
      version: '1.0.0',
    }))
    const { id } = await scene.sendSbom(
      JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.5',
        metadata: { component: { type: 'application', name: 'Pump', version: '3.0.0' } },
        components,
      }),
    )
    let asked = 0
    const next = (address: URL) => address.searchParams.has('cursor')
    await page.route(next, async (route) => {
      asked += 1
      await route.fulfill({ status: 429, json: { error: 'rate_limited', message: 'Too many requests.' } })
    })
    await open(`/sboms/${id}?tab=components`)
    const table = page.getByRole('table', { name: 'Components' })
    await rowAt(table, 1).waitFor()
    const toEnd = () =>
      page.evaluate(`(() => {
        const region = document.querySelector('table[aria-label="Components"]').parentElement
        region.scrollTop = region.scrollHeight
      })()`)
    await toEnd()
    await page.getByText('Too many requests.').waitFor()
    await toEnd()
    for (let frame = 0; frame < 30; frame += 1)
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(drawn))')
    expect(asked).toBe(1)
    await scene.look('next-page-refused', { whole: false })
    await page.unroute(next)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect
      .poll(async () => {
        await toEnd()
        return table.getByText('part-419').count()
      })
      .toBe(1)
  })

  it('is told when a proxy answers instead of the service, and can be asked for again', async () => {
    const families = /\/families$/
    await page.route(
      ({ pathname }) => families.test(pathname) && pathname.startsWith('/api/'),
      (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<html>Bad gateway</html>' }),
    )
    await open('/families')
    await page.getByText(/such as a proxy, answered instead of it/).waitFor()
    expect(await page.getByText(/No famil/).count()).toBe(0)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Pump' }).waitFor()
  })
})

describe('what a filter offers, when it cannot be read', () => {
  it.each([
    { choice: 'Product family', path: '/vulnerabilities', asked: /\/family-names$/, offered: 'Pump' },
    { choice: 'Actor', path: '/settings/audit', asked: /\/audit\/actors$/, offered: 'Olga' },
  ])('is said at "$choice", and asked for again', async ({ choice, path, asked, offered }) => {
    const wanted = ({ pathname }: URL) => asked.test(pathname)
    await page.route(wanted, (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
    await open(path)
    const told = page.getByText(/^The .* could not be loaded\.$/)
    await told.waitFor()
    await scene.look(`unread-${choice}`, { whole: false })
    await page.unroute(wanted)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page
      .getByLabel(choice, { exact: true })
      .getByRole('option', { name: offered })
      .waitFor({ state: 'attached' })
    await told.waitFor({ state: 'hidden' })
  })
})

describe('without a connection', () => {
  const sidebar = (name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true })

  it('a page says so, and is there by itself when the connection is back', async () => {
    await open('/families')
    await page.getByRole('link', { name: 'Pump' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Archived' }).click()
    await page.getByText('The service cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('The service cannot be reached.').waitFor({ state: 'hidden' })
    await page.getByText('There are no archived families.').waitFor()
  })

  it('a file is sent again by its button, the browser asks before it is left, and its end is told on another page', async () => {
    await open('/families')
    await page.getByRole('link', { name: 'Pump' }).click()
    await page.getByRole('tab', { name: 'Upload' }).click()
    await page.context().setOffline(true)
    await page.locator('input[type=file]').setInputFiles({
      name: 'later.cdx.json',
      mimeType: 'application/json',
      buffer: Buffer.from(sampleSbom.replace('2.4.1', '2.4.8')),
    })
    await page.getByText('The service cannot be reached.').waitFor()
    await page.context().setOffline(false)
    const sending = await holdBack(page, 'POST', /\/sboms$/)
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(sending.waiting).toBe(1)
    const asked = page.waitForEvent('dialog')
    await page.evaluate('void setTimeout(() => location.reload())')
    await (await asked).dismiss()
    await sidebar('Sources').click()
    await heading('Sources').waitFor()
    await sending.letGo()
    await page.getByText('later.cdx.json is stored.').waitFor()
  })

  it('to the internet, the service in the own network goes on', async () => {
    await open('/families')
    await page.getByRole('link', { name: 'Pump' }).waitFor()
    await page.evaluate("window.dispatchEvent(new Event('offline'))")
    await sidebar('Components').click()
    await rowWith(page, /log4j-core/)
      .first()
      .waitFor()
  })
})

it('what could not be read leaves no table that looks as if it were still being read', async () => {
  const ofWorkspace = ({ pathname }: URL) => pathname.startsWith('/api/app/workspaces/acme/')
  const body = JSON.stringify({ error: 'forbidden', message: 'You may not do that.' })
  await page.route(ofWorkspace, (route) =>
    route.fulfill({ status: 403, contentType: 'application/json', body }),
  )
  for (const [path, title] of [
    ['', 'Dashboard'],
    ['/advisories', 'Advisories'],
  ] as const) {
    await open(path)
    await heading(title).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().waitFor()
    await expect.poll(() => page.locator('main .mantine-Skeleton-root').count()).toBe(0)
  }
  await page.unroute(ofWorkspace)
})

it('a computer whose clock is a day off shows deadlines and times by the clock of the service', async () => {
  const other = await page.context().newPage()
  await other.addInitScript(`{
    const real = Date
    const ahead = ${24 * 60 * 60 * 1000}
    globalThis.Date = class extends real {
      constructor(...given) {
        super(...(given.length === 0 ? [real.now() + ahead] : given))
      }
      static now() {
        return real.now() + ahead
      }
    }
  }`)
  await other.goto(`${scene.service.baseUrl}/app/acme/incidents`)
  await other.getByText('in 23 h').first().waitFor()
  await other.getByText(/updated \d+ s ago/).waitFor()
  await other.getByRole('link', { name: 'INC-2026-0001' }).click()
  await other.getByRole('button', { name: 'Record submission' }).first().click()
  const at = await other.getByLabel(/^Submitted at/).inputValue()
  expect(Math.abs(Date.parse(`${at}+01:00`) - Date.now())).toBeLessThan(2 * 60 * 60 * 1000)
  await other.close()
})
