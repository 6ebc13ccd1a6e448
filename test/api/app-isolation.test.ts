import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdvisory } from '../../src/advisories/drafts/create-advisory.ts'
import { sendTest } from '../../src/alerts/deliveries/send-test.ts'
import { addDestination } from '../../src/alerts/destinations/add-destination.ts'
import type { ReportText } from '../../src/contract/disclosure/inbox.ts'
import { textFields } from '../../src/disclosure/form/read-report.ts'
import { receiveReport } from '../../src/disclosure/reports/receive-report.ts'
import { operations } from '../../src/http/routes.ts'
import { invite } from '../../src/workspace/members/invite.ts'
import type { SbomReceipt } from '../../src/contract/sbom.ts'
import type { VexReceipt } from '../../src/contract/vex.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, startTestHttp, testSealing, type TestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { testNow } from '../support/clock.ts'
import { bodies, emptyContent, nobodys } from './operation-bodies.ts'

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace
let stranger: AppSession
let viewer: AppSession
let foreign: Record<string, string>

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  ;[acme, umbrella] = await createScene(store.db)
  stranger = await AppSession.signIn(http.url, acme.members.owner)
  viewer = await AppSession.signIn(http.url, umbrella.members.viewer)
  foreign = await fillWorkspace(umbrella)
})
afterAll(async () => {
  await http.stop()
  await store.drop()
})

/** Something of everything a route can name. */
async function fillWorkspace(workspace: TestWorkspace): Promise<Record<string, string>> {
  const [family] = workspace.families
  const sent = await call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: family?.upload ?? '',
    headers: { 'X-Service-Version': '1.0' },
    body: sampleSbom({ components: 3, serial: 1 }),
  })
  expect(sent.status).toBe(202)
  const version = await store.db
    .selectFrom('product_version')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirstOrThrow()
  const event = await store.db
    .selectFrom('audit_event')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirstOrThrow()
  const token = await store.db
    .selectFrom('token')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirstOrThrow()
  return {
    slug: workspace.slug,
    family: family?.id ?? '',
    version: version.id,
    sbom: (sent.body as SbomReceipt).id,
    token: token.id,
    event: String(event.id),
    finding: nobodys,
    other: (sent.body as SbomReceipt).id,
    vulnerability: 'CVE-2021-44228',
    document: await sendVex(family?.upload ?? ''),
    ...(await addDecision(workspace, family?.id ?? '')),
    ...(await addDelivery(workspace)),
    incident: await addIncident(workspace),
    person: workspace.members.viewer.id,
    invitation: await addInvitation(workspace),
    ...(await addAdvisory(workspace)),
    ...(await addReport(workspace)),
  }
}

/** The first report of the workspace, with a file. */
async function addReport(workspace: TestWorkspace): Promise<{ number: string; attachment: string }> {
  const text = Object.fromEntries(Object.keys(textFields).map((name) => [name, ''])) as ReportText
  await receiveReport(store.db, {
    disclosure: { workspaceId: workspace.id, promiseDays: 3 },
    fields: {
      text: { ...text, title: 'Heap overflow', description: 'Of the other company.' },
      ...{ familyId: null, exploited: 'yes', embargoUntil: null, wantsCredit: true, creditConsent: true },
    },
    attachments: [{ name: 'proof.txt', bytes: Buffer.from('proof') }],
    ...{ language: 'en', nonce: randomBytes(16), suspicion: [], clock: () => testNow, sealing: testSealing },
  })
  const { id } = await store.db.selectFrom('inbox_attachment').select('id').executeTakeFirstOrThrow()
  return { number: '1', attachment: id }
}

async function addInvitation(workspace: TestWorkspace): Promise<string> {
  const act = { workspaceId: workspace.id, companyName: 'Umbrella', role: 'owner', now: testNow } as const
  const actor = { kind: 'person', id: workspace.members.owner.id, name: 'owner' } as const
  const invited = { email: 'new@umbrella.example', role: 'viewer' } as const
  return invite({ db: store.db, sealing: testSealing }, { ...act, actor }, invited)
}

