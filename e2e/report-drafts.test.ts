import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { IncidentDetail } from '../src/contract/incidents.ts'
import type { IncidentEvidence } from '../src/contract/incidents/incident-evidence.ts'
import { AppSession } from '../test/support/app-session.ts'
import { openScene, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
let olga: AppSession

const password = 'correct horse battery'
const workspace = '/workspaces/acme'

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga', lead: 'Per' })
  page = scene.page
  olga = await AppSession.signIn(scene.service.baseUrl, { email: 'olga@acme.example', password })
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
afterAll(() => scene.close(), 120_000)

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await scene.picture(`failed ${task.name}`)
})

/** A new incident, whose draft of the early warning is shown. */
async function openDraft(title: string): Promise<string> {
  const given = { kind: 'severe_incident', title, families: [] }
  const opened = await olga.call(`${workspace}/incidents`, { method: 'POST', body: given })
  const { id } = opened.body as { id: string }
  await page.goto(`${scene.service.baseUrl}/app/acme/incidents/${id}?tab=drafts`)
  await summary().waitFor()
  return id
}

const summary = (on = page) => on.getByRole('textbox', { name: /^3 · / })

async function evidenceOf(incident: string): Promise<IncidentEvidence> {
  return (await olga.call(`${workspace}/incidents/${incident}/evidence`)).body as IncidentEvidence
}

it('text that is typed and not saved is kept with the submission that is recorded over it', async () => {
  const incident = await openDraft('Filed at three')
  await summary().fill('Typed at three in the morning.')
  await page.getByRole('button', { name: 'Record submission' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^What the draft says at this moment is kept/).waitFor()
  await dialog.getByRole('button', { name: 'Record submission' }).click()
  await page.getByText('The submission is recorded.').waitFor()
  const { submissions } = (await olga.call(`${workspace}/incidents/${incident}`)).body as IncidentDetail
  expect(submissions.map(({ hasDraft }) => hasDraft)).toEqual([true])
  const [filed] = (await evidenceOf(incident)).submissions
  expect(filed?.draft?.fields.find(({ id }) => id === '3')?.value).toBe('Typed at three in the morning.')
})
