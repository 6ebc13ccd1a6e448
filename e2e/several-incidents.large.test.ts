import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { IncidentDetail, ReportDraftDetail } from '../src/contract/incidents/shapes.ts'
import { getIncident, openIncident } from '../src/contract/incidents/operations.ts'
import { getDraft, recordSubmission } from '../src/contract/incidents/report-operations.ts'
import { createFamily } from '../src/contract/products/operations.ts'
import type { AppSession } from '../test/support/app-session.ts'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
let olga: AppSession

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', lead: 'Per' })
  page = scene.page
  olga = await scene.elsewhere('olga@acme.example')
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
endAfterTests(() => scene)

const detailOf = (id: string) => olga.call(getIncident, { params: { incident: id } })

/** Opens an incident on the vulnerability in each of some new families. */
async function openIn(vulnerability: string, families: readonly string[]): Promise<IncidentDetail[]> {
  const opened: IncidentDetail[] = []
  for (const name of families) {
    const { id: family } = await olga.call(createFamily, { body: { name } })
    const given = {
      kind: 'vulnerability' as const,
      title: `${vulnerability} in ${name}`,
      vulnerability,
      families: [family],
    }
    opened.push(await detailOf((await olga.call(openIncident, { body: given })).id))
  }
  return opened
}

const show = (id: string, tab = '') => page.goto(`${scene.service.baseUrl}/app/acme/incidents/${id}${tab}`)
const summary = () => page.getByRole('textbox', { name: /^3 · / })

async function draftOf({ id, reports }: IncidentDetail): Promise<ReportDraftDetail> {
  const report = reports.find((one) => one.report === 'early_warning')?.id ?? ''
  return olga.call(getDraft, { params: { incident: id, report } })
}

describe('one vulnerability in three products', () => {
  let pump: IncidentDetail
  let valve: IncidentDetail
  let meter: IncidentDetail

  beforeAll(async () => {
    const [one, two, three] = await openIn('CVE-2026-4711', ['Valve', 'Meter', 'Gateway'])
    if (one === undefined || two === undefined || three === undefined) throw new Error('three are opened')
    ;[pump, valve, meter] = [one, two, three]
  })

  it('the draft is written once and copied to the others, which keep their products', async () => {
    await show(pump.id, '?tab=drafts')
    await summary().fill('Written once.')
    await page.getByRole('status', { name: 'Saving' }).getByText('It saves itself.').waitFor()
    await page.getByRole('button', { name: 'Copy to others' }).click()
    const dialog = page.getByRole('dialog', { name: 'Copy this draft to other incidents' })
    await dialog.getByRole('checkbox', { name: new RegExp(valve.reference) }).waitFor()
    await scene.look('s1-copy-to', { whole: false })
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    const done = page.getByRole('dialog', { name: 'What was done' })
    await done.getByText(`Done for 2 incidents: ${valve.reference}, ${meter.reference}.`).waitFor()
    await scene.look('s2-copied', { whole: false })
    await done.getByRole('button', { name: 'Close' }).click()
    for (const [incident, product] of [
      [valve, 'Meter'],
      [meter, 'Gateway'],
    ] as const) {
      expect((await draftOf(incident)).values).toMatchObject({ '3': 'Written once.', '6': product })
    }
  })

  it('the filing is recorded on all of them in one act, and the page says what was refused', async () => {
    await show(pump.id)
    const submit = page.getByRole('button', { name: 'Record submission' }).first()
    await submit.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: new RegExp(valve.reference) }).check()
    await dialog.getByRole('checkbox', { name: new RegExp(meter.reference) }).check()
    await dialog.getByLabel(/^Reference of the authority/).fill('SRP-4711')
    await dialog
      .locator('input[type=file]')
      .or(dialog.getByLabel('Receipt'))
      .first()
      .waitFor({ state: 'attached' })
    await scene.look('s3-file-for', { whole: false })
    // somebody else files the third meanwhile
    const report = meter.reports.find((one) => one.report === 'early_warning')?.id ?? ''
    await olga.call(recordSubmission, {
      params: { incident: meter.id, report },
      body: {
        kind: 'submission',
        submittedAt: new Date().toISOString(),
        channel: 'Telephone',
      },
    })
    await dialog.getByRole('button', { name: 'Record submission' }).click()
    const done = page.getByRole('dialog', { name: 'What was done' })
    await done.getByText(`Done for 2 incidents: ${pump.reference}, ${valve.reference}.`).waitFor()
    await done.getByText('Refused for 1 incident:').waitFor()
    await done.getByText(/Olga recorded this submission/).waitFor()
    await scene.look('s4-filed', { whole: false })
    for (const incident of [pump, valve]) {
      const { submissions } = await detailOf(incident.id)
      expect(submissions.map(({ reference, hasDraft }) => [reference, hasDraft])).toEqual([
        ['SRP-4711', true],
      ])
    }
    await done.getByRole('button', { name: 'Close' }).click()
    await done.waitFor({ state: 'hidden' })
  })
})

