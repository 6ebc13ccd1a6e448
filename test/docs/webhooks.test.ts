import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { request } from 'undici'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliverAll } from '../../src/alerts/deliveries/deliverer.ts'
import { alertTypes, NewDestination } from '../../src/contract/alerts/shapes.ts'
import { eventData, type DeliveryFact } from '../../src/contract/alerts/events.ts'
import { testDestination } from '../../src/contract/alerts/operations.ts'
import { createToken } from '../../src/contract/tokens/operations.ts'
import { listFamilies } from '../../src/contract/products/operations.ts'
import { listIncidents } from '../../src/contract/incidents/operations.ts'
import { recordDetermination } from '../../src/contract/incidents/act-operations.ts'
import { changeDisclosureSettings } from '../../src/contract/disclosure/operations.ts'
import { refreshExploited } from '../../src/findings/changes/refresh-exploited.ts'
import { warnOfDeadlines } from '../../src/incidents/reports/warn-of-deadlines.ts'
import { whyRefused } from '../alerts/verifier.ts'
import { described, multipart, stampIn } from '../disclosure/disclosure-scene.ts'
import { openPeopleScene, type PeopleScene } from '../people/people-scene.ts'
import type { AppSession } from '../support/app-session.ts'
import { drain } from '../support/drain.ts'
import { baseUrl, call, testSealing } from '../support/http.ts'
import { startReceiverLab, type Received, type ReceiverLab } from '../support/receivers.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { readAs, fieldOf } from '../support/read-as.ts'
import { checkoutDir } from '../support/test-server.ts'

/** A time when the Cyber Resilience Act requires reports. */
const start = new Date('2026-10-01T08:00:00.000Z')
const types = [...alertTypes, 'test'] as const

type Example = { id: string; created: string; type: string; data: object } & Record<string, unknown>
type Webhook = {
  parameters: { name: string; schema: { pattern?: string; const?: string }; example: string }[]
  requestBody: { content: { 'application/json': { examples: Record<string, { value: Example }> } } }
}
type Document = { webhooks: Record<string, { post: Webhook }> }

let scene: PeopleScene
let admin: AppSession
let editor: AppSession
let lab: ReceiverLab
let document: Document
let secret: string
let family: string
const delivered = new Map<string, Received>()

beforeAll(async () => {
  scene = await openPeopleScene()
  lab = await startReceiverLab()
  scene.now = start
  admin = await scene.signIn('admin')
  editor = await scene.signIn('editor')
  const receiver = await lab.receive('hooks.acme.example')
  const destination = await addDestination(receiver.url)
  await openIncident()
  await determine()
  await sendReport()
  await admin.call(testDestination, { params: { destination } })
  await deliver()
  scene.now = new Date(start.getTime() + 21 * 3_600_000)
  await warnOfDeadlines(scene.database.db, scene.now)
  await deliver()
  for (const received of receiver.requests)
    delivered.set(String(fieldOf(JSON.parse(received.body), 'type')), received)
  document = (await call(`${scene.http.url}/api/v1/openapi.json`)).body as Document
}, 240_000)
afterAll(async () => {
  lab.close()
  await scene.close()
})

const newToken = (kind: 'upload' | 'workspace', familyId: string | null) =>
  admin.call(createToken, { body: { name: kind, kind, familyId, expiresInDays: null } })

async function addDestination(url: string): Promise<string> {
  const { secret: token } = await newToken('workspace', null)
  const body = JSON.stringify({ kind: 'webhook', name: 'Security on call', url, events: alertTypes })
  const made = await call(`${scene.http.url}/api/v1/alert-destinations`, { method: 'POST', token, body })
  const { id, secret: own = '' } = readAs(NewDestination, made.body)
  secret = own
  return id
}

async function openIncident(): Promise<void> {
  const { db } = scene.database
  const affected = [
    { ecosystem: 'npm', name: 'pump-lib', scheme: 'semver', ranges: [['0', '2.0.0']] },
  ] as const
  await addRecord(db, { id: 'CVE-2026-1001', affected })
  await addExploited(db, { source: 'kev', cveId: 'CVE-2026-1001' })
  await refreshExploited(db, start)
  const { rows } = await editor.call(listFamilies)
  family = rows[0]?.id ?? ''
  const { secret: token } = await newToken('upload', family)
  const components = [{ type: 'library', name: 'pump-lib', version: '1.0.0', purl: 'pkg:npm/pump-lib@1.0.0' }]
  const body = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components })
  expect((await call(`${scene.http.url}/api/v1/sboms`, { method: 'POST', token, body })).status).toBe(202)
  await drain(db, scene.now)
}

