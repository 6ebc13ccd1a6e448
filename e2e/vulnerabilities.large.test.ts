import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { changeProfile } from '../src/contract/people/operations/profile.ts'
import { expectAccessible } from './support/browser.ts'
import { distributionRecords, imageSbom } from './support/image.ts'
import { rapidReset } from './support/many-records.ts'
import { expectRow } from './support/expect-row.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowAt, rowsAndHeadings, rowWith, tableNamed } from './support/rows.ts'
import { listIn, objectIn } from '../test/support/read-as.ts'

let scene: Scene
let page: Page

/** The sample, and a second file of the same version with another Log4j and one component less. */
beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  const document = objectIn(sampleSbom.replaceAll('2.14.1', '2.17.1'))
  listIn(document, 'components').pop()
  for (const body of [sampleSbom, JSON.stringify(document)]) await scene.sendSbom(body)
}, 240_000)
endAfterTests(() => scene)

const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const open = (name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()

async function importRecords(records: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-records-'))
  const file = join(folder, 'records.ndjson')
  await writeFile(file, records)
  await scene.service.cli(['vulnerabilities', 'import', file])
  await rm(folder, { recursive: true })
}

describe('from a vulnerability in the news to the products that have it', () => {
  it('signs in', async () => {
    await scene.signIn(page, 'olga@acme.example')
  })

  it('lists the vulnerabilities of all products, and narrows them', async () => {
    await open('Vulnerabilities')
    await heading('Vulnerabilities').waitFor()
    const rows = rowsAndHeadings(tableNamed(page, 'Vulnerabilities'))
    await rows.nth(1).waitFor()
    await expectAccessible(page)
    await scene.picture('v1-vulnerabilities')
    const all = await rows.count()
    await page.getByRole('button', { name: 'Critical' }).click()
    await page.waitForURL(/severity=critical/)
    await expect.poll(() => rows.count()).toBeLessThan(all)
    await page.getByRole('button', { name: 'Critical' }).click()
    await page.getByRole('button', { name: 'EPSS' }).click()
    await page.waitForURL(/sort=epss/)
  })

  it('opens one and sees the product, the record and how to go on', async () => {
    const found = tableNamed(page, 'Vulnerabilities')
    const first = rowAt(found, 1).getByRole('rowheader')
    const [id = ''] = ((await first.textContent()) ?? '').split(' ')
    // by its id: the order that was just asked for may come between
    await rowWith(found, new RegExp(id)).first().click()
    await heading(id).waitFor()
    await rowWith(tableNamed(page, 'Affected products'), /Pump/).first().waitFor()
    await expectAccessible(page)
    await scene.picture('v2-vulnerability')
  })

  it('finds a CVE by the search of the top bar, although no product has it any more', async () => {
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search the workspace' })
    await field.fill('cve-2021-44228')
    // the full id: first the vulnerability itself, then its incident
    const options = page.getByRole('option')
    await expect
      .poll(() => options.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^CVE-2021-44228\s+Affects none of your products/),
        expect.stringMatching(/^INC-\d{4}-\d{4}\s+CVE-2021-44228/),
      ])
    await expectAccessible(page)
    await scene.picture('v3-search')
    await field.press('ArrowDown')
    await field.press('Enter')
    await heading('CVE-2021-44228').waitFor()
    await page.getByText('It affects none of your products').waitFor()
    await scene.picture('v4-affects-nothing')
  })

  it('says where a component is used', async () => {
    await open('Components')
    await heading('Components').waitFor()
    await page.getByLabel('Search components').fill('log4j-core')
    await page.waitForURL(/search=log4j-core/)
    await rowWith(page, /log4j-core 2\.17\.1 Pump/)
      .or(rowWith(page, /log4j-core/))
      .first()
      .waitFor()
    await expectAccessible(page)
    await scene.picture('v5-components')
    await rowWith(page, /log4j-core/)
      .first()
      .click()
    await heading(/^Pump/).waitFor()
  })

  it('compares an SBOM with the one it replaced', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Compare' }).click()
    await heading('Comparison').waitFor()
    const found = page.getByRole('table', { name: 'Vulnerabilities' })
    const components = page.getByRole('table', { name: 'Components' })
    await expectRow(found, { Vulnerability: 'CVE-2021-44228', Change: 'gone' })
    await expectRow(components, { Component: 'log4j-core', Before: '2.14.1', After: '2.17.1' })
    await expectRow(components, { Change: 'removed' })
    await expectAccessible(page)
    await scene.picture('v6-comparison')
  })

  it('shows the findings of a family over time, as a picture and as a table', async () => {
    await open('Families')
    await heading('Families').waitFor()
    await page.getByRole('link', { name: 'Pump' }).click()
    await page.getByRole('tab', { name: 'Over time' }).click()
    await page.getByRole('img', { name: /^Open findings from/ }).waitFor()
    await page.getByText('Show as a table').click()
    await rowAt(tableNamed(page, 'Findings by day'), 1).waitFor()
    await expectAccessible(page)
    await scene.picture('v7-trend')
  })

  it('says what is not covered, and why', async () => {
    await open('Sources')
    await rowAt(tableNamed(page, 'Not covered'), 1).waitFor()
    await expectAccessible(page)
    await scene.picture('v8-sources')
  })
})