async function addIncident(workspace: TestWorkspace): Promise<string> {
  const id = randomUUID()
  await store.db
    .insertInto('incident')
    .values({
      id,
      workspace_id: workspace.id,
      reference: 'INC-2026-0001',
      kind: 'severe_incident',
      title: 'Stolen signing key',
      vuln_key: null,
      aliases: [],
      source: 'manual',
      listed_by: [],
      severity: 'critical',
      is_exercise: false,
      status: 'open',
      opened_at: testNow,
      opened_by_kind: 'system',
      opened_by: null,
      opened_by_name: 'SBOM Monitor',
      aware_at: testNow,
      occurred_at: null,
      measure_available_at: null,
      assignee: null,
      follows: null,
      users_informed: null,
      maintainer_informed: null,
      closed_at: null,
      closed_by_name: null,
      close_reason: null,
    })
    .execute()
  return id
}

async function sendVex(token: string): Promise<string> {
  const sent = await call(`${http.url}/api/v1/vex`, {
    method: 'POST',
    token,
    body: JSON.stringify({
      '@context': 'https://openvex.dev/ns/v0.2.0',
      statements: [{ vulnerability: { name: 'CVE-2024-1' }, products: ['pkg:npm/left'], status: 'affected' }],
    }),
  })
  expect(sent.status).toBe(202)
  return (sent.body as VexReceipt).id
}

async function addDelivery(workspace: TestWorkspace): Promise<{ destination: string; delivery: string }> {
  const act = {
    workspaceId: workspace.id,
    actor: { kind: 'system', id: null, name: 'test' },
    clock: () => testNow,
  } as const
  const { id } = await addDestination(store.db, {
    ...act,
    sealing: testSealing,
    fields: {
      kind: 'webhook',
      name: 'hook',
      url: 'https://hooks.umbrella.example/',
      host: 'hooks.umbrella.example',
      events: ['report.received'],
    },
  })
  const { deliveryId } = await sendTest(store.db, { ...act, destinationId: id })
  return { destination: id, delivery: deliveryId }
}

async function addAdvisory(workspace: TestWorkspace): Promise<{ advisory: string }> {
  const actor = { kind: 'system', id: null, name: 'test' } as const
  const { id } = await createAdvisory(store.db, {
    ...{ workspaceId: workspace.id, content: emptyContent, links: [], actor, clock: () => testNow },
  })
  return { advisory: id }
}

async function addDecision(
  workspace: TestWorkspace,
  familyId: string,
): Promise<{ decision: string; batch: string }> {
  const [id, batch] = [randomUUID(), randomUUID()]
  const { person_id: decidedBy } = await store.db
    .selectFrom('member')
    .select('person_id')
    .where('workspace_id', '=', workspace.id)
    .limit(1)
    .executeTakeFirstOrThrow()
  await store.db
    .insertInto('verdict_decision')
    .values({
      id,
      workspace_id: workspace.id,
      family_id: familyId,
      every_version: true,
      version_id: null,
      package_key: 'npm left',
      vulnerability_id: 'CVE-2024-1',
      verdict: 'affected',
      justification: null,
      comment: '',
      decided_at: testNow,
      decided_by: decidedBy,
      decided_by_name: 'Olga',
      expires_at: null,
      batch_id: batch,
    })
    .execute()
  return { decision: id, batch }
}

/** Everything stored, except what any authenticated request may change. */
async function fingerprint(): Promise<string> {
  const parts = []
  for (const table of [
    'workspace',
    'family',
    'product_version',
    'sbom',
    'token',
    'member',
    'invitation',
    'one_time_link',
    'audit_event',
    'job',
    'vex_document',
    'verdict_decision',
    'alert_destination',
    'alert_delivery',
    'incident',
    'incident_entry',
    'inbox_report',
    'inbox_entry',
    'acknowledgment',
    'disclosure_settings',
    'regime_settings',
    'dismissed_match',
    'advisory',
    'advisory_draft',
    'advisory_feed',
    'advisory_version',
  ]) {
    const { rows } = await store.pool.query<{ hash: string }>(
      `select md5(string_agg(t::text, '|' order by t::text)) as hash from ${table} t`,
    )
    parts.push(`${table} ${rows[0]?.hash}`)
  }
  return parts.join('\n')
}

