import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { listFamilies } from '../src/contract/products/operations.ts'
import { sendVex } from '../src/contract/sbom/upload-operations.ts'
import { getIncident, listIncidents, openIncident } from '../src/contract/incidents/operations.ts'
import { getDraft, recordSubmission, saveDraft } from '../src/contract/incidents/report-operations.ts'
import { decideDetermination, recordDetermination } from '../src/contract/incidents/act-operations.ts'
import type { BodyOf } from '../src/contract/operation.ts'
import type { AppSession } from '../test/support/app-session.ts'
import { expectAccessible, untilLoaded } from './support/browser.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { libwebpVex } from './support/vex-files.ts'
import { rowAt, rowWith, tableNamed } from './support/rows.ts'

let scene: Scene
let page: Page
let olga: AppSession
let per: AppSession
/** The incident opened by the match of Log4j. */
let matched: string

const password = 'correct horse battery'

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', lead: 'Per' })
  page = scene.page
  olga = await scene.elsewhere('olga@acme.example')
  per = await scene.elsewhere('per@acme.example')
  const [family] = (await olga.call(listFamilies)).rows
  await olga.call(sendVex, { params: { family: family?.id }, raw: libwebpVex })
  await scene.sendSbom(sampleSbom)
  matched = await untilOpened('CVE-2021-44228')
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
endAfterTests(() => scene)

const sidebar = (name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
const dialog = () => page.getByRole('dialog')
/** The incident's button, not a message's. */
const close = () => page.getByRole('main').getByRole('button', { name: 'Close', exact: true })
const stage = (report: string) =>
  page
    .getByRole('group', { name: /Cyber Resilience Act/ })
    .getByRole('listitem')
    .filter({ hasText: report })
const show = (incident: string, search = '') =>
  page.goto(`${scene.service.baseUrl}/app/acme/incidents/${incident}${search}`)

async function as(email: string): Promise<void> {
  await page.context().clearCookies()
  await scene.signIn(page, email)
}

async function untilOpened(vulnerability: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const [incident] = (await olga.call(listIncidents, { query: { vulnerability } })).rows
      if (incident === undefined) throw new Error(`no incident on ${vulnerability} yet`)
      return incident.id
    },
    { timeout: 120_000, interval: 100 },
  )
}

const openByHand = async (title: string, facts: Partial<BodyOf<typeof openIncident>> = {}) => {
  const body = { kind: 'severe_incident' as const, title, families: [], ...facts }
  return (await olga.call(openIncident, { body })).id
}

const detailOf = (incident: string) => olga.call(getIncident, { params: { incident } })

describe('a match', () => {
  it('opens an incident: it is first on the dashboard, with a running clock', async () => {
    await sidebar('Incidents')
    await page
      .getByRole('link', { name: /^INC-\d{4}-\d{4}$/ })
      .first()
      .waitFor()
    await expectAccessible(page)
    await scene.picture('i1-list')
    await sidebar('Dashboard')
    const deadlines = page.getByRole('table', { name: 'Deadlines' })
    await rowWith(deadlines, /CVE-2021-44228 in Pump/)
      .first()
      .waitFor()
    await deadlines
      .getByText(/^in 23 h \d\d min$/)
      .first()
      .waitFor()
    await deadlines.getByText(/UTC$/).first().waitFor()
  })

  it('is explained by the page: clocks, what is affected, and how it came about', async () => {
    await show(matched)
    await page.getByRole('heading', { level: 1, name: /CVE-2021-44228 in Pump/ }).waitFor()
    await stage('Early warning')
      .getByText(/^in 23 h/)
      .waitFor()
    await stage('Final report').getByText('waits for a fix or a mitigation').waitFor()
    await page
      .getByRole('table', { name: 'Affected versions and components' })
      .getByText('log4j-core')
      .filter({ visible: true })
      .first()
      .waitFor()
    await expectAccessible(page)
    await scene.picture('i3-incident', { whole: true })
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page
      .getByRole('list', { name: 'Timeline' })
      .getByText(/^Opened/)
      .waitFor()
  })

  it('asks who takes it, and says since when it is given to nobody, until somebody does', async () => {
    await show(matched)
    await page.getByText('Who takes this?').waitFor()
    await page.getByText(/^It has had no assignee since/).waitFor()
    await scene.look('i2-untaken', { whole: false })
    await page.getByRole('button', { name: 'Take it' }).click()
    await page.getByText(/ is yours\.$/).waitFor()
    await page.getByText('Who takes this?').waitFor({ state: 'hidden' })
    expect((await detailOf(matched)).assignee?.name).toBe('Olga')
  })

  it('that a document declares not affected is shown as held back', async () => {
    await page.goto(`${scene.service.baseUrl}/app/acme/suppressed`)
    await rowWith(tableNamed(page, 'Held back by VEX'), /CVE-2023-4863/).waitFor()
  })
})

