import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SbomReceipt } from '../src/contract/sbom.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { startService, type Service } from '../test/support/service.ts'
import { expectAccessible, openBrowser, openContext } from './support/browser.ts'

const demo = join(import.meta.dirname, '../demo')
const pictures = process.env['SCREENSHOTS']
const password = 'correct horse battery'

let store: TestDatabase
let service: Service
let browser: Browser
let page: Page

type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

beforeAll(async () => {
  store = await createTestDatabase()
  service = await startService({
    env: { DATABASE_URL: store.url, LOG_LEVEL: 'warn' },
    readyWithinMs: 120_000,
  })
  for (const file of ['vulnerabilities.ndjson', 'kev.json']) {
    await service.cli(['vulnerabilities', 'import', join(demo, file)])
  }
  await sendTwoVersionsOfOneFile(await provision())
  browser = await openBrowser()
  page = await (await openContext(browser)).newPage()
}, 240_000)
afterAll(async () => {
  await browser.close()
  await service.stop()
  await store.drop()
}, 60_000)

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await picture(`failed ${task.name}`)
})

async function picture(name: string): Promise<void> {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`) })
}

async function provision(): Promise<string> {
  const { workspaces } = await service.cli<Provisioned>(['provision'], {
    workspaces: [
      {
        slug: 'acme',
        companyName: 'Acme',
        securityContactEmail: 'security@acme.example',
        plan: 'core',
        members: [{ email: 'olga@acme.example', name: 'Olga', role: 'owner', password }],
        families: [{ name: 'Pump', tokens: [{ name: 'ci', kind: 'upload' }] }],
      },
    ],
  })
  return workspaces[0]?.families[0]?.tokens[0]?.token ?? ''
}

/** The sample, and a second file of the same version in which Log4j is another one and one component is gone. */
async function sendTwoVersionsOfOneFile(token: string): Promise<void> {
  const sample = readFileSync(join(demo, 'sample.cdx.json'), 'utf8')
  const document = JSON.parse(sample.replaceAll('2.14.1', '2.17.1')) as { components: unknown[] }
  document.components.pop()
  for (const body of [sample, JSON.stringify(document)]) {
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await fetch(`${service.baseUrl}/api/v1/sboms`, { method: 'POST', headers, body })
    const { id } = (await answer.json()) as SbomReceipt
    await untilMatched(id)
  }
}

async function untilMatched(sbomId: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await store.pool.query<{ status: string }>('select status from sbom where id = $1', [
        sbomId,
      ])
      expect(rows[0]?.status).toBe('matched')
    },
    { timeout: 30_000, interval: 100 },
  )
}

const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const open = (name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()

describe('from a vulnerability in the news to the products that have it', () => {
  it('signs in', async () => {
    await page.goto(`${service.baseUrl}/app/sign-in`)
    await page.getByRole('textbox', { name: 'E-mail' }).fill('olga@acme.example')
    await page.getByLabel(/^Password/).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading('Dashboard').waitFor()
  })

  it('lists the vulnerabilities of all products, and narrows them', async () => {
    await open('Vulnerabilities')
    await heading('Vulnerabilities').waitFor()
    const rows = page.getByRole('table', { name: 'Vulnerabilities' }).getByRole('row')
    await rows.nth(1).waitFor()
    await expectAccessible(page)
    await picture('v1-vulnerabilities')
    const all = await rows.count()
    await page.getByRole('button', { name: 'Critical' }).click()
    await page.waitForURL(/severity=critical/)
    await expect.poll(() => rows.count()).toBeLessThan(all)
    await page.getByRole('button', { name: 'Critical' }).click()
    await page.getByRole('button', { name: 'EPSS' }).click()
    await page.waitForURL(/sort=epss/)
  })

  it('opens one and sees the product, the record and how to go on', async () => {
    const first = page.getByRole('table', { name: 'Vulnerabilities' }).getByRole('row').nth(1)
    const id = (await first.getByRole('rowheader').textContent()) ?? ''
    await first.click()
    await heading(id).waitFor()
    await page
      .getByRole('table', { name: 'Affected products' })
      .getByRole('row', { name: /Pump/ })
      .first()
      .waitFor()
    await expectAccessible(page)
    await picture('v2-vulnerability')
  })

  it('finds a CVE by the search of the top bar, although no product has it any more', async () => {
    await page.keyboard.press('Control+k')
    const field = page.getByRole('textbox', { name: 'Search the workspace' })
    await field.fill('cve-2021-44228')
    await page.getByRole('option', { name: /CVE-2021-44228/ }).waitFor()
    await expectAccessible(page)
    await picture('v3-search')
    await field.press('ArrowDown')
    await field.press('Enter')
    await heading('CVE-2021-44228').waitFor()
    await page.getByText('It affects none of your products').waitFor()
    await picture('v4-affects-nothing')
  })

  it('says where a component is used', async () => {
    await open('Components')
    await heading('Components').waitFor()
    await page.getByLabel('Search components').fill('log4j-core')
    await page.waitForURL(/search=log4j-core/)
    await page
      .getByRole('row', { name: /log4j-core 2\.17\.1 Pump/ })
      .or(page.getByRole('row', { name: /log4j-core/ }))
      .first()
      .waitFor()
    await expectAccessible(page)
    await picture('v5-components')
    await page
      .getByRole('row', { name: /log4j-core/ })
      .first()
      .click()
    await heading(/^Pump/).waitFor()
  })

  it('compares an SBOM with the one it replaced', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Compare' }).click()
    await heading('Comparison').waitFor()
    await page.getByRole('row', { name: /CVE-2021-44228 gone/ }).waitFor()
    await page.getByRole('row', { name: /log4j-core.*2\.14\.1.*2\.17\.1/ }).waitFor()
    await page.getByRole('row', { name: /removed/ }).waitFor()
    await expectAccessible(page)
    await picture('v6-comparison')
  })

  it('shows the findings of a family over time, as a picture and as a table', async () => {
    await open('Families')
    await page.getByRole('link', { name: 'Pump' }).click()
    await page.getByRole('tab', { name: 'Findings over time' }).click()
    await page.getByRole('img', { name: /^Open findings from/ }).waitFor()
    await page.getByText('Show as a table').click()
    await page.getByRole('table', { name: 'Findings by day' }).getByRole('row').nth(1).waitFor()
    await expectAccessible(page)
    await picture('v7-trend')
  })

  it('says what cannot be judged, and why', async () => {
    await open('Sources')
    await page.getByRole('table', { name: 'What cannot be judged' }).getByRole('row').nth(1).waitFor()
    await expectAccessible(page)
    await picture('v8-sources')
  })
})

describe('the same in the dark and on a phone', () => {
  it.each(['vulnerabilities', 'vulnerabilities/CVE-2021-44228', 'components', 'sources'])(
    '%s',
    async (path) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(`${service.baseUrl}/app/acme/${path}`)
      await heading(/./).waitFor()
      await page.getByRole('table').first().waitFor()
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(overflow).toBe(0)
      await expectAccessible(page)
      await picture(`v9-phone ${path.replace('/', ' ')}`)
    },
  )
})