const tenantRoutes = operations.filter(({ url }) => url.startsWith('/api/app/workspaces/:slug'))

function addressOf(url: string, values: Record<string, string>): string {
  return url.replace('/api/app', '').replace(/:([a-z]+)/g, (_match, name: string) => values[name] ?? nobodys)
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

describe.each(tenantRoutes.map((route) => [`${route.method} ${route.url}`, route] as const))(
  '%s',
  (name, route) => {
    const ask = (session: AppSession, values: Record<string, string>) =>
      session.call(addressOf(route.url, values), {
        method: route.method as Method,
        ...(name in bodies ? { body: bodies[name] } : {}),
      })

    it('shows nothing to people who are signed out', async () => {
      const before = await fingerprint()
      const answer = await ask(new AppSession(http.url), foreign)
      expect(answer).toMatchObject({ status: 401, body: { error: 'signed_out' } })
      expect(await fingerprint()).toBe(before)
    })

    it('shows strangers what an unknown address shows', async () => {
      const before = await fingerprint()
      const foreignAnswer = await ask(stranger, foreign)
      const unknownAnswer = await ask(stranger, { ...foreign, slug: 'no-such-workspace' })
      expect(foreignAnswer).toMatchObject({ status: 404, body: { error: 'not_found' } })
      expect(foreignAnswer.body).toEqual(unknownAnswer.body)
      expect(await fingerprint()).toBe(before)
    })

    const named =
      /:(family|sbom|finding|version|token|document|decision|batch|destination|delivery|incident|advisory|number|attachment|person|invitation)\b/.test(
        route.url,
      )
    it.runIf(named)('does not reach ids of another workspace through its own address', async () => {
      const before = await fingerprint()
      const own = { ...foreign, slug: acme.slug }
      expect(await ask(stranger, own)).toMatchObject({ status: 404, body: { error: 'not_found' } })
      const malformed = {
        ...Object.fromEntries(Object.keys(foreign).map((key) => [key, 'x'])),
        slug: acme.slug,
      }
      expect(await ask(stranger, malformed)).toMatchObject({ status: 404, body: { error: 'not_found' } })
      expect(await fingerprint()).toBe(before)
    })

    const isForEveryMember = route.url.endsWith('/leave')
    it.runIf(route.method !== 'GET' && !isForEveryMember)(
      'refuses viewers and other sites, with a reason',
      async () => {
        const before = await fingerprint()
        expect(await ask(viewer, foreign)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
        const crossSite = await viewer.call(addressOf(route.url, foreign), {
          method: route.method as Method,
          headers: { origin: 'https://evil.example' },
          ...(name in bodies ? { body: bodies[name] } : {}),
        })
        expect(crossSite).toMatchObject({ status: 403, body: { error: 'forbidden' } })
        expect(await fingerprint()).toBe(before)
      },
    )
  },
)

describe('the route table', () => {
  it('has session routes below /api/app only, and names a credential for each', () => {
    for (const { url, credential } of operations) {
      expect(
        url.startsWith('/api/app')
          ? ['session', 'none']
          : ['upload_token', 'results_token', 'workspace_token', 'metrics_token', 'none'],
      ).toContain(credential)
    }
    expect(tenantRoutes.length).toBeGreaterThan(20)
  })

  it('gives a results token and an upload token of another family nothing', async () => {
    const url = `${http.url}/api/v1/sboms/${foreign['sbom'] ?? ''}`
    expect((await call(url, { token: acme.families[0]?.results ?? '' })).status).toBe(404)
    expect((await call(url, { token: umbrella.families[1]?.results ?? '' })).status).toBe(404)
    expect((await call(url, { token: umbrella.families[0]?.upload ?? '' })).status).toBe(401)
    expect((await call(url, { token: umbrella.families[0]?.results ?? '' })).status).toBe(200)
  })
})