async function determine(): Promise<void> {
  const { rows } = await editor.call(listIncidents)
  const reasoning = 'What was known and why it was decided so.'
  const params = { incident: rows[0]?.id }
  await editor.call(recordDetermination, { params, body: { value: 'not_exploited', reasoning } })
}

async function sendReport(): Promise<void> {
  await admin.call(changeDisclosureSettings, { body: { families: [family] } })
  const page = await request(`${scene.http.url}/disclose/acme`)
  const stamp = stampIn({ status: page.statusCode, headers: page.headers, body: await page.body.text() })
  scene.now = new Date(scene.now.getTime() + 60_000)
  const sent = multipart({ fields: { stamp, ...described, family } })
  const answer = await request(`${scene.http.url}/disclose/acme`, { method: 'POST', ...sent })
  await answer.body.dump()
  expect(answer.statusCode).toBe(303)
}

async function deliver(): Promise<void> {
  const { db } = scene.database
  await drain(db, scene.now)
  const log = pino({ level: 'silent' })
  const place = { outbound: lab.outbound(), sealing: testSealing, baseUrl, name: 'test' }
  await deliverAll({ ...place, db, now: () => scene.now, log })
}

const webhookOf = (type: DeliveryFact['type']): Webhook => {
  const webhook = document.webhooks[type]?.post
  if (webhook === undefined) throw new Error(`the document has no webhook ${type}`)
  return webhook
}
const exampleOf = (type: DeliveryFact['type']): Example | undefined =>
  webhookOf(type).requestBody.content['application/json'].examples[type]?.value
const bodyOf = (type: string) => JSON.parse(delivered.get(type)?.body ?? 'null') as Example | null

/** Names and types of the fields, in order. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.entries(value).map(([name, field]) => [name, shapeOf(field)])
}

describe('the webhooks of the OpenAPI document', () => {
  it('are the events that destinations can ask for, and the test', () => {
    expect(Object.keys(document.webhooks)).toEqual([...types])
    expect([...delivered.keys()].sort()).toEqual([...types].sort())
  })

  it.each(['docs/alerts.md', 'docs/public-api.md'])('are listed by %s', (guide) => {
    const text = readFileSync(join(checkoutDir, guide), 'utf8')
    expect(alertTypes.filter((type) => !text.includes(`"${type}"`) && !text.includes(`\`${type}\``))).toEqual(
      [],
    )
  })

  it.each(types)('%s: the example has the fields of what is delivered, in their order', (type) => {
    expect(shapeOf(bodyOf(type))).toEqual(shapeOf(exampleOf(type)))
    expect(exampleOf(type)?.type).toBe(type)
  })

  it.each(types)('%s: what is delivered, and the example, follow the schema', (type) => {
    const exact = { ...eventData[type], additionalProperties: false }
    for (const data of [bodyOf(type)?.data, exampleOf(type)?.data])
      expect([Value.Check(exact, data), [...Value.Errors(exact, data)]]).toEqual([true, []])
  })

  it.each(types)('%s: what is delivered has the headers that are described', (type) => {
    const { headers = {}, body = '' } = delivered.get(type) ?? {}
    for (const { name, schema } of webhookOf(type).parameters) {
      const value = String(headers[name.toLowerCase()])
      if (schema.pattern !== undefined) expect(value, name).toMatch(new RegExp(schema.pattern))
      if (schema.const !== undefined) expect(value, name).toBe(schema.const)
    }
    expect(headers['service-event-id']).toBe(bodyOf(type)?.id)
    expect(signatureProblem(body, String(headers['service-signature']), secret)).toBeNull()
  })

  it.each(types)('%s: the signature of the example is that of its body', (type) => {
    const signature =
      webhookOf(type).parameters.find(({ name }) => name === 'Service-Signature')?.example ?? ''
    const known = /secret `(whsec_[\w-]+)`/.exec(JSON.stringify(webhookOf(type)))?.[1] ?? ''
    expect(signatureProblem(JSON.stringify(exampleOf(type)), signature, known)).toBeNull()
  })
})

function signatureProblem(body: string, signature: string, key: string): string | null {
  const created = String(fieldOf(JSON.parse(body), 'created'))
  return whyRefused({ header: signature, body: Buffer.from(body), secret: key }, new Date(created))
}
