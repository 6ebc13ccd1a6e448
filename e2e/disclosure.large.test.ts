import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hourMs } from '../src/contract/durations.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { multipart, receiptPath, stampIn } from '../test/disclosure/disclosure-scene.ts'
import { createAdvisory, prefillAdvisoryFromIncident } from '../src/contract/advisories/operations.ts'
import { changeReport, openIncidentFromReport } from '../src/contract/disclosure/operations.ts'
import { listFamilies } from '../src/contract/products/operations.ts'
import { textFields } from '../src/disclosure/form/read-report.ts'
import { openScene, sampleSbom, type Scene } from './support/scene.ts'

const folder = mkdtempSync(join(tmpdir(), 'disclosure-clock-'))
const clockFile = join(folder, 'offset')
let offsetMs = 0
/** Advances the service's clock: forms sent within three seconds are refused. */
function pass(ms: number): void {
  offsetMs += ms
  writeFileSync(clockFile, String(offsetMs))
}

let scene: Scene
let page: Page
beforeAll(async () => {
  writeFileSync(clockFile, '0')
  scene = await openScene({ owner: 'Olga', viewer: 'Vera' }, { LAB_CLOCK_OFFSET_FILE: clockFile })
  page = scene.page
}, 240_000)
afterAll(async () => {
  await scene.close()
  rmSync(folder, { recursive: true })
})
const described = 'Send a long header.\n\nThe service stops.'
const told = 'The maker of the chip.\nCERT-Bund.'
const at = (path: string) => `${scene.service.baseUrl}${path}`

test('a report goes from the form to the inbox, is acknowledged, and its reporter reads so in two languages', async () => {
  await page.goto(at('/disclose/acme'))
  await page.getByRole('heading', { name: 'Report a vulnerability', level: 1 }).waitFor()
  await scene.look('policy')
  await page.getByRole('link', { name: 'Norsk' }).click()
  await page.getByRole('heading', { name: 'Rapporter en sårbarhet', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'English' }).click()

  await page.getByLabel('Description and steps to reproduce').fill(described)
  await page.getByLabel('Your e-mail address').fill('nobody')
  pass(60_000)
  await page.getByRole('button', { name: 'Send the report' }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel('Description and steps to reproduce').inputValue()).toBe(described)
  await scene.look('policy-refused')
  await page.getByLabel('What is it, in one line?').fill('Heap overflow in the update service')
  await page.getByLabel('Who else have you told about it?').fill(told)
  await page.getByLabel('Your e-mail address').fill('')
  await page.getByLabel('Yes').check()
  await page
    .getByLabel('Attachments')
    .setInputFiles({ name: 'proof.txt', mimeType: 'text/plain', buffer: Buffer.from('proof') })
  pass(60_000)
  await page.getByRole('button', { name: 'Send the report' }).click()
  await page.getByText('Your report has been received. Thank you.').waitFor()
  const status = new URL(page.url()).pathname
  await scene.look('status-new')

  await scene.signIn(page, 'olga@acme.example')
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox' }).click()
  await page.getByRole('link', { name: /Heap overflow in the update service/ }).waitFor()
  await scene.look('inbox')
  await page.getByRole('link', { name: /Heap overflow in the update service/ }).click()
  await page.getByText('Reported as being exploited').waitFor()
  expect(await page.getByText('Send a long header.').innerText()).toBe(described)
  expect(await page.getByText('The maker of the chip.').innerText()).toBe(told)
  await scene.look('report')
  await page.getByLabel('Message to the reporter').fill('Thank you. We look into it.')
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByText('Now acknowledged').waitFor()
  await page.getByRole('button', { name: 'Investigate' }).click()
  await page.getByText('Now investigating').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /proof\.txt/ }).click(),
  ])
  expect(download.suggestedFilename()).toBe('proof.txt')
  await scene.look('report-answered')

  await page.goto(at(`${status}?lang=en`))
  await page.getByText('Thank you. We look into it.').waitFor()
  await page.getByText('Being investigated').waitFor()
  await page.getByLabel('Write a message').fill('Version 2.4.1 too.')
  await page.getByRole('button', { name: 'Send the message' }).click()
  await page.getByRole('heading', { name: /^You/ }).waitFor()
  await page.getByRole('link', { name: 'Norsk' }).click()
  await page.getByRole('heading', { name: 'Rapport 1', level: 1 }).waitFor()
  await page.getByText('Undersøkes').waitFor()
  await page.getByText('Version 2.4.1 too.').waitFor()
  await scene.look('status-norwegian')
}, 240_000)

