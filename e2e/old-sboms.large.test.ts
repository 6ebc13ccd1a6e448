import type { Page } from 'playwright-core'
import { beforeAll, describe, it } from 'vitest'
import { expectRow } from './support/expect-row.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowAt } from './support/rows.ts'

let scene: Scene
let page: Page

/** Of version 2.4.1, with one component. */
function small(name: string): string {
  return JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'pump-controller', version: '2.4.1' } },
    components: [{ type: 'library', name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0` }],
  })
}

/** The first SBOM has a component in the catalogue, so an incident names it; nothing names the five after it. */
beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', lead: 'Leo' })
  page = scene.page
  await scene.sendSbom(sampleSbom)
  for (const name of ['one', 'two', 'three', 'four', 'five']) await scene.sendSbom(small(name))
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
endAfterTests(() => scene)

const dialog = () => page.getByRole('dialog', { name: 'Old SBOMs of Pump' })
const counted = () => dialog().getByRole('region', { name: 'What would be removed now' })

async function openHistory(): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Families' }).click()
  await page.getByRole('table', { name: 'Families' }).getByRole('link', { name: 'Pump' }).click()
  await page.getByRole('tab', { name: 'SBOM history' }).click()
}

describe('what is kept of replaced SBOMs', () => {
  it('is all, until an owner or admin changes it', async () => {
    await openHistory()
    await page.getByText('All replaced SBOMs are kept.', { exact: true }).waitFor()
    await scene.look('old-sboms')
  })

  it('is counted before it is saved: what goes, and what stays and why', async () => {
    await page.getByRole('button', { name: 'Change what is kept' }).click()
    await dialog().getByRole('radio', { name: 'Keep the last ones of each version' }).check()
    await dialog().getByRole('textbox', { name: 'Replaced SBOMs of each version' }).fill('2')
    await counted().getByText('None of 5 replaced SBOMs would be removed now.').waitFor()
    await counted()
      .getByText(/^2 stay .*: covered by CRA Art. 13\(13\)$/)
      .waitFor()
    await counted()
      .getByText(/do not say when support ends/)
      .waitFor()
    await scene.look('old-sboms-law', { whole: false })
    await dialog()
      .getByRole('checkbox', { name: /Our company decides/ })
      .check()
    await counted()
      .getByText(/^2 SBOMs of 5 would be removed now: /)
      .waitFor()
    await counted()
      .getByText(/^1 stays .*: named by an incident$/)
      .waitFor()
    await counted()
      .getByText(/^2 stay .*: kept by this setting$/)
      .waitFor()
    await scene.look('old-sboms-counted', { whole: false })
  })

  it('is said on the page with who decided it', async () => {
    await dialog().getByRole('button', { name: 'Save and remove 2 SBOMs' }).click()
    await dialog().waitFor({ state: 'detached' })
    await page.getByText('The last 2 replaced SBOMs of each version are kept.').first().waitFor()
    await page.getByText(/holds none of them back: decided by Olga/).waitFor()
  })

  it('is followed by the service, which leaves a list of what went', async () => {
    await scene.service.cli(['retention'])
    await page.reload()
    const removed = page.getByRole('table', { name: 'Removed SBOMs' })
    await removed.waitFor()
    await page.getByRole('status').getByText('2 removed SBOMs', { exact: true }).waitFor()
    await expectRow(removed, { Version: '2.4.1', Entries: '1', Setting: 'last 2 of each version' })
    await page.getByRole('status').getByText('4 SBOMs', { exact: true }).waitFor()
    await scene.look('old-sboms-removed')
  })

  it('leaves a page for each of them, which says when it went and by which setting', async () => {
    const removed = page.getByRole('table', { name: 'Removed SBOMs' })
    await rowAt(removed, 1).getByRole('link').first().click()
    await page.getByText(/the family kept only the last 2 replaced SBOMs of each version\./).waitFor()
    await page.getByRole('heading', { name: 'Pump 2.4.1', level: 1 }).waitFor()
    await scene.look('old-sbom-page')
    await page.goto(`${scene.service.baseUrl}/app/acme/sboms/00000000-0000-7000-8000-000000000000`)
    await page
      .getByText(/There is no|not found|does not exist/i)
      .first()
      .waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'SBOM history of Pump' }).click()
    await removed.waitFor()
  })

  it('cannot be changed by a lead, who is told why', async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor()
    await scene.signIn(page, 'leo@acme.example')
    await openHistory()
    const button = page.getByRole('button', { name: 'Change what is kept' })
    await button.hover()
    await page.getByRole('tooltip').getByText('Your role is lead. This needs owner or admin.').waitFor()
  })
})
