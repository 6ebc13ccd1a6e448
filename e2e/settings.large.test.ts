import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldOf, listIn } from '../test/support/read-as.ts'
import { expectAccessible } from './support/browser.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowAt, rowWith } from './support/rows.ts'

const limit = { timeout: 180_000 }

let scene: Scene
let page: Page
let sbomId: string
/** The browser of these tests shows one person at a time; sessions are kept for their return. */
const sessions: Record<string, Awaited<ReturnType<BrowserContext['cookies']>>> = {}

async function as(name: 'olga' | 'vera'): Promise<void> {
  // a page that asks for something meanwhile would find another person, and load itself again
  await page.goto('about:blank')
  await page.context().clearCookies()
  const session = sessions[name]
  if (session !== undefined) await page.context().addCookies(session)
  else await scene.signIn(page, `${name}@acme.example`)
  sessions[name] = await page.context().cookies()
}

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', viewer: 'Vera' })
  page = scene.page
  await scene.service.cli(['provision'], {
    workspaces: [
      {
        slug: 'acme',
        companyName: 'Acme',
        securityContactEmail: 'security@acme.example',
        plan: 'core',
        families: [],
        destinations: [
          {
            kind: 'webhook',
            name: 'On call',
            url: 'https://alerts.acme.example/',
            events: ['incident.opened'],
          },
        ],
      },
    ],
  })
  sbomId = (await scene.sendSbom(sampleSbom)).id
  await as('vera')
  await as('olga')
}, 300_000)
endAfterTests(() => scene)

const open = async (path: string, title: string) => {
  await page.goto(`${scene.service.baseUrl}/app/acme${path}`)
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}