describe('a determination', () => {
  it('counts once another person approves it; the incident is closed, and opened again', async () => {
    await show(matched)
    await page.getByRole('button', { name: 'Record determination' }).click()
    await dialog()
      .getByRole('radio', { name: /^Not affected/ })
      .click()
    await dialog().getByRole('textbox', { name: 'Why' }).fill('too short')
    await dialog().getByRole('button', { name: 'Record determination' }).click()
    await dialog().getByText('Explain it in at least 20 characters.').waitFor()
    await dialog()
      .getByRole('textbox', { name: 'Why' })
      .fill('The lookup is switched off in every build that we ship.')
    await scene.picture('i4-determination')
    await dialog().getByRole('button', { name: 'Record determination' }).click()
    await page
      .getByText('It has no effect until a second person approves it: the reports stay due.')
      .waitFor()
    const approve = page.getByRole('button', { name: 'Approve' })
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBe('true')
    await stage('Early warning')
      .getByText(/^in 23 h/)
      .waitFor()

    await as('per@acme.example')
    await page.getByRole('link', { name: /^Decide: Not affected on INC-/ }).click()
    await approve.click()
    await dialog().getByRole('button', { name: 'Approve' }).click()
    await stage('Early warning').getByText('not required').waitFor()

    await close().click()
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('Not affected, approved by two people.')
    await dialog().getByRole('button', { name: 'Close incident' }).click()
    await page.getByText(/by Per: Not affected, approved by two people\./).waitFor()
    await page.getByRole('button', { name: 'Reopen' }).click()
    await dialog()
      .getByRole('radio', { name: /^New evidence/ })
      .click()
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('A customer saw it exploited in the field.')
    await dialog().getByRole('button', { name: 'Reopen' }).click()
    await stage('Early warning')
      .getByText(/^in 23 h/)
      .waitFor()
    await as('olga@acme.example')
  })

  it('is approved by an owner alone where nobody else can, with the reason, after a sign-in of the last ten minutes', async () => {
    await scene.service.cli(['provision'], {
      workspaces: [
        {
          slug: 'solo',
          companyName: 'Solo',
          securityContactEmail: 'security@solo.example',
          plan: 'core',
          members: [{ email: 'sol@solo.example', name: 'Sol', role: 'owner', password }],
          families: [],
        },
      ],
    })
    const sol = await scene.elsewhere('sol@solo.example')
    const { id: incident } = await sol.call(openIncident, {
      body: { kind: 'severe_incident', title: 'Stolen laptop', families: [] },
    })
    const reasoning = 'The disk was encrypted, and the keys were replaced at once.'
    await sol.call(recordDetermination, { params: { incident }, body: { value: 'not_severe', reasoning } })
    await as('sol@solo.example')
    await page.goto(`${scene.service.baseUrl}/app/solo/incidents/${incident}`)
    await page.getByRole('button', { name: 'Approve without second person' }).click()
    await dialog().getByRole('textbox', { name: 'Why nobody else can' }).fill('Nobody else works here yet.')
    await expectAccessible(page)
    await scene.picture('i5-alone')
    await dialog().getByRole('button', { name: 'Approve without second person' }).click()
    await page.getByText(/approved without second person by/).waitFor()
    await stage('Early warning').getByText('not required').waitFor()
    await as('olga@acme.example')
  })
})

