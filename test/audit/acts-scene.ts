import { request } from 'undici'
import { expect } from 'vitest'
import type { AdvisoryContent } from '../../src/contract/advisories/shapes.ts'
import { roles, type Role } from '../../src/contract/roles.ts'
import { listFamilies } from '../../src/contract/products/operations.ts'
import { createToken } from '../../src/contract/tokens/operations.ts'
import { getIncident } from '../../src/contract/incidents/operations.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import { changeSbomRetention } from '../../src/contract/sbom/retention-operations.ts'
import type { sendSbom, sendVex } from '../../src/contract/sbom/upload-operations.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshExploited } from '../../src/findings/changes/refresh-exploited.ts'
import { removeReplacedSboms } from '../../src/findings/changes/remove-replaced.ts'
import { selectOrInsertVersion } from '../../src/products/versions.ts'
import { described, multipart, stampIn } from '../disclosure/disclosure-scene.ts'
import { openPeopleScene, type PeopleScene } from '../people/people-scene.ts'
import { sampleContent } from '../support/advisory-scene.ts'
import { AppSession } from '../support/app-session.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { npm } from '../support/parts.ts'
import { addFamily, addSbom } from '../support/rows.ts'
import { signIn } from '../../src/contract/people/operations/session.ts'

/** A time when the Cyber Resilience Act requires reports. */
export const start = new Date('2026-10-01T08:00:00.000Z')
export const reasoning = 'What was known and why it was decided so.'

export let scene: PeopleScene
export let workspaceId: string
export let family: string
export const sessions = new Map<Role, AppSession>()
export const tokens = { ci: '', ops: '' }
/** Ids created by an act, for later acts. */
export const ids = new Map<string, string>()
export const idOf = (name: string) => ids.get(name) ?? ''

export async function openActs(): Promise<PeopleScene> {
  scene = await openPeopleScene()
  scene.now = start
  for (const role of roles) sessions.set(role, await scene.signIn(role))
  family = (await as('owner').call(listFamilies)).rows[0]?.id ?? ''
  const { id } = await scene.database.db
    .selectFrom('workspace')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  workspaceId = id
  tokens.ci = await token('lead', { name: 'ci', kind: 'upload', familyId: family })
  tokens.ops = await token('admin', { name: 'ops', kind: 'workspace', familyId: null })
  for (const [record, name] of [
    ['CVE-2026-1001', 'pump-lib'],
    ['CVE-2026-1002', 'held-lib'],
  ] as const) {
    const affected = [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '2.0.0']] }] as const
    await addRecord(scene.database.db, { id: record, affected })
    await addExploited(scene.database.db, { source: 'kev', cveId: record })
  }
  await refreshExploited(scene.database.db, start)
  await drain(scene.database.db, start)
  return scene
}

export function as(role: Role): AppSession {
  const session = sessions.get(role)
  if (session === undefined) throw new Error(`no ${role} is signed in`)
  return session
}

export async function make(name: string, made: Promise<{ id: string }>): Promise<void> {
  ids.set(name, (await made).id)
}

type NewToken = Omit<BodyOf<typeof createToken>, 'expiresInDays'>
export async function token(role: Role, fields: NewToken): Promise<string> {
  const { id, secret } = await as(role).call(createToken, { body: { ...fields, expiresInDays: null } })
  ids.set('token', id)
  return secret
}

export const api = (method: 'POST' | 'DELETE', path: string, secret: string, body?: object) =>
  call(`${scene.http.url}/api/v1/${path}`, {
    method,
    token: secret,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

export const sbom = (number: number) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: number,
  components: ['pump-lib', 'held-lib'].map((name) => ({
    type: 'library',
    name,
    version: '1.0.0',
    'bom-ref': name,
    purl: `pkg:npm/${name}@1.0.0`,
  })),
})

export const vex = (version: number) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://acme.example/vex/1',
  author: 'Acme',
  timestamp: '2026-01-01T00:00:00Z',
  version,
  statements: [
    {
      vulnerability: { name: 'CVE-2026-1002' },
      products: [{ '@id': 'pkg:npm/held-lib@1.0.0' }],
      status: 'not_affected',
      justification: 'component_not_present',
    },
  ],
})

export const file = (send: typeof sendSbom | typeof sendVex, body: object) =>
  as('editor').ask(send, {
    params: { family },
    raw: JSON.stringify(body),
    headers: { 'content-type': 'application/octet-stream' },
  })

export async function sendReport(): Promise<void> {
  const page = await request(`${scene.http.url}/disclose/acme`)
  const stamp = stampIn({ status: page.statusCode, headers: page.headers, body: await page.body.text() })
  scene.now = new Date(scene.now.getTime() + 60_000)
  const sent = multipart({ fields: { stamp, ...described } })
  const answer = await request(`${scene.http.url}/disclose/acme`, { method: 'POST', ...sent })
  expect(answer.statusCode).toBe(303)
  await answer.body.dump()
}

export async function reportOf(incident: string, stage: string): Promise<string> {
  const { reports } = await as('editor').call(getIncident, { params: { incident } })
  return reports.find(({ report }) => report === stage)?.id ?? ''
}

export async function advisory(): Promise<AdvisoryContent> {
  const products = []
  for (const name of ['1.0', '2.0', '3.0']) {
    const order = { workspaceId, familyId: family, name, now: start }
    const { id } = await selectOrInsertVersion(scene.database.db, order)
    products.push({ versionId: id, familyId: family, family: 'Pump', version: name })
  }
  return sampleContent(products)
}

export async function wrongPassword(): Promise<number | undefined> {
  const body = { email: scene.emailOf('viewer'), password: 'another long password' }
  return (await new AppSession(scene.http.url).refused(signIn, { body })).status
}

/** An SBOM of a family that nothing refers to. */
export async function removeOneSbom(): Promise<void> {
  const { db } = scene.database
  const valve = await addFamily(db, workspaceId, 'Valve')
  for (const at of [scene.now, new Date(scene.now.getTime() + 1)]) {
    const sbomId = await addSbom(db, valve, { parts: [npm('valve-lib', '1.0.0')], now: at })
    await matchSbom(db, { workspaceId, sbomId, now: at })
  }
  await as('admin').call(changeSbomRetention, {
    params: { family: valve.familyId },
    body: { keep: 'days', amount: 1, isCraLifted: true },
  })
  const days = 2 * 24 * 3_600_000
  expect(await removeReplacedSboms(db, { now: new Date(scene.now.getTime() + days) })).toBe(1)
}
