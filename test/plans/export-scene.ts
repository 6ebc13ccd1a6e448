import { randomBytes, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { addDestination } from '../../src/alerts/destinations/add-destination.ts'
import { AdvisoryContent } from '../../src/contract/advisories/shapes.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { VexReceipt } from '../../src/contract/vex/shapes.ts'
import { receiveReport } from '../../src/disclosure/reports/receive-report.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { createAdvisoryScene, sampleContent, Writer } from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import type { TestDatabase } from '../support/database.ts'
import { simple } from '../support/finding-scene.ts'
import { call, testSealing, type TestHttp } from '../support/http.ts'
import { addRecord } from '../support/records.ts'
import type { TestWorkspace } from '../support/scene.ts'
import { readAs } from '../support/read-as.ts'
import { reportText } from '../support/report-text.ts'
import { tester } from '../support/actors.ts'

/** Stored texts of a workspace: where the export must contain them, and which it must not contain. */
export type Filled = {
  sbom: { id: string; family: string; bytes: Buffer }
  vex: { id: string; bytes: Buffer }
  advisoryFile: string
  attachment: Buffer
  reportTitle: string
  incidentTitle: string
  component: string
  secrets: string[]
}

type Setting = { store: TestDatabase; http: TestHttp; workspace: TestWorkspace }

/** Some of everything, with the workspace's slug in each text: it would show in another workspace's export. */
export async function fillForExport(place: Setting): Promise<Filled> {
  const { store, workspace } = place
  const { slug } = workspace
  const component = `${slug}-lib`
  await addRecord(store.db, simple(`GHSA-${slug}-aaaa-bbbb`, component))
  const sbom = await sendSbom(place, component)
  const vex = await sendVex(place, component)
  await addDecision(place)
  await addRemovedSbom(place)
  const incidentTitle = `Stolen signing key of ${slug}`
  const actor = { kind: 'person', id: workspace.members.owner.id, name: `owner of ${slug}` } as const
  const act = { workspaceId: workspace.id, actor, now: testNow }
  await openManually(store.db, act, { kind: 'severe_incident', title: incidentTitle, families: [] })
  return {
    sbom,
    vex,
    incidentTitle,
    component,
    ...(await addReport(place)),
    advisoryFile: await publish(place),
    secrets: [
      ...workspace.families.flatMap(({ upload, results }) => [upload, results]),
      workspace.workspaceToken,
      ...(await addHook(place)),
    ],
  }
}

async function addRemovedSbom({ store, workspace }: Setting): Promise<void> {
  const of = { workspace_id: workspace.id, family_id: workspace.families[0]?.id ?? '' }
  const setting = { keep: 'last', amount: 3 } as const
  const times = { received_at: testNow, replaced_at: testNow, removed_at: testNow }
  await store.db
    .insertInto('sbom_retention')
    .values({
      ...of,
      ...setting,
      changed_at: testNow,
      changed_by_name: `owner of ${workspace.slug}`,
      cra_lifted_at: null,
      cra_lifted_by_name: null,
    })
    .execute()
  await store.db
    .insertInto('removed_sbom')
    .values({
      ...of,
      ...setting,
      ...times,
      id: randomUUID(),
      version_id: null,
      sha256: randomBytes(32),
      format: 'cyclonedx',
      spec_version: '1.6',
      size_bytes: 10,
      component_count: 2,
      finding_count: 0,
      cra_lifted: false,
    })
    .execute()
}

async function sendSbom({ http, workspace }: Setting, name: string): Promise<Filled['sbom']> {
  const [family] = workspace.families
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: `${workspace.slug} controller` } },
    components: [{ type: 'library', name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0` }],
  }
  const bytes = Buffer.from(JSON.stringify(document, null, 3))
  const sent = await call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: family?.upload ?? '',
    body: gzipSync(bytes),
    headers: { 'X-Service-Version': '1.0', 'content-encoding': 'gzip' },
  })
  expect(sent.status).toBe(202)
  return { id: readAs(SbomReceipt, sent.body).id, family: family?.id ?? '', bytes }
}

async function sendVex({ http, workspace }: Setting, component: string): Promise<Filled['vex']> {
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `https://${workspace.slug}.example/vex/1`,
    author: `Security of ${workspace.slug}`,
    timestamp: testNow.toISOString(),
    version: 1,
    statements: [
      {
        vulnerability: { name: 'CVE-2026-10000' },
        products: [{ '@id': `pkg:npm/${component}` }],
        status: 'affected',
      },
    ],
  }
  const bytes = Buffer.from(JSON.stringify(document))
  const token = workspace.families[0]?.upload ?? ''
  const sent = await call(`${http.url}/api/v1/vex`, { method: 'POST', token, body: bytes })
  expect(sent.status).toBe(202)
  return { id: readAs(VexReceipt, sent.body).id, bytes }
}

async function addDecision({ store, workspace }: Setting): Promise<void> {
  await store.db
    .insertInto('verdict_decision')
    .values({
      id: randomUUID(),
      workspace_id: workspace.id,
      family_id: workspace.families[0]?.id ?? '',
      every_version: true,
      version_id: null,
      package_key: 'npm left',
      vulnerability_id: 'CVE-2024-1',
      verdict: 'affected',
      justification: null,
      comment: `Judged by ${workspace.slug}`,
      decided_at: testNow,
      decided_by: workspace.members.owner.id,
      decided_by_name: 'Olga',
      expires_at: null,
    })
    .execute()
}

async function addReport({ store, workspace }: Setting): Promise<Pick<Filled, 'attachment' | 'reportTitle'>> {
  const reportTitle = `Overflow told to ${workspace.slug}`
  const attachment = Buffer.from(`proof for ${workspace.slug}`)
  await receiveReport(store.db, {
    disclosure: { workspaceId: workspace.id, promiseDays: 3 },
    fields: {
      text: reportText({ title: reportTitle, description: 'Long headers.' }),
      familyId: null,
      exploited: 'yes',
      embargoUntil: null,
      wantsCredit: true,
      creditConsent: true,
    },
    attachments: [{ name: `proof-${workspace.slug}.txt`, bytes: attachment }],
    language: 'en',
    nonce: randomBytes(16),
    suspicion: [],
    clock: () => testNow,
    sealing: testSealing,
  })
  return { attachment, reportTitle }
}

/** The secrets of a destination: its URL and its signing secret. */
async function addHook({ store, workspace }: Setting): Promise<string[]> {
  const host = `hooks.${workspace.slug}.example`
  const path = `/hidden-${workspace.slug}-path`
  const events = ['report.received'] as const
  const { secret = '' } = await addDestination(store.db, {
    workspaceId: workspace.id,
    actor: tester,
    clock: () => testNow,
    sealing: testSealing,
    fields: { kind: 'webhook', name: 'hook', url: `https://${host}${path}`, host, events: [...events] },
  })
  expect(secret).not.toBe('')
  return [path, secret]
}

/** One advisory published twice, and a draft. Returns the file of the version in force. */
async function publish({ store, http, workspace }: Setting): Promise<string> {
  const scene = await createAdvisoryScene(store, http, workspace)
  const writer = new Writer(scene)
  const content = (title: string) =>
    readAs(
      AdvisoryContent,
      JSON.parse(JSON.stringify(sampleContent(scene.products, title)).replaceAll('acme', workspace.slug)),
    )
  const { id, trackingId } = await writer.release(content(`Overflow in ${workspace.slug}`))
  await writer.revise(id, content(`Overflow in more of ${workspace.slug}`))
  await writer.create(content(`A draft of ${workspace.slug}`))
  return `${trackingId.toLowerCase()}.json`
}
