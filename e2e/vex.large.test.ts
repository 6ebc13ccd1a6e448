import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { expectAccessible, untilLoaded } from './support/browser.ts'
import { expectRow } from './support/expect-row.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { file, openVex, projectExport, scannerReport } from './support/vex-files.ts'
import { rowAt, rowsAndHeadings, rowWith, tableNamed } from './support/rows.ts'

let scene: Scene
let page: Page
let sbomAddress: string

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', viewer: 'Vera' })
  page = scene.page
  const { id } = await scene.sendSbom(sampleSbom)
  sbomAddress = `${scene.service.baseUrl}/app/acme/sboms/${id}`
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
endAfterTests(() => scene)

const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const findings = () => page.getByRole('table', { name: 'Findings' })
const log4j = () => rowWith(findings(), /CVE-2021-44228/)
const sent = (name: string) =>
  page.getByRole('list', { name: 'Sent files' }).getByRole('listitem').filter({ hasText: name })

async function openFamily(tab: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Families' }).click()
  // the page before may name the family, too
  await heading('Families').waitFor()
  await page.getByRole('link', { name: 'Pump' }).click()
  await heading('Pump').waitFor()
  await page.getByRole('tab', { name: tab, exact: true }).click()
}

describe('from a VEX document to the verdict on a finding', () => {
  it('teaches what a VEX document is for while there is none', async () => {
    await openFamily('VEX')
    await page.getByText('There are no VEX documents yet.').waitFor()
    await expectAccessible(page)
    await scene.picture('x1-no-vex')
  })

  it('says when the list cannot be read, and tries again', async () => {
    const answer = { status: 500, json: { error: 'internal', message: 'The service could not complete it.' } }
    await page.route(/\/families\/[^/]+\/vex/, (route) => route.fulfill(answer))
    await page.reload()
    await page.getByRole('alert').getByText('The service could not complete it.').waitFor()
    await expectAccessible(page)
    await scene.picture('x1-failed')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('There are no VEX documents yet.').waitFor()
  })

  it('says why a file was refused', async () => {
    await page
      .locator('input[type=file]')
      .setInputFiles([file('notes.json', '{ "a": '), file('bom.json', sampleSbom)])
    await sent('notes.json').getByText('The body is not valid JSON.').waitFor()
    await sent('bom.json')
      .getByText('Configure the tool that writes the document to write one of these formats.')
      .waitFor()
    await expectAccessible(page)
    await scene.picture('x2-refused')
  })

  it('sends a document, which says what became of it', async () => {
    await page.locator('input[type=file]').setInputFiles(file('pump.vex.json', openVex))
    await sent('pump.vex.json').getByText('Stored: OpenVEX with 3 statements for every version.').waitFor()
    await rowWith(tableNamed(page, 'VEX documents'), /OpenVEX 0.2.0/).waitFor()
    await expectAccessible(page)
    await scene.picture('x3-sent')
  })

  it('shows what each statement is bound to, and how to bind the rest', async () => {
    await rowWith(tableNamed(page, 'VEX documents'), /OpenVEX/).click()
    await heading('Pump: OpenVEX 0.2.0').waitFor()
    const statements = page.getByRole('table', { name: 'Statements' })
    await expectRow(statements, {
      Vulnerability: 'CVE-2021-44228',
      Components: 'log4j-core',
      Binding: 'bound',
    })
    await expectRow(statements, { Vulnerability: 'CVE-2020-8203', Binding: 'waiting' })
    await expectAccessible(page)
    await scene.picture('x4-document')
    await rowWith(statements, /CVE-2021-44228/).click()
    await page.getByRole('dialog').getByText('without lookups').waitFor()
    await expectAccessible(page)
    await scene.picture('x5-statement')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: /Not bound 1/ }).click()
    await page.getByText('These statements are stored but have no effect.').waitFor()
    await rowWith(page, /CVE-2019-10744/).waitFor()
    await expectAccessible(page)
    await scene.picture('x6-unbound')
  })

  it('takes the finding out of the list and says so', async () => {
    await page.goto(sbomAddress)
    await page.getByText('1 finding declared not affected or fixed is hidden.').waitFor()
    expect(await log4j().count()).toBe(0)
    await expectAccessible(page)
    await scene.picture('x7-hidden')
    await page.getByRole('link', { name: 'Show all verdicts' }).click()
    await log4j().getByText('Not affected').waitFor()
    await page.getByRole('combobox', { name: 'Verdict' }).selectOption({ label: 'Not affected' })
    await page.waitForURL(/verdict=not_affected/)
    await expect.poll(() => rowsAndHeadings(findings()).count()).toBe(2)
    const found = page.url()
    await page.goto(`${scene.service.baseUrl}/app/acme/vulnerabilities`)
    await page.getByText('1 vulnerability declared not affected or fixed is hidden.').waitFor()
    await expectAccessible(page)
    await scene.picture('x7-vulnerabilities')
    await page.goto(found)
  })

  it('names the statement that decided', async () => {
    await log4j().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('link', { name: 'Statement 1 of the OpenVEX document' }).waitFor()
    await drawer.getByText('by Acme product security').waitFor()
    await drawer.getByText('The vulnerable code is never executed').waitFor()
    await drawer.getByText(/no incident is opened automatically/).waitFor()
    await expectAccessible(page)
    await scene.picture('x8-drawer')
  })
})

