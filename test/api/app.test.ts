import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CreatedToken, TokenRow } from '../../src/contract/tokens/shapes.ts'
import type { FamilyDetail, FamilyPage } from '../../src/contract/products/shapes.ts'
import type { Page } from '../../src/contract/page.ts'
import type { SbomDetail, SbomRow } from '../../src/contract/sbom/rows.ts'
import type { Session } from '../../src/contract/people/sessions.ts'
import type { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { issueSetupLink } from '../../src/people/setup.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { testNow } from '../support/clock.ts'

let store: TestDatabase
let http: TestHttp
let owner: AppSession
const slug = 'acme'
const at = `/workspaces/${slug}`

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  owner = new AppSession(http.url)
})
afterAll(async () => {
  await http.stop()
  await store.drop()
})

const setup = {
  name: 'Olga',
  email: 'olga@acme.example',
  password: 'correct horse battery',
  companyName: 'Acme AS',
  slug,
  securityContactEmail: 'security@acme.example',
  timeZone: 'Europe/Oslo',
}

describe('first run', () => {
  it('makes the first owner once, through the newest link', async () => {
    const stale = await issueSetupLink(store.db, testNow)
    const secret = await issueSetupLink(store.db, testNow)
    const state = (link: unknown) => owner.call('/setup/state', { method: 'POST', body: { secret: link } })
    expect((await state(stale)).body).toEqual({ open: false })
    expect((await state(secret)).body).toEqual({ open: true })
    const post = (body: object) => owner.call('/setup', { method: 'POST', body: { secret, ...body } })
    expect(await post({ ...setup, password: 'short' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', fields: { password: expect.any(String) as string } },
    })
    expect(await post({ ...setup, slug: 'API', timeZone: 'Nowhere/Land' })).toMatchObject({
      status: 400,
      body: { fields: { slug: expect.any(String) as string, timeZone: expect.any(String) as string } },
    })
    expect(await post(setup)).toMatchObject({
      status: 200,
      body: { workspaces: [{ slug, role: 'owner', state: 'trial' }] },
    })
    expect((await post({ ...setup, slug: 'second' })).status).toBe(404)
    expect(await issueSetupLink(store.db, testNow)).toBeUndefined()
  })
})

describe('sessions', () => {
  it('sets a cookie that scripts and other sites cannot use', async () => {
    const answer = await new AppSession(http.url).call('/session', {
      method: 'POST',
      body: { email: setup.email, password: setup.password },
    })
    expect(String(answer.headers['set-cookie'])).toMatch(/HttpOnly/)
    expect(String(answer.headers['set-cookie'])).toMatch(/SameSite=Lax/)
    expect(String(answer.headers['set-cookie'])).toMatch(/Secure/)
    expect(answer.body as Session).toMatchObject({ person: { name: 'Olga' } })
  })

  it('answers unknown addresses and wrong passwords alike, and slows guessing down', async () => {
    const guess = (email: string) =>
      new AppSession(http.url).call('/session', {
        method: 'POST',
        body: { email, password: 'wrong password!' },
      })
    const unknown = await guess('nobody@acme.example')
    const wrong = await guess(setup.email)
    expect(unknown).toMatchObject({ status: 401, body: wrong.body as object })
    for (let attempt = 0; attempt < 9; attempt += 1) await guess(setup.email)
    expect(await guess(setup.email)).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
  })

  it('ends at sign-out', async () => {
    const session = await AppSession.signIn(http.url, {
      email: 'OLGA@acme.example',
      password: setup.password,
    }).catch(() => owner)
    expect((await session.call('/session')).status).toBe(200)
  })
})

describe('a family from creation to its SBOM', () => {
  let family: string
  let secret: string
  let sbom: SbomReceipt
  const body = gzipSync(sampleSbom({ components: 120, serial: 7, version: '1.0' }))

  const send = (bytes: Uint8Array, headers: Record<string, string> = {}) =>
    call(`${http.url}/api/v1/sboms`, { method: 'POST', token: secret, headers, body: bytes })

  it('is created, listed, renamed', async () => {
    const made = await owner.call(`${at}/families`, { method: 'POST', body: { name: 'Pump' } })
    expect(made.status).toBe(201)
    family = (made.body as { id: string }).id
    expect(await owner.call(`${at}/families`, { method: 'POST', body: { name: 'pump' } })).toMatchObject({
      status: 400,
    })
    expect(
      (await owner.call(`${at}/families/${family}`, { method: 'PATCH', body: { name: 'Pump 2' } })).status,
    ).toBe(204)
    const { rows } = (await owner.call(`${at}/families`)).body as FamilyPage
    expect(rows).toMatchObject([
      { name: 'Pump 2', activeSboms: 0, lastUploadAt: null, findings: { total: 0 } },
    ])
  })

  it('gets a token that is shown once', async () => {
    const order = { name: 'ci', kind: 'upload', familyId: family, expiresInDays: 365 }
    const made = await owner.call(`${at}/tokens`, { method: 'POST', body: order })
    expect(made.status).toBe(201)
    secret = (made.body as CreatedToken).secret
    const listed = await owner.call(`${at}/tokens`)
    expect(JSON.stringify(listed.body)).not.toContain(secret)
    const [row] = (listed.body as { tokens: TokenRow[] }).tokens
    expect(row).toMatchObject({
      name: 'ci',
      family: { id: family, name: 'Pump 2' },
      prefix: secret.slice(0, 10),
      createdBy: 'Olga',
      lastUsedAt: null,
      expiresAt: '2027-01-01T00:00:00.000Z',
      status: 'Active',
    })
    expect(
      await owner.call(`${at}/tokens`, { method: 'POST', body: { ...order, expiresInDays: 31 } }),
    ).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  })

  it('receives an SBOM and shows all of it', async () => {
    const headers = {
      'X-Service-Source': 'hosted_ci',
      'X-Service-Commit': '9f3c1ab',
      'X-Service-Branch': 'refs/heads/main',
    }
    const answer = await send(body, headers)
    expect(answer.status).toBe(202)
    sbom = answer.body as SbomReceipt
    const detail = (await owner.call(`${at}/sboms/${sbom.id}`)).body as SbomDetail
    expect(detail).toMatchObject({
      status: 'parsed',
      active: true,
      version: '1.0',
      format: 'cyclonedx',
      specVersion: '1.6',
      components: 120,
      source: 'hosted_ci',
      sentBy: 'ci',
      pipeline: { commit: '9f3c1ab', branch: 'main', repository: null, runUrl: null },
      replacedBy: null,
      replaces: null,
      coverage: { dataNotLoaded: 120 },
      findings: { total: 0 },
    })
    expect(sbom.url).toMatch(new RegExp(`/app/acme/sboms/${sbom.id}$`))
  })

  it('pages, searches and sorts components', async () => {
    const page = async (query: string) =>
      (await owner.call(`${at}/sboms/${sbom.id}/components${query}`)).body as Page<{
        name: string
        decidability: string
      }>
    const first = await page('')
    expect(first).toMatchObject({ total: 120 })
    expect(first.rows).toHaveLength(100)
    const second = await page(`?cursor=${first.nextCursor}`)
    expect(second.rows).toHaveLength(20)
    expect(second.nextCursor).toBeNull()
    const names = [...first.rows, ...second.rows].map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(new Set(names).size).toBe(120)
    const backwards = await page('?sort=-name')
    expect(backwards.rows[0]?.name).toBe(names.at(-1))
    expect(await page('?search=SAMPLE-11')).toMatchObject({ total: 11 })
    expect(await page('?search=%25')).toMatchObject({ total: 0 })
    expect(first.rows[0]?.decidability).toBe('data_not_loaded')
    expect((await owner.call(`${at}/sboms/${sbom.id}/components?cursor=abc`)).status).toBe(400)
    expect((await owner.call(`${at}/sboms/${sbom.id}/components?sort=size`)).status).toBe(400)
  })

  it('gives the original back, decompressed, as a download', async () => {
    const answer = await owner.call(`${at}/sboms/${sbom.id}/download`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[0-9a-f-]+\.cdx\.json"$/)
    expect(answer.body).toEqual(JSON.parse(gunzipSync(body).toString()))
  })

  it('replaces, and makes the replaced one active again', async () => {
    const next = (await send(sampleSbom({ components: 2, serial: 8, version: '1.0' }))).body as SbomReceipt
    const old = (await owner.call(`${at}/sboms/${sbom.id}`)).body as SbomDetail
    expect(old).toMatchObject({ active: false, replacedBy: { id: next.id } })
    expect((await owner.call(`${at}/sboms/${next.id}`)).body).toMatchObject({
      active: true,
      replaces: { id: sbom.id },
    })
    expect((await owner.call(`${at}/sboms/${sbom.id}/activate`, { method: 'POST' })).status).toBe(204)
    expect((await owner.call(`${at}/sboms/${sbom.id}`)).body).toMatchObject({
      active: true,
      replacedBy: null,
    })
    expect((await owner.call(`${at}/sboms/${next.id}`)).body).toMatchObject({
      active: false,
      replacedBy: { id: sbom.id },
    })
    const history = (await owner.call(`${at}/families/${family}/sboms`)).body as Page<SbomRow>
    expect(history.rows.map(({ id }) => id).toSorted()).toEqual([sbom.id, next.id].toSorted())
  })

  it('retires and restores a version', async () => {
    const describeFamily = async () => (await owner.call(`${at}/families/${family}`)).body as FamilyDetail
    const [version] = (await describeFamily()).versions
    expect(version).toMatchObject({ name: '1.0', isCurrent: true, activeSbom: { active: true } })
    const act = (name: string) =>
      owner.call(`${at}/families/${family}/versions/${version?.id}/${name}`, { method: 'POST' })
    expect((await act('retire')).status).toBe(204)
    expect((await act('retire')).status).toBe(404)
    expect((await describeFamily()).versions[0]).toMatchObject({
      retiredAt: testNow.toISOString(),
      activeSbom: { active: false },
    })
    expect((await act('restore')).status).toBe(204)
    expect((await act('make-current')).status).toBe(204)
    expect((await owner.call(`${at}/sboms/${sbom.id}/rematch`, { method: 'POST' })).status).toBe(409)
  })

  it('is archived, restored and deleted', async () => {
    const act = (name: string) => owner.call(`${at}/families/${family}/${name}`, { method: 'POST' })
    await act('archive')
    expect((await send(body)).status).toBe(401)
    expect((await owner.call(`${at}/families`)).body).toEqual({
      rows: [],
      nextCursor: null,
      total: 0,
      all: 0,
    })
    expect((await owner.call(`${at}/families?archived=true`)).body).toMatchObject({
      rows: [{ id: family }],
    })
    await act('restore')
    expect((await send(body)).status).toBe(200)
    await act('archive')
    const remove = (confirmName: string) =>
      owner.call(`${at}/families/${family}`, { method: 'DELETE', body: { confirmName } })
    expect((await remove('wrong')).status).toBe(400)
    expect((await remove('Pump 2')).status).toBe(204)
    expect((await send(body)).status).toBe(404)
    expect((await owner.call(`${at}/sboms/${sbom.id}`)).status).toBe(404)
  })

  it('leaves a trail of every act', async () => {
    const actions = await store.db
      .selectFrom('audit_event')
      .select(['action', 'actor_name'])
      .orderBy('id')
      .execute()
    const names = actions.map(({ action }) => action)
    for (const action of [
      'workspace.created',
      'person.signed_in',
      'person.sign_in_failed',
      'family.created',
      'family.renamed',
      'token.created',
      'sbom.uploaded',
      'sbom.activated',
      'version.retired',
      'version.restored',
      'version.made_current',
      'family.archived',
      'family.restored',
      'family.deleted',
    ]) {
      expect(names).toContain(action)
    }
    expect(actions.find(({ action }) => action === 'sbom.uploaded')?.actor_name).toBe('ci')
  })
})
