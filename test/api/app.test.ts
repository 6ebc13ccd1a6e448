import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import {
  completeSetup,
  getSession,
  getSetupState,
  signIn,
  signOut,
} from '../../src/contract/people/operations/session.ts'
import {
  archiveFamily,
  createFamily,
  deleteFamily,
  getFamily,
  listFamilies,
  listFamilySboms,
  makeVersionCurrent,
  renameFamily,
  restoreFamily,
  restoreVersion,
  retireVersion,
} from '../../src/contract/products/operations.ts'
import { createToken, listTokens, type NewToken } from '../../src/contract/tokens/operations.ts'
import {
  activateSbom,
  downloadSbom,
  getSbom,
  listComponents,
  rematchSbom,
} from '../../src/contract/sbom/operations.ts'
import { issueSetupLink } from '../../src/people/setup.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { testNow } from '../support/clock.ts'
import { anyText } from '../support/expected.ts'
import { readAs } from '../support/read-as.ts'
import { nobodys } from './operation-bodies.ts'

let store: TestDatabase
let http: TestHttp
let owner: AppSession
const slug = 'acme'

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  owner = new AppSession(http.url).in(slug)
})
afterAll(() => endBoth(http, store))

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
    const state = (link: unknown) => owner.ask(getSetupState, { body: { secret: link } })
    expect((await state(stale)).body).toEqual({ open: false })
    expect((await state(secret)).body).toEqual({ open: true })
    const post = (body: object) => owner.ask(completeSetup, { body: { secret, ...body } })
    expect(await post({ ...setup, password: 'short' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', fields: { password: anyText } },
    })
    expect(await post({ ...setup, slug: 'API', timeZone: 'Nowhere/Land' })).toMatchObject({
      status: 400,
      body: { fields: { slug: anyText, timeZone: anyText } },
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
    const answer = await new AppSession(http.url).ask(signIn, {
      body: { email: setup.email, password: setup.password },
    })
    expect(String(answer.headers['set-cookie'])).toMatch(/HttpOnly/)
    expect(String(answer.headers['set-cookie'])).toMatch(/SameSite=Lax/)
    expect(String(answer.headers['set-cookie'])).toMatch(/Secure/)
    expect(answer.body).toMatchObject({ person: { name: 'Olga' } })
  })

  it('ends at sign-out', async () => {
    const session = await AppSession.signIn(http.url, {
      email: 'OLGA@acme.example',
      password: setup.password,
    })
    const { cookies } = session
    await session.call(signOut)
    expect(await new AppSession(http.url).refused(getSession, { headers: cookies })).toMatchObject({
      status: 401,
      body: { error: 'signed_out' },
    })
  })

  it('answers unknown addresses and wrong passwords alike, and slows guessing down', async () => {
    const guess = (email: string) =>
      new AppSession(http.url).ask(signIn, { body: { email, password: 'wrong password!' } })
    const unknown = await guess('nobody@acme.example')
    const wrong = await guess(setup.email)
    expect(unknown.status).toBe(401)
    expect(unknown.body).toEqual(wrong.body)
    for (let attempt = 0; attempt < 9; attempt += 1) await guess(setup.email)
    expect(await guess(setup.email)).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
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
    const made = await owner.call(createFamily, { body: { name: 'Pump' } })
    family = made.id
    expect(await owner.refused(createFamily, { body: { name: 'pump' } })).toMatchObject({
      status: 400,
    })
    await owner.call(renameFamily, { params: { family }, body: { name: 'Pump 2' } })
    const { rows } = await owner.call(listFamilies)
    expect(rows).toMatchObject([
      { name: 'Pump 2', activeSboms: 0, lastUploadAt: null, findings: { total: 0 } },
    ])
  })

  it('gets a token that is shown once', async () => {
    const order: NewToken = { name: 'ci', kind: 'upload', familyId: family, expiresInDays: 365 }
    const made = await owner.call(createToken, { body: order })
    secret = made.secret
    const listed = await owner.call(listTokens)
    expect(JSON.stringify(listed)).not.toContain(secret)
    const [row] = listed.tokens
    expect(row).toMatchObject({
      name: 'ci',
      family: { id: family, name: 'Pump 2' },
      prefix: secret.slice(0, 10),
      createdBy: 'Olga',
      lastUsedAt: null,
      expiresAt: '2027-01-01T00:00:00.000Z',
      status: 'Active',
    })
    expect(await owner.refused(createToken, { body: { ...order, expiresInDays: 31 } })).toMatchObject({
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
    sbom = readAs(SbomReceipt, answer.body)
    const detail = await owner.call(getSbom, { params: { sbom: sbom.id } })
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
    const first = await owner.call(listComponents, { params: { sbom: sbom.id } })
    expect(first).toMatchObject({ total: 120 })
    expect(first.rows).toHaveLength(100)
    const second = await owner.call(listComponents, {
      params: { sbom: sbom.id },
      query: { cursor: first.nextCursor ?? undefined },
    })
    expect(second.rows).toHaveLength(20)
    expect(second.nextCursor).toBeNull()
    const names = [...first.rows, ...second.rows].map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(new Set(names).size).toBe(120)
    const backwards = await owner.call(listComponents, {
      params: { sbom: sbom.id },
      query: { sort: '-name' },
    })
    expect(backwards.rows[0]?.name).toBe(names.at(-1))
    expect(
      await owner.call(listComponents, { params: { sbom: sbom.id }, query: { search: 'SAMPLE-11' } }),
    ).toMatchObject({ total: 11 })
    expect(
      await owner.call(listComponents, { params: { sbom: sbom.id }, query: { search: '%' } }),
    ).toMatchObject({ total: 0 })
    expect(first.rows[0]?.decidability).toBe('data_not_loaded')
    expect(
      (await owner.refused(listComponents, { params: { sbom: sbom.id }, query: { cursor: 'abc' } })).status,
    ).toBe(400)
    expect(
      (await owner.refused(listComponents, { params: { sbom: sbom.id }, query: { sort: 'size' } })).status,
    ).toBe(400)
  })

  it('gives the original back, decompressed, as a download', async () => {
    const answer = await owner.ask(downloadSbom, { params: { sbom: sbom.id } })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[0-9a-f-]+\.cdx\.json"$/)
    expect(answer.body).toEqual(JSON.parse(gunzipSync(body).toString()))
  })

  it('replaces, and makes the replaced one active again', async () => {
    const next = readAs(
      SbomReceipt,
      (await send(sampleSbom({ components: 2, serial: 8, version: '1.0' }))).body,
    )
    const old = await owner.call(getSbom, { params: { sbom: sbom.id } })
    expect(old).toMatchObject({ active: false, replacedBy: { id: next.id } })
    expect(await owner.call(getSbom, { params: { sbom: next.id } })).toMatchObject({
      active: true,
      replaces: { id: sbom.id },
    })
    await owner.call(activateSbom, { params: { sbom: sbom.id } })
    expect(await owner.call(getSbom, { params: { sbom: sbom.id } })).toMatchObject({
      active: true,
      replacedBy: null,
    })
    expect(await owner.call(getSbom, { params: { sbom: next.id } })).toMatchObject({
      active: false,
      replacedBy: { id: sbom.id },
    })
    const history = await owner.call(listFamilySboms, { params: { family } })
    expect(history.rows.map(({ id }) => id).toSorted()).toEqual([sbom.id, next.id].toSorted())
  })

  it('retires and restores a version', async () => {
    const describeFamily = () => owner.call(getFamily, { params: { family } })
    const [version] = (await describeFamily()).versions
    expect(version).toMatchObject({ name: '1.0', isCurrent: true, activeSbom: { active: true } })
    await owner.call(retireVersion, { params: { family, version: version?.id } })
    expect(
      await owner.refused(makeVersionCurrent, { params: { family, version: version?.id } }),
    ).toMatchObject({ status: 409, body: { message: 'This version is retired. Restore it first.' } })
    const elsewhere = { params: { family, version: nobodys } }
    for (const act of [retireVersion, restoreVersion, makeVersionCurrent])
      expect((await owner.refused(act, elsewhere)).status).toBe(404)
    expect((await describeFamily()).versions[0]).toMatchObject({
      retiredAt: testNow.toISOString(),
      activeSbom: { active: false },
    })
    await owner.call(restoreVersion, { params: { family, version: version?.id } })
    await owner.call(makeVersionCurrent, { params: { family, version: version?.id } })
    expect((await owner.refused(rematchSbom, { params: { sbom: sbom.id } })).status).toBe(409)
  })

  it('is archived, restored and deleted', async () => {
    await owner.call(archiveFamily, { params: { family } })
    expect((await send(body)).status).toBe(401)
    expect(await owner.call(listFamilies)).toEqual({
      rows: [],
      nextCursor: null,
      total: 0,
      all: 0,
    })
    expect(await owner.call(listFamilies, { query: { archived: 'true' } })).toMatchObject({
      rows: [{ id: family }],
    })
    await owner.call(restoreFamily, { params: { family } })
    expect((await send(body)).status).toBe(200)
    await owner.call(archiveFamily, { params: { family } })
    const remove = (confirmName: string) =>
      owner.ask(deleteFamily, { params: { family }, body: { confirmName } })
    expect((await remove('wrong')).status).toBe(400)
    expect((await remove('Pump 2')).status).toBe(204)
    expect((await send(body)).status).toBe(404)
    expect((await owner.refused(getSbom, { params: { sbom: sbom.id } })).status).toBe(404)
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
