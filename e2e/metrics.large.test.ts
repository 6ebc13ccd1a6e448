import { randomUUID } from 'node:crypto'
import { dayMs } from '../src/contract/durations.ts'
import { Pool } from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/browser.ts'
import { openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowAt, rowWith, tableNamed } from './support/rows.ts'

let scene: Scene
let page: Page
let store: Pool

/** `Pump` has a history of 80 days: findings that arrived one by one, some decided, some gone, and counts of the last 40 days. */
beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  store = new Pool({ connectionString: scene.storeUrl })
  await scene.sendSbom(sampleSbom)
  await writeHistory()
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
afterAll(async () => {
  await store.end()
  await scene.close()
}, 60_000)

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await scene.picture(`failed ${task.name}`)
})

async function writeHistory(): Promise<void> {
  const ago = (days: number) => new Date(Date.now() - days * dayMs)
  await store.query('update sbom set received_at = $1', [ago(80)])
  const { rows } = await store.query<{ id: string }>('select id from finding order by id')
  for (const [place, { id }] of rows.entries()) {
    await store.query('update finding set first_seen_at = $2 where id = $1', [id, ago(80 - (place % 60))])
    if (place % 4 === 0) {
      await store.query(
        'update finding set closed_at = first_seen_at + make_interval(days => $2) where id = $1',
        [id, 1 + (place % 15)],
      )
    }
    if (place % 5 === 1) {
      await store.query(
        `update finding set verdict = 'affected', verdict_decision_id = $2, verdict_since = first_seen_at + make_interval(days => $3),
          first_verdict_at = first_seen_at + make_interval(days => $3) where id = $1`,
        [id, randomUUID(), 1 + (place % 6)],
      )
    }
  }
  await store.query(
    `insert into family_day (family_id, day, workspace_id, counted_at, kev, euvd, exploited, covered, components)
     select f.id, d::date, f.workspace_id, d, 1 + (extract(day from d)::int % 3), 2, 3, 90 + (extract(day from d)::int % 9), 100
     from family f, generate_series($1::timestamptz, $2::timestamptz, interval '1 day') d
     where extract(day from d) not in (13, 14) on conflict do nothing`,
    [ago(40), ago(1)],
  )
  await loseHex(ago(4))
}

/** Twelve Hex components that were covered, whose source has been discontinued. */
async function loseHex(countedAt: Date): Promise<void> {
  await store.query(
    `insert into coverage_day (workspace_id, day, ecosystem, state, components, counted_at)
     select id, $1::date, 'Hex', 'covered', 12, $1 from workspace where slug = 'acme'`,
    [countedAt],
  )
  await store.query(
    `update sbom_inventory set coverage = coverage || jsonb_build_array(
       jsonb_build_object('decidability', 'covered', 'ecosystem', 'Hex', 'reason', null, 'components', 12))`,
  )
  await store.query(
    `insert into data_source (name, last_success_at, absent_since, record_count) values ('osv:Hex', $1, $1, 3)`,
    [countedAt],
  )
}

const heading = (words: RegExp) => page.getByRole('heading', { name: words, level: 2 })

describe('the dashboard', () => {
  it('shows how coverage developed, and what is no longer covered', async () => {
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    const section = page.getByRole('region', { name: 'Coverage' })
    await section.getByText(/% of the components are covered, 9\d.% on /).waitFor()
    await section.getByText(/Hex \(12 components\): its source no longer publishes data on it\./).waitFor()
    await section.getByText(/12 components covered on .+ are no longer covered/).waitFor()
    await scene.look('dashboard with coverage')
    await section.getByRole('link', { name: 'What is not covered' }).click()
    await page.getByText(/Hex \(12 components\)/).waitFor()
    await scene.look('sources with lost coverage')
  })
})

describe('the metrics', () => {
  it('are in the navigation, and each chart says what it shows', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Metrics' }).click()
    await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor()
    await heading(/findings? (is|are) open/).waitFor()
    await heading(/known to be exploited/).waitFor()
    await heading(/Half of the verdicts came within .+, half of the fixes within/).waitFor()
    await heading(/of the components are covered/).waitFor()
    // the 13th and the 14th of each month were not counted
    await expect.poll(() => page.getByText(/No figures for .*13–14 /).count()).toBe(2)
    await expectAccessible(page)
    await scene.picture('metrics', { whole: true })
  })

  it('have the numbers of each chart in a table', async () => {
    for (const name of [
      'Open findings by day',
      'Exploited findings by day',
      'Times by severity',
      'Coverage by day',
    ]) {
      const table = page.getByRole('table', { name })
      expect(await table.isVisible()).toBe(false)
    }
    for (const fold of await page.getByText('Show as a table').all()) await fold.click()
    await rowAt(tableNamed(page, 'Open findings by day'), 2).waitFor()
    await rowWith(tableNamed(page, 'Times by severity'), /^All/).waitFor()
    await expectAccessible(page)
  })

  it('are of a family and a period that the address keeps', async () => {
    await page.getByRole('combobox', { name: 'Period' }).selectOption('30 days')
    await page.waitForURL(/days=30/)
    await page.getByRole('combobox', { name: 'Product family' }).selectOption('Pump')
    await page.waitForURL(/family=/)
    await page.reload()
    await page.getByText(/^Pump · /).waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Period' }).inputValue()).toBe('30')
  })

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)('can be read in %s at %i pixels', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${scene.service.baseUrl}/app/acme/metrics`)
    await heading(/of the components are covered/).waitFor()
    await expectAccessible(page)
    const scrolls = await page.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    )
    expect(scrolls).toBe(false)
    await scene.picture(`metrics ${colorScheme} ${width}`, { whole: true })
  })

  it('are printed whole, in black on white, without the choices', async () => {
    await page.emulateMedia({ colorScheme: 'light', media: 'print' })
    await page.setViewportSize({ width: 800, height: 1100 })
    expect(await page.getByRole('combobox', { name: 'Period' }).isVisible()).toBe(false)
    expect(await page.getByRole('table', { name: 'Coverage by day' }).isVisible()).toBe(true)
    await scene.picture('metrics printed', { whole: true })
    await page.emulateMedia({ media: 'screen' })
  })
})

it('a badge of the family is switched on and off in its menu', async () => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', media: 'screen' })
  await page.goto(`${scene.service.baseUrl}/app/acme/families`)
  await page.getByRole('button', { name: 'Actions for Pump' }).click()
  await page.getByRole('menuitem', { name: 'Status badge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Status badge of Pump' })
  await dialog.getByText('The badge is off').waitFor()
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  const markdown = await dialog.getByText(/!\[Vulnerabilities\]/).textContent()
  const address = /\((.+\.svg)\)/.exec(markdown ?? '')?.[1] ?? ''
  await expectAccessible(page)
  await scene.picture('badge')
  const shown = await fetch(address)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await dialog.getByText('The badge is off').waitFor()
  expect((await fetch(address)).status).toBe(404)
})