describe('one determination for several incidents selected in the list', () => {
  const select = async (...chosen: readonly IncidentDetail[]) => {
    await page.goto(`${scene.service.baseUrl}/app/acme/incidents`)
    for (const { reference } of chosen)
      await page.getByRole('checkbox', { name: new RegExp(`${reference}, `) }).check()
  }
  const button = () =>
    page
      .getByRole('region', { name: 'Selected incidents' })
      .getByRole('button', { name: 'Record determination' })

  it('is offered for those whose vulnerabilities turned out to be one', async () => {
    const [one] = await openIn('CVE-2026-4713', ['Motor'])
    const [other] = await openIn('EUVD-2026-4713', ['Brake'])
    const [apart] = await openIn('CVE-2026-4714', ['Wheel'])
    if (one === undefined || other === undefined || apart === undefined) throw new Error('three are opened')
    const link = `insert into incident_link (workspace_id, one, other, linked_at)
      select workspace_id, least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), now() from incident where id = $1`
    await scene.store.query(link, [one.id, other.id])

    await select(one, other, apart)
    await button().hover()
    await page.getByText('Choose incidents about the same vulnerability.').first().waitFor()

    await select(other, one)
    await button().click()
    const dialog = page.getByRole('dialog', { name: 'Record a determination for 2 incidents' })
    await dialog.getByText('CVE-2026-4713, EUVD-2026-4713').waitFor()
    await dialog.getByRole('radio').first().check()
    await dialog.getByLabel(/^Why/).fill('Both ids name the flaw that was seen in the field.')
    await dialog.getByRole('button', { name: 'Record determination' }).click()
    await page.getByRole('dialog', { name: 'What was done' }).getByText('Done for 2 incidents').waitFor()
    for (const { id } of [one, other]) expect((await detailOf(id)).determinations).toHaveLength(1)
  })

  it('is not offered where the service refuses it: a severe incident, and drills among others', async () => {
    const severe = { kind: 'severe_incident' as const, title: 'Signing key lost', families: [] }
    const lost = await detailOf((await olga.call(openIncident, { body: severe })).id)
    await select(lost)
    await button().hover()
    await page.getByText('Choose incidents about a vulnerability.').first().waitFor()

    const [real] = await openIn('CVE-2026-4715', ['Filter'])
    if (real === undefined) throw new Error('one is opened')
    const given = { kind: 'vulnerability' as const, vulnerability: 'CVE-2026-4715', title: 'A drill' }
    const body = { ...given, families: real.families.map(({ id }) => id), isExercise: true }
    const drill = await detailOf((await olga.call(openIncident, { body })).id)
    await select(real, drill)
    await button().hover()
    await page.getByText('Choose either drills or real incidents.').first().waitFor()
  })
})

describe('switching a regime off while a report is open', () => {
  it('waits for a second person, who decides on the page of the incident', async () => {
    const [incident] = await openIn('CVE-2026-4712', ['Sensor'])
    if (incident === undefined) throw new Error('one is opened')
    await show(incident.id)
    await page.getByRole('button', { name: 'Regimes' }).click()
    const dialog = page.getByRole('dialog', { name: `Regimes of ${incident.reference}` })
    await dialog.getByLabel(/^Why it does not apply/).fill('The product is sold outside of the Union alone.')
    await dialog.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('Switching a regime off waits').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('It waits for a second person. The clocks of the regime run meanwhile.').waitFor()
    const isDue = async () =>
      (await detailOf(incident.id)).reports.some(({ status }) => status === 'open' || status === 'due_soon')
    expect(await isDue()).toBe(true)
    await scene.look('s5-regime-waits')

    await page.context().clearCookies()
    await scene.signIn(page, 'per@acme.example')
    await show(incident.id)
    await page.getByText('Switching a regime off waits').waitFor()
    await scene.look('s6-second-person')
    await page.getByRole('button', { name: 'Approve' }).click()
    const decision = page.getByRole('dialog')
    await decision.getByText('Its reports that are not submitted are no longer required.').waitFor()
    await decision.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Switching a regime off waits').waitFor({ state: 'hidden' })
    await expect.poll(isDue).toBe(false)
  })
})
