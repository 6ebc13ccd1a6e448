import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { holdBack } from './support/hold-back.ts'
import { openScene, sampleSbom, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
/** Two SBOMs of the same components. */
let sboms: [string, string]

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  const first = await scene.sendSbom(sampleSbom)
  const second = await scene.sendSbom(sampleSbom.replace('2.4.1', '2.4.2'))
  sboms = [first.id, second.id]
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
afterAll(() => scene.close(), 60_000)
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await scene.picture(`failed ${task.name}`)
})

const open = (path: string) => page.goto(`${scene.service.baseUrl}/app/acme${path}`)
const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
/** As a link of the application leads there: the document stays. */
const goOn = (path: string) =>
  page.evaluate((to) => {
    const { history } = globalThis as unknown as {
      history: { pushState: (state: unknown, title: string, to: string) => void }
    }
    history.pushState({}, '', to)
  }, `/app/acme${path}`)
const bar = () => page.getByRole('region', { name: 'Selected findings' })
const boxes = () => page.getByRole('table', { name: 'Findings' }).getByRole('checkbox', { name: /^Select CVE/ })

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
})
