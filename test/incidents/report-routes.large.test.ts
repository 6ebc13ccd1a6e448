import { hash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  addReceipt,
  exportIncident,
  getDraft,
  getReceipt,
  recordSubmission,
  saveDraft,
  showEvidence,
} from '../../src/contract/incidents/report-operations.ts'
import { AppSession } from '../support/app-session.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'
import { setPlan } from '../../src/workspace/workspaces.ts'
import { after, createIncidentScene, type IncidentScene } from './incident-scene.ts'
import { openExploited } from './opened.ts'
import { tester } from '../support/actors.ts'

let scene: IncidentScene
let http: TestHttp
let incident: { slug: string; incident: string }
let report: { slug: string; incident: string; report: string }
let owner: AppSession
let viewer: AppSession

beforeEach(async () => {
  scene = await createIncidentScene()
  http = await startTestHttp({ database: scene.database, now: () => after(30) })
  const incidentId = await openExploited(scene)
  const [{ members }] = await createScene(scene.db)
  for (const role of ['owner', 'viewer'] as const) {
    await scene.db
      .insertInto('member')
      .values({
        workspace_id: scene.workspaceId,
        person_id: members[role].id,
        role,
        created_at: after(0),
        removed_at: null,
      })
      .execute()
  }
  const workspace = await scene.db
    .selectFrom('workspace')
    .select('slug')
    .where('id', '=', scene.workspaceId)
    .executeTakeFirstOrThrow()
  incident = { slug: workspace.slug, incident: incidentId }
  const reports = await scene.reports(incidentId)
  report = { ...incident, report: reports.find((one) => one.report === 'early_warning')?.id ?? '' }
  owner = await AppSession.signIn(http.url, members.owner)
  viewer = await AppSession.signIn(http.url, members.viewer)
})
afterEach(async () => {
  await http.stop()
  await scene.drop()
})

const submission = {
  kind: 'submission' as const,
  submittedAt: after(29).toISOString(),
  channel: 'SRP',
  delayReason: 'The portal was not available.',
}

/** Files a report; returns the route of its receipt. */
async function file() {
  const { id } = await owner.call(recordSubmission, { params: report, body: submission })
  return { ...incident, submission: id }
}

test('a receipt of any bytes is kept as an attachment that no browser opens', async () => {
  const params = await file()
  const bytes = '<script>alert(1)</script>'
  const named = { params, query: { name: 'kvittering Ø".html' }, raw: bytes }
  expect(await viewer.refused(addReceipt, named)).toMatchObject({ status: 403 })
  await owner.call(addReceipt, named)
  expect(await owner.refused(addReceipt, named)).toMatchObject({ status: 409 })
  expect(await viewer.ask(getReceipt, { params })).toMatchObject({
    status: 200,
    body: bytes,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="kvittering __.html"; filename*=UTF-8''kvittering%20%C3%98%22.html`,
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    },
  })
})

test('a receipt has at most 10 MB', async () => {
  const receipt = { params: await file(), query: { name: 'a.bin' } }
  const maxBytes = 10 * 1024 * 1024
  const large = { ...receipt, raw: new Uint8Array(maxBytes + 1) }
  expect(await owner.refused(addReceipt, large)).toMatchObject({ status: 413 })
  await owner.call(addReceipt, { ...receipt, raw: new Uint8Array(maxBytes) })
})

test('the evidence file is a download and a page with one style sheet, and each is in the audit trail', async () => {
  await file()
  const json = await viewer.ask(exportIncident, { params: incident })
  expect(json).toMatchObject({
    status: 200,
    body: { format: 'incident-evidence', incident: { reference: 'INC-2026-0001' } },
    headers: { 'content-disposition': 'attachment; filename="INC-2026-0001-evidence.json"' },
  })
  const page = await viewer.ask(showEvidence, { params: incident })
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  const html = String(page.body)
  const style = /<style>(?<style>.*)<\/style>/s.exec(html)?.groups?.['style'] ?? ''
  expect(page.headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  )
  expect(html).toContain('INC-2026-0001')
  const events = await scene.db
    .selectFrom('audit_event')
    .select(['actor_name', 'after'])
    .where('action', '=', 'incident.exported')
    .orderBy('id')
    .execute()
  expect(events).toEqual([
    { actor_name: 'viewer of acme', after: { format: 'json' } },
    { actor_name: 'viewer of acme', after: { format: 'page' } },
  ])
})

test('drafts are read by everyone, saved by those who work on incidents', async () => {
  const draft = await viewer.call(getDraft, { params: report })
  expect(draft).toMatchObject({ revision: 0, values: { '2': 'CVE-2026-1234 in Pump' } })
  const save = { params: report, body: { revision: 0, values: draft.values } }
  expect(await viewer.refused(saveDraft, save)).toMatchObject({ status: 403 })
  expect(await owner.call(saveDraft, save)).toMatchObject({ revision: 1 })
  expect(await owner.refused(saveDraft, save)).toMatchObject({ status: 409 })
})

test('filing works while the workspace is read-only, and not when it is closed', async () => {
  await setPlan(scene.db, {
    workspaceId: scene.workspaceId,
    plan: 'free',
    actor: tester,
    now: after(30),
  })
  await owner.call(addReceipt, { params: await file(), query: { name: 'a.bin' }, raw: 'x' })
  await owner.call(saveDraft, { params: report, body: { revision: 0, values: {} } })
  await scene.db
    .updateTable('workspace')
    .set({ closed_at: after(30) })
    .where('id', '=', scene.workspaceId)
    .execute()
  const amendment = { ...submission, kind: 'amendment' }
  const refused = await owner.refused(recordSubmission, { params: report, body: amendment })
  expect(refused).toMatchObject({ status: 402, body: { error: 'billing_lapsed' } })
  expect(await scene.db.selectFrom('submission').select('kind').execute()).toEqual([{ kind: 'submission' }])
})