describe('a CVE that many records describe', () => {
  it('says each text once, compares the records on one line each, and folds the rest', async () => {
    await importRecords(rapidReset.records)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${scene.service.baseUrl}/app/acme/vulnerabilities/${rapidReset.id}`)
    await rowAt(tableNamed(page, 'Records compared'), 8).waitFor()
    expect(await page.getByText(rapidReset.text).filter({ visible: true }).count()).toBe(1)
    await page.getByText('OSV: Bitnami, 10 records').waitFor()
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('table[aria-label="Records compared"] tbody tr')].map((row) => Math.round(row.getBoundingClientRect().height))`,
    )
    expect(new Set(heights)).toEqual(new Set([36]))
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(2_400)
    await expectAccessible(page)
    await scene.picture('v8a-many-records', { whole: true })
  })

  it('shows every record to the keyboard too', async () => {
    const record = page.getByRole('heading', { name: 'BIT-solr-2023-44487' })
    expect(await record.isVisible()).toBe(false)
    await page.getByText(/Show all \d+ records/).focus()
    await page.keyboard.press('Enter')
    await record.waitFor()
    await expectAccessible(page)
  })
})

describe('texts of one line', () => {
  /** Cells cut in a table, with the columns shown on this screen. */
  const cutIn = (table: string, texts: string, on = page) =>
    on.evaluate<string[]>(
      `[...document.querySelectorAll('table[aria-label="${table}"] tbody ${texts}')]
        .filter((text) => text.scrollWidth > text.clientWidth + 1).map((text) => text.textContent)`,
    )

  it('say on a wide screen how many versions are affected, and when a record was changed', async () => {
    // the widest day of a year that still has its time
    const day = '2026-05-23T12:07:18Z'
    await importRecords(
      rapidReset.records.replaceAll(
        '"modified":"2024-01-01T00:00:00Z"',
        `"modified":"${day}","published":"${day}"`,
      ),
    )
    const olga = await scene.elsewhere('olga@acme.example')
    await olga.call(changeProfile, { body: { timeZone: 'Europe/Oslo' } })
    const june = await page.context().newPage()
    await june.clock.setFixedTime(new Date('2026-06-20T10:00:00Z'))
    await june.setViewportSize({ width: 1440, height: 900 })
    await june.goto(`${scene.service.baseUrl}/app/acme/vulnerabilities/${rapidReset.id}`)
    const record = rowWith(tableNamed(june, 'Records compared'), /BIT-apisix/)
    for (const column of [0, 1]) await record.getByText('23 May, 14:07 CEST').nth(column).waitFor()
    expect(await cutIn('Records compared', 'td:nth-last-child(-n + 2)', june)).toEqual([])
    await june.close()
    await olga.call(changeProfile, { body: { timeZone: null } })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${scene.service.baseUrl}/app/acme/vulnerabilities`)
    await rowAt(tableNamed(page, 'Vulnerabilities'), 1).waitFor()
    const cut = await cutIn('Vulnerabilities', 'td')
    expect(cut.filter((text) => /^\d+ versions? of/.test(text))).toEqual([])
  })

  it('name the component on a phone, with its version below', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${scene.service.baseUrl}/app/acme/vulnerabilities/${rapidReset.id}`)
    await rowAt(tableNamed(page, 'Affected products'), 1).waitFor()
    expect(await cutIn('Affected products', '.named-first bdi')).toEqual([])
    await scene.picture('v8c-phone')
  })
})

describe('an image in which a package of the distribution installed a Python package', () => {
  it('lists what is left to the distribution', async () => {
    await importRecords(distributionRecords)
    const { id } = await scene.sendSbom(imageSbom)
    await page.goto(`${scene.service.baseUrl}/app/acme/sboms/${id}`)
    await page.getByRole('tab', { name: /Quality/ }).click()
    const left = page.getByRole('table', { name: 'Left to the distribution' })
    await rowWith(left, /CVE-2023-32681.*requests 2\.25\.1.*2\.25\.1\+dfsg-2\+deb11u1/).waitFor()
    await expectAccessible(page)
    await scene.picture('v8b-left', { whole: true })
  })
})

describe('the same in the dark and on a phone', () => {
  it.each(['vulnerabilities', 'vulnerabilities/CVE-2021-44228', 'components', 'sources'])(
    '%s',
    async (path) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(`${scene.service.baseUrl}/app/acme/${path}`)
      await heading(/./).waitFor()
      await page.getByRole('table').first().waitFor()
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(overflow).toBe(0)
      await expectAccessible(page)
      await scene.picture(`v9-phone ${path.replace('/', ' ')}`)
    },
  )
})