it('what waits in several incidents is approved at once: the dialog names who recorded each, and one’s own are left out', async () => {
  const [first, second] = [await openByHand('Lost badge of Per'), await openByHand('Lost badge of Olga')]
  const reasoning = 'The badge opens no door behind which anything is built.'
  const body = { value: 'not_severe', reasoning } as const
  await per.call(recordDetermination, { params: { incident: first }, body })
  await olga.call(recordDetermination, { params: { incident: second }, body })
  await as('per@acme.example')
  await page.goto(`${scene.service.baseUrl}/app/acme/incidents?search=Lost+badge`)
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const waiting = dialog().getByRole('list', { name: 'What waits' }).getByRole('listitem')
  await waiting.filter({ hasText: 'Not severe, recorded by Olga' }).waitFor()
  await waiting.filter({ hasText: 'Not severe, recorded by Per' }).waitFor()
  await dialog().getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('You recorded this: a second person has to decide.').waitFor()
  expect((await detailOf(first)).determination?.state).toBe('pending')
  expect((await detailOf(second)).determination?.state).toBe('approved')
  await as('olga@acme.example')
})

describe('a report', () => {
  it('is drafted, filed, and its incident closed', async () => {
    const incident = await openByHand('Changed build', { severity: 'high' })
    const reasoning = 'Somebody changed a file of the build server, and it reached two customers.'
    const { id: determination } = await olga.call(recordDetermination, {
      params: { incident },
      body: { value: 'severe_incident', reasoning },
    })
    if ((await detailOf(incident)).approvals.cra !== null)
      await per.call(decideDetermination, { params: { incident, determination }, body: { approve: true } })
    await show(incident)
    await stage('Early warning').getByRole('link', { name: 'Draft, CRA: early warning' }).click()
    await page.getByText('Made from what is known. Nothing is saved yet.').waitFor()
    await page.getByText(/fields? to look at$/).waitFor()
    await page.getByRole('textbox', { name: /title/i }).first().fill('A file of the build server was changed')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Saved by').waitFor()
    await expectAccessible(page)

    await close().click()
    await dialog().getByText('Reports are neither submitted nor declared not required.').waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })

    await stage('Early warning')
      .getByRole('button', { name: 'Record submission, CRA: early warning' })
      .click()
    await dialog().getByRole('textbox', { name: 'Reference of the authority' }).fill('SRP-1')
    await dialog().getByRole('checkbox', { name: 'Notification' }).click()
    await dialog().getByRole('checkbox', { name: 'Final report' }).click()
    await expectAccessible(page)
    await scene.picture('i6-submission')
    await dialog().getByRole('button', { name: 'Record submission' }).click()
    await stage('Early warning').getByText('submitted').waitFor()
    await page.getByRole('tab', { name: /^Submissions/ }).click()
    await page.getByText('SRP-1').first().waitFor()

    await close().click()
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('All is filed.')
    await dialog().getByRole('button', { name: 'Close incident' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
  })

  it('that is late says why, and that it was late, also where another one covers it', async () => {
    const awareAt = new Date(Date.now() - 2 * 86_400_000).toISOString()
    const incident = await openByHand('Known for days', { awareAt })
    await show(incident)
    await stage('Early warning')
      .getByText(/^overdue by/)
      .waitFor()
    await scene.picture('i7-overdue', { whole: true })
    await sidebar('Dashboard')
    await rowAt(tableNamed(page, 'Deadlines'), 1)
      .getByText(/^overdue by/)
      .waitFor()
    await show(incident)
    await stage('Notification').first().getByRole('button', { name: 'Record submission' }).click()
    const why = dialog().getByRole('textbox', { name: 'Why it is late' })
    expect(await why.count()).toBe(0)
    await dialog().getByRole('checkbox', { name: 'Early warning' }).click()
    await why.fill('The mailbox was not read over the weekend.')
    await dialog().getByRole('button', { name: 'Record submission' }).click()
    await stage('Early warning').getByText('submitted late').waitFor()
  })

  it('whose time was typed wrongly is corrected, with the reason for what was late after all', async () => {
    const awareAt = new Date(Date.now() - 30 * 3_600_000).toISOString()
    const incident = await openByHand('Typed wrongly', { awareAt })
    const { reports } = await detailOf(incident)
    const early = reports.find(({ report }) => report === 'early_warning')?.id ?? ''
    const submittedAt = new Date(Date.now() - 10 * 3_600_000).toISOString()
    await olga.call(recordSubmission, {
      params: { incident, report: early },
      body: { kind: 'submission', submittedAt, channel: 'Portal' },
    })
    await show(incident, '?tab=submissions')
    await page.getByRole('button', { name: 'Correct the time' }).click()
    await dialog().getByLabel('Submitted at').fill(new Date().toISOString().slice(0, 19))
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('The day was typed wrongly at first.')
    await dialog().getByRole('textbox', { name: 'Why it is late' }).fill('The portal did not answer.')
    await dialog().getByRole('button', { name: 'Correct', exact: true }).click()
    await stage('Early warning').getByText('submitted late').waitFor()
  })

  it('takes over the draft of the same vulnerability in another incident', async () => {
    const facts = { kind: 'vulnerability', vulnerability: 'CVE-2024-3094' } as const
    const first = await openByHand('A backdoor in the pump', facts)
    const drill = await openByHand('A backdoor, as an exercise', { ...facts, isExercise: true })
    const draftOf = async (incident: string) => {
      const { reports, reference } = await detailOf(incident)
      return { reference, report: reports.find(({ report }) => report === 'early_warning')?.id ?? '' }
    }
    const { report, reference } = await draftOf(first)
    const { revision, values } = await olga.call(getDraft, { params: { incident: first, report } })
    await olga.call(saveDraft, {
      params: { incident: first, report },
      body: { revision, values: { ...values, 2: 'Told once for both' } },
    })
    await show(drill, `?tab=drafts&report=${(await draftOf(drill)).report}`)
    await page.getByRole('button', { name: `Copy from ${reference}` }).click()
    await page.getByText('Saved by').waitFor()
    await expect
      .poll(() => page.getByRole('textbox', { name: /^2 · / }).inputValue())
      .toBe('Told once for both')
  })
})

