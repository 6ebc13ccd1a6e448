import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, untilLoaded } from './support/browser.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowWith } from './support/rows.ts'

let scene: Scene
let page: Page
let sbomAddress: string

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
}, 240_000)
endAfterTests(() => scene)

const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const open = (name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
const table = (name: string) => page.getByRole('table', { name, exact: true })
const bar = () => page.getByRole('region', { name: 'Selected findings' })

/** A demo SBOM of another version in which only Log4j changed. */
const nextVersion = sampleSbom.replaceAll('"2.4.1"', '"2.5.0"').replaceAll('log4j-api', 'log4j-api-next')

describe('a workspace in which nothing could be judged', () => {
  it('gives no all-clear, and says what to do', async () => {
    await scene.signIn(page, 'olga@acme.example')
    await page.getByText('There is no active SBOM yet, so nothing has been checked.').waitFor()
    await expectAccessible(page)
    await scene.picture('f1-nothing-judged')
    await open('Vulnerabilities')
    await page.getByText('There is no active SBOM yet, so nothing has been checked.').waitFor()
    await page.getByRole('link', { name: 'Send an SBOM' }).click()
    await heading('Pump').waitFor()
    await page.getByText(/curl/).first().waitFor()
  })

  it('says which sources are switched off', async () => {
    await open('Sources')
    await page.getByText(/Switched off by the configuration, so not fetched: OSV, .*CISA KEV/).waitFor()
    await expectAccessible(page)
    await scene.picture('f2-switched-off')
  })
})

describe('what to fix first', () => {
  it('is on top of the dashboard: id, component, products, fix and age', async () => {
    await scene.sendSbom(sampleSbom)
    const { id } = await scene.sendSbom(nextVersion)
    sbomAddress = `${scene.service.baseUrl}/app/acme/sboms/${id}`
    await open('Dashboard')
    const log4j = rowWith(table('Deadlines'), /CVE-2021-44228 in Pump/)
    for (const words of ['CRA', 'early warning', 'open', /^in 23 h/, /UTC$/])
      await log4j.getByText(words).filter({ visible: true }).first().waitFor()
    await page.getByRole('link', { name: /^Take \d+ incidents? without an assignee$/ }).waitFor()
    await expectAccessible(page)
    await scene.picture('f3-dashboard')
  })

  it('leads to the page of a CVE that a tracker of a distribution found, with its products and what CISA asks for', async () => {
    await page.goto(`${scene.service.baseUrl}/app/acme/vulnerabilities/CVE-2023-4863`)
    await heading('CVE-2023-4863').waitFor()
    await rowWith(table('Affected products'), /Pump 2\.5\.0/).waitFor()
    const card = page.getByRole('region', { name: 'Known to be exploited' })
    await card.getByText('CISA demands a fix by').waitFor()
    await card.getByText(/Required action: Apply updates/).waitFor()
    for (const name of ['CVE', 'NVD', 'CISA KEV'])
      await card
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor()
    expect(await card.getByRole('link', { name: /^NVD/ }).getAttribute('href')).toBe(
      'https://nvd.nist.gov/vuln/detail/CVE-2023-4863',
    )
    await expectAccessible(page)
    await scene.picture('f4-cve', { whole: true })
  })

  it('is found by the search of the top bar under its CVE', async () => {
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search the workspace' })
    await field.fill('cve-2023-4863')
    const hit = page.getByRole('option', { name: /^CVE-2023-4863/ })
    await hit.waitFor()
    expect(await hit.textContent()).not.toContain('none of your products')
    await page.keyboard.press('Escape')
  })
})

describe('a verdict over several versions', () => {
  it('is recorded on the page of the vulnerability, with a warning, and undone', async () => {
    await page.goto(`${scene.service.baseUrl}/app/acme/vulnerabilities/CVE-2021-44228`)
    const affected = table('Affected products')
    await rowWith(affected, /Pump 2\.5\.0/).waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
    await bar().getByText('2 selected').waitFor()
    await bar().getByText('2 known to be exploited').waitFor()
    await expectAccessible(page)
    await scene.picture('f5-selected-versions')
    await bar().getByRole('button', { name: 'Record a verdict' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 of the 2 findings are known to be exploited.').waitFor()
    await dialog.getByRole('radio', { name: 'Only the 2 versions that are selected' }).waitFor()
    await dialog.getByRole('radio', { name: 'Under investigation' }).check()
    await expectAccessible(page)
    await scene.picture('f6-decide-versions')
    await dialog.getByRole('button', { name: 'Record verdict' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => affected.getByText('Under investigation').count()).toBe(2)
    await scene.picture('f7-undo')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => affected.getByText('Under investigation').count()).toBe(0)
    await page.getByText('Undone: 2 decisions are no longer in force.').waitFor()
  })
})

describe('all findings that fit a filter', () => {
  it('are judged at once, with a warning when exploited ones are among them', async () => {
    await page.goto(sbomAddress)
    const findings = table('Findings')
    await rowWith(findings, /CVE-2021-44228/).waitFor()
    await findings.getByRole('checkbox', { name: /CVE-2021-44228/ }).check()
    await bar()
      .getByRole('button', { name: /^Select all \d+$/ })
      .click()
    await bar()
      .getByText(/^\d selected$/)
      .waitFor()
    await bar().getByText('3 known to be exploited').waitFor()
    await expectAccessible(page)
    await scene.picture('f8-select-all')
    await bar().getByRole('button', { name: 'Record a verdict' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Fixed' }).check()
    await dialog.getByText(/exploited findings no longer appear in the lists of open findings/).waitFor()
    await dialog.getByRole('button', { name: 'Record verdict' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Every finding is declared not affected or fixed.').waitFor()
    await scene.picture('f9-all-declared')
  })

  it('are counted as declared by every page, over time too', async () => {
    await open('Families')
    await heading('Families').waitFor()
    await page.getByRole('link', { name: 'Pump' }).click()
    await heading('Pump').waitFor()
    const facts = page.getByText('Open findings').locator('..')
    await page.getByRole('tab', { name: 'Over time' }).click()
    // what was read before the verdicts is shown until it has been read again
    const chartOfFacts = async () => {
      const counted = (await facts.textContent())?.replace('Open findings', '') ?? ''
      return page.getByRole('img', { name: new RegExp(`now ${counted}$`) }).count()
    }
    await expect.poll(chartOfFacts).toBe(1)
    await page.getByText('Show as a table').click()
    await expectAccessible(page)
    await scene.picture('f10-trend')
  })

  it('are revoked together from the history of one of them', async () => {
    await page.goto(`${sbomAddress}?verdict=all`)
    await rowWith(table('Findings'), /CVE-2021-44228/).click()
    await page.getByRole('button', { name: /^Revoke all \d+ recorded together$/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Revoke all \d+ verdicts\?$/ })
    await expectAccessible(page)
    await scene.picture('f11-revoke-all')
    await dialog.getByRole('button', { name: /^Revoke \d+ verdicts$/ }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.goto(sbomAddress)
    await rowWith(table('Findings'), /CVE-2021-44228/)
      .getByText('undecided')
      .waitFor()
  })
})

describe('changes', () => {
  it('are told since the version before', async () => {
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByRole('link', { name: '2.4.1', exact: true }).waitFor()
    await rowWith(table('Components'), /log4j-api-next .*added/).waitFor()
    await expectAccessible(page)
    await scene.picture('f12-changes', { whole: true })
    await page.getByRole('link', { name: 'Compare', exact: true }).click()
    await heading('Comparison').waitFor()
    await page.getByText(/^From Pump 2\.4\.1 .* to Pump 2\.5\.0/).waitFor()
  })
})

it('the same in the dark and on a phone', { timeout: 240_000 }, async () => {
  const sbom = new URL(sbomAddress).pathname
  for (const path of [
    '/app/acme',
    '/app/acme/vulnerabilities',
    '/app/acme/vulnerabilities/CVE-2023-4863',
    sbom,
    `${sbom}?tab=changes`,
  ]) {
    await page.goto(`${scene.service.baseUrl}${path}`)
    await page.getByRole('table').first().waitFor()
    await untilLoaded(page)
    await scene.look(`g ${path.replaceAll('/', ' ').slice(-30)}`)
  }
})

describe('an SBOM whose data is not loaded', () => {
  it('says why, and how to load it, on a phone too', async () => {
    const components = [{ type: 'library', name: 'left', version: '1.0.0', purl: 'pkg:hackage/left@1.0.0' }]
    const { id } = await scene.sendSbom(
      JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        metadata: { component: { type: 'application', name: 'valve', version: '1.0.0' } },
        components,
      }),
    )
    await page.setViewportSize({ width: 390, height: 900 })
    await page.goto(`${scene.service.baseUrl}/app/acme/sboms/${id}`)
    await page.getByText('is not fully loaded, so this is not an all-clear').waitFor()
    await page.getByText(/^Switched off by the configuration: OSV, /).waitFor()
    const command = page.getByRole('region', { name: 'Load files on the server' })
    const box = await command.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(390)
    await expectAccessible(page)
    await scene.picture('f2-not-loaded')
    await page.goto(`${scene.service.baseUrl}/app/acme/sources`)
    await rowWith(page.getByRole('table', { name: 'Not covered' }), /Hackage/)
      .getByText('Hackage')
      .filter({ visible: true })
      .waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})