async function expectExport(button: string, format: 'CSV' | 'JSON'): Promise<string> {
  await page.getByRole('button', { name: button }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(format === 'CSV' ? /\.csv$/ : /\.json$/)
  return readFile(await download.path(), 'utf8')
}

type Placed = { getBoundingClientRect(): { y: number } }

describe('the settings', () => {
  it('list their pages in the order of the work', limit, async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Company', level: 1 }).waitFor()
    const groups = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    const found: Record<string, string[]> = {}
    for (const group of await groups.all()) {
      // by keyboard, as by click
      await group.press('Enter')
      const name = (await group.innerText()).replace(/\n?\d+$/, '')
      const own = page.getByRole('navigation', { name, exact: true }).getByRole('link')
      await own.first().waitFor()
      found[name] = (await own.allInnerTexts()).map((text) => text.replace(/\n?\d+$/, ''))
      // in one evaluation: between two of them the page may move
      const lines = (row: typeof own) =>
        row.evaluateAll(
          (links: Placed[]) => new Set(links.map((link) => link.getBoundingClientRect().y)).size,
        )
      for (const row of [groups, own]) expect(await lines(row), 'lines of tabs').toBe(1)
    }
    expect(found).toEqual({
      General: ['Company', 'Regimes and authorities', 'Disclosure'],
      Connections: ['API tokens', 'Dependency-Track', 'Notifications'],
      People: ['Members', 'Sign-in'],
      'Plan and audit': ['Billing', 'Audit trail', 'Close workspace'],
    })
  })

  it('Company: the name is changed, and shown at once', limit, async () => {
    await open('/settings/company', 'Company')
    await page.getByRole('textbox', { name: /^Company name/ }).fill('Acme Pumps')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings are saved.').waitFor()
    await page.getByRole('complementary', { name: 'Workspace' }).getByText('Acme Pumps').waitFor()
    await scene.look('settings-company')
  })

  it('Sign-in: the issuer asks for its secret or the word that there is none', limit, async () => {
    await open('/settings/sign-in', 'Sign-in')
    await page.getByRole('switch', { name: 'Every member needs a second factor' }).waitFor()
    await page.getByRole('textbox', { name: /^Domain/ }).fill('acme.example')
    await page.getByRole('button', { name: 'Add the domain' }).click()
    await page.getByText('_sbom-monitor.acme.example').waitFor()
    await page.getByRole('textbox', { name: /^Issuer/ }).fill('https://id.acme.example')
    await page.getByRole('textbox', { name: /^Client id/ }).fill('monitor')
    await page.getByRole('button', { name: 'Save the issuer' }).click()
    expect(await page.getByRole('button', { name: 'Remove the issuer' }).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'The client has no secret' }).check()
    await page.getByRole('button', { name: 'Save the issuer' }).click()
    await page.getByRole('button', { name: 'Remove the issuer' }).waitFor()
    await scene.look('settings-sign-in')
    await page.getByRole('button', { name: 'Remove the issuer' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the issuer' }).click()
    await page.getByText('The issuer is removed.').waitFor()
    await page.getByRole('button', { name: 'Remove acme.example' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the domain' }).click()
    await page.getByText('_sbom-monitor.acme.example').waitFor({ state: 'hidden' })
  })

  it('Billing: the plan and who changes it', limit, async () => {
    await open('/settings/billing', 'Billing')
    await page.getByText('The operator of this service sets the plan. Ask them for another one.').waitFor()
    await scene.look('settings-billing')
  })

  it('tell members who are not owners what is for owners', limit, async () => {
    await as('vera')
    await open('/settings/billing', 'Billing')
    // people who cannot see the subscription see the plan and who can change it
    await page.getByRole('region', { name: 'Plan', exact: true }).getByText('Core').waitFor()
    await page.getByText('The operator of this service sets the plan. Ask them for another one.').waitFor()
    await open('/settings/close', 'Close workspace')
    await page.getByText('Closing the workspace is for owners.').waitFor()
    await open('/settings/audit', 'Audit trail')
    await page.getByText('Your role is viewer.').waitFor()
    await expectAccessible(page)
    await as('olga')
  })
})

describe('the audit trail', () => {
  const acts = () => page.getByRole('table', { name: 'Audit trail' })

  const filters = () => page.getByRole('group', { name: 'Filters' })
  const drawer = () => page.getByRole('dialog')

  it('is narrowed by day and by what acts were on', limit, async () => {
    await open('/settings/audit', 'Audit trail')
    await rowAt(acts(), 3).waitFor()
    await scene.look('audit')
    await page.getByLabel('On', { exact: true }).selectOption({ label: 'SBOM' })
    await filters().getByText('SBOM').waitFor()
    await page.getByLabel('From').fill('2999-01-01')
    await page.getByText('No event matches the filters.').waitFor()
    await scene.look('audit-filters')
    await page.getByRole('link', { name: 'Show all events' }).click()
    await rowAt(acts(), 3).waitFor()
  })

  it('shows what an act changed, and leads to the others on the same', limit, async () => {
    await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Company settings changed' })
    await page.waitForURL(/action=/)
    await rowWith(acts(), /Company settings changed/).click()
    await drawer().getByText('Actor', { exact: true }).waitFor()
    await rowWith(drawer(), /company ?name Acme Acme Pumps/i).waitFor()
    await scene.look('audit-act')
    await page.goBack()
    await open('/settings/audit?action=workspace.sign_in_changed', 'Audit trail')
    await rowWith(acts(), /Workspace Acme/)
      .first()
      .click()
    await drawer().getByRole('link', { name: 'All events on this' }).click()
    await filters()
      .getByText(/^On Acme/)
      .waitFor()
  })

  it('is exported as it is narrowed, as CSV and JSON', limit, async () => {
    await open('/settings/audit?objectKind=sbom', 'Audit trail')
    const [head, ...rows] = (await expectExport('Export the audit trail', 'CSV')).trim().split('\r\n')
    expect(head).toContain('"time"')
    expect(rows.map((row) => /"SBOM uploaded"/.test(row))).toEqual([true])
    const events = listIn(JSON.parse(await expectExport('Export the audit trail', 'JSON')), 'rows')
    expect(events.map((event) => fieldOf(event, 'action'))).toEqual(['sbom.uploaded'])
  })

  it('opens the event of a link, however far back it is', limit, async () => {
    const { rows } = await scene.store.query<{ id: number; workspace_id: string }>(
      `select id, workspace_id from audit_event where action = 'family.created'`,
    )
    const [created] = rows
    await scene.store.query(
      `insert into audit_event (workspace_id, at, actor_kind, actor_name, action, object_kind, object_id, object_name)
       select $1, now(), 'system', 'SBOM Monitor', 'family.renamed', 'family', 'f', 'Pump ' || n from generate_series(1, 250) n`,
      [created?.workspace_id],
    )
    await open(`/settings/audit?event=${created?.id}`, 'Audit trail')
    await drawer().getByText('Family created').waitFor()
    await drawer().getByText(String(created?.id), { exact: true }).waitFor()
    expect(await rowWith(acts(), /Family created/).count()).toBe(0)
    await page.keyboard.press('Escape')
    await drawer().waitFor({ state: 'hidden' })
    await page.waitForURL((url) => url.search === '')
  })

  it('says when a link leads to no event', limit, async () => {
    await open('/settings/audit?event=99999999', 'Audit trail')
    await drawer().getByRole('alert').waitFor()
    await scene.look('audit-no-event')
  })
})

describe('exports of lists', () => {
  const lists = [
    { name: 'incidents', path: '/incidents', button: 'Export incidents', content: 'INC-' },
    { name: 'findings of an SBOM', path: '/sboms/:sbom', button: 'Export findings', content: 'CVE-' },
    {
      name: 'components of an SBOM',
      path: '/sboms/:sbom?tab=components',
      button: 'Export components',
      content: 'pkg:',
    },
    { name: 'components', path: '/components', button: 'Export components', content: 'pkg:' },
  ]
  it.each(lists)('$name', limit, async ({ name, path, button, content }) => {
    await page.goto(`${scene.service.baseUrl}/app/acme${path.replace(':sbom', sbomId)}`)
    await page.getByRole('button', { name: button }).waitFor()
    await scene.look(`export-${name.replaceAll(' ', '-')}`)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const csv = await expectExport(button, 'CSV')
    expect(csv).toContain(content)
    const json = await expectExport(button, 'JSON')
    expect(json).toContain(content)
    JSON.parse(json)
  })
})

describe('what a plan lets out', () => {
  it('Starter posts nothing: the destinations say so', limit, async () => {
    await scene.store.query(`update workspace set plan = 'starter'`)
    await open('/settings/notifications', 'Notifications')
    await rowWith(page, /On call/)
      .getByText('Not sent on Starter')
      .waitFor()
    await scene.look('starter-destinations')
  })

  const states = [
    {
      name: 'a trial that ends soon',
      change: `plan = 'trial', trial_ends_at = now() + interval '4 days 23 hours'`,
      words: 'The trial ends in 5 days',
      others: 'The operator of this service sets the plan.',
    },
    {
      name: 'read-only',
      change: `plan = 'free', trial_ends_at = null`,
      words: 'Read-only: the trial or subscription has ended',
      others: 'The operator of this service sets the plan.',
    },
    {
      name: 'suspended',
      change: `plan = 'core', suspended_at = now()`,
      words: 'the operator of this service has suspended',
      others: 'Ask the operator to lift it.',
    },
  ]
  it.each(states)('$name: it is said above every page', limit, async ({ name, change, words, others }) => {
    await scene.store.query(`update workspace set ${change}`)
    await open('/settings/billing', 'Billing')
    await page.getByRole('status').getByText(words).waitFor()
    // nothing is sold here
    expect(await page.getByRole('status').getByRole('link').count()).toBe(0)
    await scene.look(`banner-${name.replaceAll(' ', '-')}`)
    await as('vera')
    await open('', 'Dashboard')
    const banner = page.getByRole('status').filter({ hasText: words })
    await banner.getByText(others).waitFor()
    await as('olga')
  })

  afterAll(() => scene.store.query(`update workspace set plan = 'core', suspended_at = null`))
})

describe('closing the workspace', () => {
  it('asks for the name and the password, and is shown to its owners alone', limit, async () => {
    await open('/settings/close', 'Close workspace')
    const close = page.getByRole('button', { name: 'Close the workspace' })
    expect(await close.isDisabled()).toBe(true)
    await scene.look('close')
    await page.getByLabel(/^Type Acme Pumps to close/).fill('Acme Pumps')
    await page.getByLabel(/^Your password/).fill('not the password')
    await close.click()
    await page.getByText('This is not your password.').waitFor()
    await page.getByLabel(/^Your password/).fill('correct horse battery')
    await close.click()
    await page.getByText('The workspace is closed.').waitFor()
    await page.getByRole('heading', { name: 'Reopen the workspace' }).waitFor()
    await page.getByText('This workspace is closed: uploads are refused').waitFor()
    await scene.look('closed-owner')

    await as('vera')
    await page.goto(`${scene.service.baseUrl}/app/acme/findings/x`)
    await page.getByRole('heading', { name: 'This workspace is closed', level: 1 }).waitFor()
    await page.getByText('Ask an owner to reopen it.').waitFor()
    await scene.look('closed-viewer')
    await as('olga')
  })

  it('is undone by an owner', limit, async () => {
    await open('/families', 'Families')
    await page.getByRole('status').getByRole('link', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: 'Reopen the workspace' }).click()
    await page.getByText('The workspace is open again.').waitFor()
    await page.getByText('This workspace is closed').waitFor({ state: 'hidden' })
    await as('vera')
    await open('', 'Dashboard')
  })
})