it('a drill is marked, and is no deadline of the dashboard', async () => {
  await sidebar('Incidents')
  await page.getByRole('button', { name: 'Open incident' }).click()
  await expectAccessible(page)
  await dialog()
    .getByRole('radio', { name: /^A severe incident/ })
    .click()
  await dialog()
    .getByRole('textbox', { name: /^Title/ })
    .fill('Stolen signing key')
  await dialog()
    .getByRole('checkbox', { name: /^A drill/ })
    .click()
  await scene.picture('i8-open')
  await dialog().getByRole('button', { name: 'Open incident' }).click()
  await page.getByRole('heading', { level: 1, name: /Stolen signing key/ }).waitFor()
  await page.getByText('drill', { exact: true }).first().waitFor()
  await sidebar('Dashboard')
  const deadlines = page.getByRole('table', { name: 'Deadlines' })
  await deadlines.getByText('in Pump').first().waitFor()
  expect(await deadlines.getByText('Stolen signing key').count()).toBe(0)
  await page.getByText(/^The last drill was on/).waitFor()
})

it('the evidence is kept as a file, and opens as a page to print', async () => {
  await show(matched)
  const { reference } = await detailOf(matched)
  await page.getByRole('button', { name: 'More' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Evidence as JSON' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`${reference}-evidence.json`)
  await page.getByRole('button', { name: 'More' }).click()
  const [print] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('menuitem', { name: 'Page to print' }).click(),
  ])
  await print.getByRole('heading', { level: 1 }).getByText(reference).waitFor()
  await print.close()
})

it('the same in the dark and on a phone', { timeout: 600_000 }, async () => {
  const incident = `/incidents/${matched}`
  for (const [name, path, seen] of [
    ['dashboard', '', 'Deadlines'],
    ['list', '/incidents', 'Open incident'],
    ['affected', incident, 'log4j-core'],
    ['drafts', `${incident}?tab=drafts`, 'Save draft'],
    ['submissions', `${incident}?tab=submissions`, 'Submissions'],
    ['timeline', `${incident}?tab=timeline`, 'Opened:'],
    ['comments', `${incident}?tab=comments`, 'Tasks'],
    ['review', '/review', 'To review'],
    ['held-back', '/suppressed', 'CVE-2023-4863'],
    ['regimes', '/settings/regimes', 'Regimes'],
  ] as const) {
    await page.goto(`${scene.service.baseUrl}/app/acme${path}`)
    await page.getByText(seen).filter({ visible: true }).first().waitFor()
    await untilLoaded(page)
    await scene.look(`j-${name}`)
  }
})