describe('from a member’s decision and back', () => {
  it('records one, which goes before the document; both are shown', async () => {
    await page.getByRole('dialog').getByRole('link', { name: 'Open as a page' }).click()
    await heading('CVE-2021-44228').waitFor()
    await page.getByRole('button', { name: 'Record a verdict' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Record verdict' }).click()
    await dialog.getByText('Choose a verdict.').waitFor()
    await dialog.getByRole('radio', { name: 'Not affected' }).check()
    await dialog.getByRole('button', { name: 'Record verdict' }).click()
    await dialog.getByText(/needs a reason/).waitFor()
    await expectAccessible(page)
    await scene.picture('x9-decision')
    await dialog.getByRole('radio', { name: 'Affected', exact: true }).check()
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('The web interface logs what users type.')
    await dialog.getByRole('radio', { name: 'Every version of Pump' }).check()
    await dialog.getByRole('button', { name: 'Record verdict' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const card = page.getByRole('region', { name: 'Verdict' })
    await card.getByText('Decided by Olga').waitFor()
    await card.getByText(/An uploaded document says “not affected”/).waitFor()
    await card.getByText('The web interface logs what users type.').waitFor()
    await expectAccessible(page)
    await scene.picture('x10-decided')
  })

  it('revokes it, after saying what counts then', async () => {
    await page.getByRole('button', { name: 'Revoke this verdict' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/Then “not affected” applies, as stated in an uploaded document/).waitFor()
    await expectAccessible(page)
    await scene.picture('x11-revoke')
    await dialog.getByRole('button', { name: 'Revoke verdict' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const card = page.getByRole('region', { name: 'Verdict' })
    await card.getByText('Not affected').first().waitFor()
    await card.getByText('Earlier decisions (1)').click()
    await card.getByText(/Revoked by Olga/).waitFor()
    await scene.picture('x12-history')
  })

  it('judges several findings at once, by mouse and by keyboard', async () => {
    await page.goto(sbomAddress)
    await rowAt(findings(), 1).getByRole('checkbox').check()
    await rowAt(findings(), 2).getByRole('link').focus()
    await page.keyboard.press(' ')
    const bar = page.getByRole('region', { name: 'Selected findings' })
    await bar.getByText('2 selected').waitFor()
    await expectAccessible(page)
    await scene.picture('x13-selected')
    await bar.getByRole('button', { name: 'Record a verdict' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Under investigation' }).check()
    await dialog.getByRole('button', { name: 'Record verdict' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => findings().getByText('Under investigation').count()).toBe(2)
    await bar.waitFor({ state: 'hidden' })
    await scene.picture('x14-judged')
  })
})

describe('handing verdicts on, and taking documents back', () => {
  it.each([
    ['OpenVEX', /"@context"/],
    ['CSAF VEX', /"csaf_version"/],
    ['CycloneDX VEX', /"bomFormat"/],
  ])('exports %s', async (format, mark) => {
    await openFamily('VEX')
    await page.getByRole('button', { name: 'Export VEX' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: format, exact: true }).check()
    await dialog.getByRole('combobox', { name: 'Version' }).selectOption('2.4.1')
    await expectAccessible(page)
    await scene.picture(`x15-export ${format}`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    const written = readFileSync(await download.path(), 'utf8')
    expect(written).toMatch(mark)
    expect(written).toContain('CVE-2021-44228')
  })

  it('withdraws a document and restores it', async () => {
    await openFamily('VEX')
    await rowWith(tableNamed(page, 'VEX documents'), /OpenVEX/).click()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/1 finding loses the verdict it gives/).waitFor()
    await expectAccessible(page)
    await scene.picture('x16-withdraw')
    await dialog.getByRole('button', { name: 'Withdraw document' }).click()
    await page.getByText(/Withdrawn by Olga/).waitFor()
    await expectAccessible(page)
    await scene.picture('x17-withdrawn')
    const documentAddress = page.url()
    await page.goto(sbomAddress)
    await log4j().getByText('undecided').waitFor()
    await page.goto(documentAddress)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore document' }).click()
    await page.getByRole('main').getByText('active', { exact: true }).waitFor()
  })

  it('lists what scanners report and our own matching has not found', async () => {
    await openFamily('VEX')
    await page.getByRole('combobox', { name: 'Applies to' }).fill('2.4.1')
    await page.keyboard.press('Escape')
    await page.locator('input[type=file]').setInputFiles(file('report.cdx.json', scannerReport))
    await sent('report.cdx.json')
      .getByText(/reports 1 finding without a verdict/)
      .waitFor()
    await page.getByRole('tab', { name: 'Reported' }).click()
    await rowWith(page, /CVE-2024-99999 express/).waitFor()
    await expectAccessible(page)
    await scene.picture('x18-reported')
  })
})

describe('a document that replaces another', () => {
  it('can be dropped on the page', async () => {
    await openFamily('VEX')
    await page.getByRole('combobox', { name: 'Applies to' }).fill('2.4.1')
    await page.keyboard.press('Escape')
    const text = JSON.stringify(JSON.stringify(projectExport))
    const carried = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${text}], 'export.json', { type: 'application/json' }))
      return transfer
    })()`)
    const area = page.getByText(/^Drop VEX documents here/)
    await area.dispatchEvent('dragover', { dataTransfer: carried })
    await area.dispatchEvent('drop', { dataTransfer: carried })
    await sent('export.json').getByText('It replaces 1 earlier document.').waitFor()
    await expectAccessible(page)
  })

  it('says what it replaced, and what an export of Dependency-Track lacks', async () => {
    await sent('export.json').getByRole('link', { name: 'Open the document' }).click()
    await heading('Pump: CycloneDX 1.5').waitFor()
    await page.getByText(/^It took the place of the/).waitFor()
    await page.getByRole('tab', { name: /Not bound 1/ }).click()
    await page.getByText(/Give the project a purl there/).waitFor()
    await expectAccessible(page)
    await scene.picture('x22-dependency-track')
    await page.getByRole('link', { name: /^CycloneDX 1.6 document/ }).click()
    await page.getByText(/^Replaced by the/).waitFor()
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    await expectAccessible(page)
    await scene.picture('x23-replaced')
  })
})

describe('the settings of the connector', () => {
  it('has the ready text and lists what was refused', async () => {
    const bom = { content: '(Omitted)', format: 'CycloneDX', specVersion: '1.6' }
    const subject = { project: { uuid: 'p', name: 'pump-controller', version: '2.4.1' }, bom }
    await fetch(`${scene.service.baseUrl}/api/v1/connectors/dependency-track`, {
      method: 'POST',
      headers: { 'X-Api-Key': scene.uploadToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        notification: { group: 'GROUP_BOM_PROCESSED', title: 'x', content: 'x', subject },
      }),
    })
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
    await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('link', { name: 'Connections' })
      .click()
    await page.getByRole('link', { name: 'Dependency-Track' }).click()
    await heading('Dependency-Track').waitFor()
    await page.getByText(`${scene.service.baseUrl}/api/v1/connectors/dependency-track`).waitFor()
    await expectRow(page.getByRole('table'), { Project: 'pump-controller', Reason: 'carries no BOM' })
    await expectAccessible(page)
    await scene.picture('x19-connector')
    await rowWith(page, /pump-controller/).click()
    await page
      .getByRole('dialog')
      .getByText(/Have a job fetch and send it/)
      .waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Version 5' }).click()
    await page.getByText('bom_omitted').waitFor()
    await page.getByText('sbom-monitor pull-dependency-track').waitFor()
    await expectAccessible(page)
    await scene.picture('x19-connector-5')
  })

  it('offers the client beside curl', async () => {
    await openFamily('Upload')
    await page.getByText('Client', { exact: true }).click()
    await page.getByText('sbom-monitor upload bom.json --wait --fail-on exploited').waitFor()
    await expectAccessible(page)
    await scene.picture('x20-upload')
  })
})

describe('a viewer', () => {
  it('sees everything, and why nothing can be changed', async () => {
    await page.context().clearCookies()
    await scene.signIn(page, 'vera@acme.example')
    await page.goto(sbomAddress)
    await rowAt(findings(), 1).click()
    const button = page.getByRole('dialog').getByRole('button', { name: 'Record a verdict' })
    await button.waitFor()
    await expectAccessible(page)
    await button.hover()
    await page
      .getByRole('tooltip', { name: 'Your role is viewer. This needs owner, admin, lead or editor.' })
      .waitFor()
    await scene.picture('x21-viewer')
    await page.context().clearCookies()
    await scene.signIn(page, 'olga@acme.example')
  })
})

describe('the same in the dark and on a phone', () => {
  const addresses = async () => {
    await page.goto(sbomAddress)
    await page.getByRole('combobox', { name: 'Verdict' }).selectOption({ label: 'All verdicts' })
    await log4j().click()
    const finding = (await page.getByRole('link', { name: 'Open as a page' }).getAttribute('href')) ?? ''
    const document =
      (await page.getByRole('link', { name: /^Statement 1/ }).getAttribute('href'))?.split('?')[0] ?? ''
    await page.keyboard.press('Escape')
    await openFamily('VEX')
    const family = new URL(page.url()).pathname
    return {
      sbom: new URL(sbomAddress).pathname,
      finding,
      document,
      unbound: `${document}?show=unbound`,
      vex: `${family}?tab=vex`,
      reported: `${family}?tab=reported`,
      upload: `${family}?tab=upload`,
      connector: '/app/acme/settings/connector',
    }
  }

  it('every page', { timeout: 240_000 }, async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const [name, address] of Object.entries(await addresses())) {
      await page.goto(`${scene.service.baseUrl}${address}`)
      await heading(/./).waitFor()
      await page
        .getByRole('table')
        .or(page.getByRole('region', { name: 'Verdict' }))
        .or(page.getByRole('listitem'))
        .first()
        .waitFor()
      await untilLoaded(page)
      await scene.look(`y-${name}`)
    }
  })
})
