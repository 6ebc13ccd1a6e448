import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guides } from '../src/docs-site/guide-list.ts'
import { testNow } from '../test/support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { startTestHttp, type TestHttp } from '../test/support/http.ts'
import { expectAccessible, openBrowser, openContext } from './support/browser.ts'

/** SCREENSHOTS=folder keeps a picture of every step. */
const pictures = process.env['SCREENSHOTS']

let database: TestDatabase
let http: TestHttp
let browser: Browser
let page: Page
const failures: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow })
  browser = await openBrowser()
  page = await (await openContext(browser)).newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') failures.push(`${message.text()} at ${message.location().url}`)
  })
}, 240_000)
afterAll(async () => {
  await browser.close()
  await http.stop()
  await database.drop()
}, 60_000)

async function picture(name: string, fullPage = false): Promise<void> {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage })
}

const search = () => page.getByRole('searchbox', { name: 'Search the documentation' })

describe('the search of the documentation', () => {
  it('opens with a slash, finds while typing and is used with the keyboard alone', async () => {
    await page.goto(`${http.url}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('signature constant')
    const first = page.locator('.found a').first()
    // what the words typed so far find is shown meanwhile
    await expect.poll(() => first.textContent()).toContain('Alerts: Check the signature')
    await picture('docs-search')
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/alerts#check-the-signature$/)
    await page.keyboard.press('/')
    await page.keyboard.type('zebra')
    await page.getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Nothing found.').waitFor({ state: 'hidden' })
  })

  it('asks the server once, however much is typed', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${http.url}/docs/vex`)
    await search().fill('openvex')
    await page.locator('.found a').first().waitFor()
    await search().fill('statement unbound')
    await page.locator('.found a').first().waitFor()
    expect(asked.filter((path) => path.startsWith('/docs/search'))).toEqual(['/docs/search.json'])
  })

  it('is a page of results where no script runs', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(`${http.url}/docs`)
    await plain.getByRole('searchbox').fill('constant time')
    await plain.getByRole('button', { name: 'Search' }).click()
    await plain.getByRole('link', { name: /Alerts: Check the signature/ }).click()
    await plain.waitForURL(/\/docs\/alerts#check-the-signature$/)
  })
})

describe.each(['light', 'dark'] as const)('the pages in %s', (colorScheme) => {
  it.each(['/docs', '/docs/api', ...guides.map(({ name }) => `/docs/${name}`)])(
    '%s is accessible, and fits a phone',
    async (path) => {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${http.url}${path}`)
      // as when a phone is turned or a window narrowed
      for (const width of [1440, 1024, 360]) {
        await page.setViewportSize({ width, height: 800 })
        await picture(`docs${path.replaceAll('/', '-')}-${colorScheme}-${width}`)
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        expect(overflow, `${path} at ${width}`).toBe(0)
      }
      await expectAccessible(page)
    },
  )
})

it('prints the page alone', async () => {
  await page.setViewportSize({ width: 800, height: 1000 })
  await page.goto(`${http.url}/docs/alerts`)
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  expect(await page.getByRole('navigation').count()).toBe(0)
  await picture('docs-alerts-print')
  await page.emulateMedia({ media: 'screen' })
})

it('runs and loads nothing that the policy forbids', () => {
  expect(failures).toEqual([])
})