test('the settings say what the public pages and security.txt say', async () => {
  await page.goto(at('/app/acme/settings/disclosure'))
  await page.getByLabel('Public contact e-mail').fill('psirt@acme.example')
  await page.getByLabel('Reports are acknowledged within').selectOption('5 days')
  await page.getByRole('checkbox', { name: 'Pump' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The disclosure settings have been saved.').waitFor()
  await page.getByText('Contact: mailto:psirt@acme.example').waitFor()
  await scene.look('settings')
  await page.goto(at('/disclose/acme?lang=en'))
  await page.getByText('within 5 days').waitFor()
  await page.getByLabel('Affected product').selectOption('Pump')
  await page.goto(at('/disclose/acme/acknowledgments?lang=de'))
  await page.getByRole('heading', { name: 'Danksagungen', level: 1 }).waitFor()
  await scene.look('acknowledgments')
}, 120_000)

test('a report leads to an incident and an advisory, and all three to each other', async () => {
  await page.goto(at('/app/acme/inbox/1'))
  await page.getByRole('button', { name: 'Open an incident' }).click()
  await page.getByLabel('Title').fill('Update service in danger')
  await page.getByRole('button', { name: 'Open incident' }).click()
  await page.getByRole('heading', { name: /^INC-.* Update service in danger$/, level: 1 }).waitFor()
  await page.getByRole('link', { name: '#1', exact: true }).waitFor()
  expect(await page.getByRole('main').innerText()).not.toContain('Heap overflow')
  await page.getByRole('button', { name: 'Write an advisory' }).click()
  await page.getByText('Made from').waitFor()
  await page.getByRole('link', { name: 'report #1' }).click()
  await page.getByRole('link', { name: /^INC-/ }).waitFor()
  await scene.look('report-linked')
  await page.getByRole('button', { name: /^Unlink INC-/ }).click()
  const asked = page.getByRole('dialog', { name: /^Unlink report #1 from INC-/ })
  await asked.getByText('keeps its state, its time of awareness and its deadlines').waitFor()
  await scene.look('report-unlinking')
  await asked.getByRole('button', { name: 'Unlink' }).click()
  await page.getByText(/^Report #1 is no longer linked to INC-/).waitFor()
  await page.getByText(/^No longer linked to INC-/).waitFor()
  await asked.waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: /^Unlink INC-/ }).count()).toBe(0)
  await scene.look('report-unlinked')

  await page.getByRole('button', { name: 'Actions for report 1' }).click()
  await page.getByRole('menuitem', { name: 'Mark as spam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as spam' }).click()
  await page.getByText('Because a member moved it here.').waitFor()
  // members were notified when it arrived
  expect(await page.getByText('Nobody was told.').count()).toBe(0)
  await page.getByRole('button', { name: 'Not spam' }).click()
  await page.getByText('Because a member moved it here.').waitFor({ state: 'detached' })
}, 120_000)

test('an advisory begun from a report asks for its title once the field is left, not before anybody typed', async () => {
  await page.goto(at('/app/acme/inbox/1'))
  await page.getByRole('button', { name: 'Write an advisory' }).click()
  await page.getByRole('tab', { name: /^Tests: \d/ }).waitFor()
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  const asked = page.getByRole('main').getByText('A title is required.')
  expect([await title.inputValue(), await asked.count()]).toEqual(['', 0])
  await scene.look('advisory-begun')
  await title.focus()
  await page.keyboard.press('Tab')
  await asked.waitFor()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('At least one vulnerability is required.', { exact: true }).first().waitFor()
}, 120_000)

test('whoever publishes is told of the day that was agreed with the reporter', async () => {
  await scene.sendSbom(sampleSbom)
  const olga = await scene.elsewhere('olga@acme.example')
  const params = { number: '1' }
  await olga.call(changeReport, { params, body: { embargoUntil: '2090-01-15' } })
  const [family] = (await olga.call(listFamilies)).rows
  const body = { kind: 'vulnerability', title: 'Agreed', vulnerability: 'CVE-2025-44444' } as const
  const incident = await olga.call(openIncidentFromReport, {
    params,
    body: { ...body, families: [family?.id ?? ''] },
  })
  const beginning = await olga.call(prefillAdvisoryFromIncident, { params: { incident: incident.id } })
  const vulnerabilities = beginning.content.vulnerabilities.map((one) => ({ ...one, description: 'x' }))
  const content = { ...beginning.content, vulnerabilities }
  const { id } = await olga.call(createAdvisory, { body: { ...beginning, content } })
  await page.goto(at(`/app/acme/advisories/${id}`))
  await page.getByRole('button', { name: 'Publish…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Publish / })
  await dialog.getByText('Report #1 is not to be published before 15 Jan 2090').waitFor()
  await scene.look('publish-agreed-day', { whole: false })
}, 120_000)

const run = 'window.hacked=1'
const payloads = [
  `<script>${run}</script>`,
  `</textarea><script>${run}</script>`,
  `</title><script>${run}</script>`,
  `"><script>${run}</script>`,
  `'><script>${run}</script>`,
  `" autofocus onfocus="${run}`,
  `' onmouseover='${run}`,
  `<img src=x onerror=${run}>`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<body onload=${run}>`,
  `<iframe srcdoc="<script>parent.${run}</script>">`,
  `<iframe src="javascript:parent.${run}">`,
  `<a href="javascript:${run}">x</a>`,
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  `data:text/html,<script>${run}</script>`,
  `<details open ontoggle=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<math><mi xlink:href="javascript:${run}">x</mi></math>`,
  `<style>@import 'javascript:${run}'</style>`,
  `<link rel=stylesheet href="javascript:${run}">`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  `<object data="javascript:${run}">`,
  `<embed src="javascript:${run}">`,
  `<form action="javascript:${run}"><button>x</button></form>`,
  `<base href="javascript:${run}//">`,
  `{{constructor.constructor('${run}')()}}`,
  `<!--><img src=x onerror=${run}>-->`,
]

test('thirty hostile texts in every public field run nowhere', async () => {
  expect(payloads).toHaveLength(30)
  const hits: string[] = []
  page.on('dialog', (dialog) => {
    hits.push(dialog.message())
    void dialog.dismiss()
  })
  const unharmed = async (where: string) => {
    expect(await page.evaluate('window.hacked'), where).toBeUndefined()
  }
  for (const [index, payload] of payloads.entries()) {
    const typed = Object.fromEntries(Object.keys(textFields).map((name) => [name, payload]))
    pass(hourMs)
    const form = await (await fetch(at('/disclose/acme'))).text()
    pass(60_000)
    const fields = {
      ...typed,
      contactEmail: '',
      creditLink: '',
      description: `${payload} ${index}`,
      stamp: stampIn({ status: 200, headers: {}, body: form }),
      credit: 'named',
      creditConsent: 'yes',
    }
    const files = [{ name: payload.replaceAll('"', ''), bytes: Buffer.from(payload) }]
    const { headers, body } = multipart({ fields, files })
    const answer = await fetch(at('/disclose/acme'), { method: 'POST', headers, body, redirect: 'manual' })
    const location = { location: answer.headers.get('location') ?? '' }
    await page.goto(at(receiptPath({ status: answer.status, headers: location, body: '' })))
    await unharmed(`status page: ${payload}`)

    // the form again, with every field still filled in
    await page.goto(at('/disclose/acme?lang=en'))
    for (const [name, value] of Object.entries(typed)) await page.locator(`#${name}`).fill(value)
    await page.getByRole('button', { name: 'Send the report' }).click()
    await page.getByRole('alert').waitFor()
    await unharmed(`form: ${payload}`)
  }
  const store = new pg.Client(scene.storeUrl)
  await store.connect()
  const { rows } = await store.query<{ number: number }>('select number from inbox_report order by number')
  await store.end()
  expect(rows.length).toBeGreaterThan(30)
  await page.goto(at('/app/acme/inbox'))
  await page.getByRole('table').waitFor()
  await unharmed('inbox')
  for (const { number } of rows.slice(1)) {
    await page.goto(at(`/app/acme/inbox/${number}`))
    await page.getByRole('heading', { name: 'The report', level: 2 }).waitFor()
    await unharmed(`report ${number}`)
  }
  expect(hits).toEqual([])
}, 600_000)

test('viewers learn that there is an inbox, and nothing of it', async () => {
  await page.context().clearCookies()
  await scene.signIn(page, 'vera@acme.example')
  await page.goto(at('/app/acme/inbox/1'))
  await page.getByText('Vulnerability reports are shown to owners, admins, leads and editors.').waitFor()
  await page.getByRole('heading', { name: 'Report #1', level: 1 }).waitFor()
  expect(await page.content()).not.toContain('Heap overflow')
}, 120_000)

test('when the room for files is full, the form says where to send them, and takes the words', async () => {
  await scene.store.query(`update workspace set most_file_bytes = 0`)
  await page.goto(at('/disclose/acme?lang=en'))
  await page.getByLabel('What is it, in one line?').fill('Weak key in the updater')
  await page.getByLabel('Description and steps to reproduce').fill('The key has 512 bits.')
  await page
    .getByLabel('Attachments')
    .setInputFiles({ name: 'key.txt', mimeType: 'text/plain', buffer: Buffer.from('key') })
  pass(60_000)
  await page.getByRole('button', { name: 'Send the report' }).click()
  await page.getByText(/there is no room for files at the moment/).waitFor()
  await page.getByRole('link', { name: 'psirt@acme.example' }).first().waitFor()
  await scene.look('files-full')
  pass(60_000)
  await page.getByRole('button', { name: 'Send the report' }).click()
  await page.getByText('Your report has been received. Thank you.').waitFor()
  await scene.store.query(`update workspace set most_file_bytes = null`)
})

test('a contact that nobody can write to is shown on the dashboard of those who correct it', async () => {
  await scene.store.query(`update workspace set security_contact_email = 'a,b@acme.example'`)
  await page.context().clearCookies()
  await scene.signIn(page, 'olga@acme.example')
  await page.getByText(/a,b@acme\.example is not an e-mail address/).waitFor()
  await scene.look('unusable-contact')
  await page.getByRole('link', { name: 'Correct it' }).click()
  await page.getByLabel(/^Security contact/).waitFor()
})
