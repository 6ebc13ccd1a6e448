import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { createCompany, createFamilyToken } from '../support/company.ts'
import { call, type Answer } from '../support/http.ts'
import { sampleVex } from '../support/sample-vex.ts'
import { asForm, cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { createToken } from '../../src/products/tokens/create-token.ts'
import { refusalIn } from '../support/read-as.ts'
import { tester } from '../support/actors.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})

afterAll(() => scene.close())

const json = (value: unknown) => JSON.stringify(value)
const openvex = (fields: Record<string, unknown>) =>
  json({ '@context': 'https://openvex.dev/ns/v0.2.0', ...fields })
const csaf = (fields: Record<string, unknown>) => json({ document: { csaf_version: '2.0', ...fields } })
const encoded = (encoding: string) => ({ headers: { 'content-encoding': encoding } })
const send = (...sent: Parameters<UploadScene['uploadVex']>) => scene.uploadVex(...sent)
const withTail = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])
const statement = { vulnerability: { name: 'CVE-2026-1' }, status: 'fixed', products: ['pkg:npm/a'] }
const repeated = <T>(count: number, value: T) => Array.from({ length: count }, () => value)

describe('refusals of /vex', () => {
  type Row = [status: number, error: string, name: string, send: () => Promise<Answer>]
  const rows: Row[] = [
    [400, 'empty', 'no bytes', () => send('')],
    [400, 'empty', 'no bytes said to be zstd', () => send('', encoded('zstd'))],
    [400, 'empty', 'no bytes after inflating', () => send(zstdCompressSync(''))],
    [400, 'bad_encoding', 'an unknown encoding', () => send(scene.vex(), encoded('br'))],
    [400, 'bad_encoding', 'two encodings', () => send(scene.vex(), encoded('gzip, zstd'))],
    [400, 'bad_encoding', 'an unknown encoding of nothing', () => send('', encoded('br'))],
    [400, 'bad_encoding', 'zstd that is none', () => send(scene.vex(), encoded('zstd'))],
    [400, 'bad_encoding', 'gzip under zstd', () => send(gzipSync(scene.vex()), encoded('zstd'))],
    [400, 'bad_encoding', 'truncated zstd', () => send(zstdCompressSync(scene.vex()).subarray(0, 40))],
    [400, 'bad_encoding', 'zstd with garbage behind', () => send(withTail(zstdCompressSync(scene.vex())))],
    [400, 'bad_encoding', 'gzip in zstd', () => send(zstdCompressSync(gzipSync(scene.vex())))],
    [400, 'bad_encoding', 'deflate', () => send(deflateSync(scene.vex()), encoded('deflate'))],
    [400, 'invalid_json', 'text', () => send('vex')],
    [400, 'invalid_json', 'spaces only', () => send('   ')],
    [400, 'invalid_json', 'a form', () => send(asForm(scene.vex()))],
    [415, 'unsupported_vex', 'a wrapped document', () => send(json({ vex: openvex({}) }))],
    [400, 'invalid_json', 'XML', () => send('<?xml version="1.0"?><bom/>')],
    [400, 'invalid_json', 'XML after spaces', () => send(' \n<bom/>')],
    [400, 'invalid_json', 'cut JSON', () => send(scene.vex().subarray(0, 100))],
    [400, 'invalid_json', 'UTF-16', () => send(Buffer.from(scene.vex().toString(), 'utf16le'))],
    [400, 'invalid_vex', 'statements that are no array', () => send(openvex({ statements: {} }))],
    [
      400,
      'invalid_vex',
      'an unknown status',
      () => send(openvex({ statements: [{ ...statement, status: 'x' }] })),
    ],
    [400, 'invalid_vex', '65 levels', () => send(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`)],
    [415, 'unsupported_vex', 'an array', () => send('[]')],
    [415, 'unsupported_vex', 'an SBOM', () => send(scene.sbom())],
    [415, 'unsupported_vex', 'SPDX', () => send(json({ spdxVersion: 'SPDX-2.3' }))],
    [
      415,
      'unsupported_vex',
      'CycloneDX 1.3',
      () => send(json({ bomFormat: 'CycloneDX', specVersion: '1.3', vulnerabilities: [] })),
    ],
    [
      415,
      'unsupported_vex',
      'CSAF of another category',
      () => send(csaf({ category: 'csaf_security_advisory' })),
    ],
    [422, 'no_statements', 'an empty CycloneDX', () => send(cyclonedx({ vulnerabilities: [] }))],
    [422, 'no_statements', 'an empty OpenVEX', () => send(openvex({ statements: [] }))],
    [422, 'no_statements', 'a CSAF without any', () => send(csaf({ category: 'csaf_vex' }))],
    [422, 'too_many_statements', '50 001', () => send(openvex({ statements: repeated(50_001, statement) }))],
    [
      422,
      'too_many_statements',
      '50 001 findings',
      () => send(gzipSync(cyclonedx({ vulnerabilities: repeated(50_001, { id: 'CVE-2026-1' }) }))),
    ],
    [413, 'too_large', 'over 4 MB as sent', () => send(Buffer.alloc(limits.bodySentBytes + 1, 32))],
    [
      413,
      'too_large',
      'over 50 MB',
      () => send(zstdCompressSync(Buffer.alloc(limits.bodyDecompressedBytes + 1, 32))),
    ],
  ]
  it.each(rows)('%i %s: %s', async (status, error, _name, post) => {
    const answer = await post()
    expect(answer).toMatchObject({ status, body: { error } })
    expect(refusalIn(answer.body).message).toMatch(/^[A-Z].*\.$/)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('names what was found', async () => {
    expect(await send(csaf({ category: 'csaf_base' }))).toMatchObject({
      body: { detail: 'CSAF 2.0 with the category csaf_base' },
    })
  })

  it.each(['results', 'workspace'] as const)('401: a %s token', async (kind) => {
    const token =
      kind === 'results'
        ? (await createFamilyToken(scene.database.db, scene.company, { kind })).secret
        : await workspaceToken()
    const answer = await send(scene.vex(), { token })
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="sbom-monitor", error="invalid_token"')
  })

  it('401: the bare token and X-Api-Key', async () => {
    const token = await scene.token()
    for (const headers of [{ authorization: token }, { 'x-api-key': token }]) {
      const answer = await call(`${scene.http.url}/api/v1/vex`, {
        method: 'POST',
        headers,
        body: scene.vex(),
      })
      expect(answer).toMatchObject({ status: 401 })
    }
  })

  it('404: the family was deleted', async () => {
    const gone = await createCompany(scene.database.db, `gone-${scene.serial()}`)
    const token = await scene.token(gone)
    await scene.database.db
      .updateTable('family')
      .set({ deleted_at: testNow })
      .where('id', '=', gone.familyId)
      .execute()
    expect(await send(scene.vex(), { token })).toMatchObject({
      status: 404,
      body: { error: 'family_not_found' },
    })
  })

  it('405 with Allow for other methods', async () => {
    const answer = await call(`${scene.http.url}/api/v1/vex`, { method: 'PUT', body: '{}' })
    expect(answer).toMatchObject({
      status: 405,
      headers: { allow: 'POST, OPTIONS' },
      body: { error: 'method_not_allowed' },
    })
  })
})

async function workspaceToken(): Promise<string> {
  const { db } = scene.database
  const { workspaceId } = scene.company
  const order = {
    workspaceId,
    kind: 'workspace',
    familyId: null,
    name: 'ops',
    expiresAt: null,
    actor: tester,
    now: testNow,
  } as const
  return (await createToken(db, order)).secret
}

describe('the order of checks', () => {
  type Step = { error: string; make: () => Promise<{ token: string }> }
  const lapsed: Step = {
    error: 'billing_lapsed',
    make: async () => ({
      token: await scene.token(await createCompany(scene.database.db, `free-${scene.serial()}`, 'free')),
    }),
  }
  const spent = async () => {
    const { id, secret } = await createFamilyToken(scene.database.db, scene.company)
    const use = { token_id: id, last_used_at: testNow, window_started_at: testNow }
    await scene.database.db
      .insertInto('token_use')
      .values({ ...use, window_requests: limits.requestsPerWindow })
      .execute()
    return secret
  }

  it('the token before the size', async () => {
    const answer = await send(Buffer.alloc(limits.bodySentBytes + 1), { token: `svc_${'a'.repeat(43)}` })
    expect(answer).toMatchObject({ status: 401 })
  })

  it('the rate limit before the size', async () => {
    const answer = await send(Buffer.alloc(limits.bodySentBytes + 1), { token: await spent() })
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } })
  })

  it('size and encoding before the workspace state', async () => {
    const rows: [Uint8Array | string, string, Record<string, string>][] = [
      [Buffer.alloc(limits.bodySentBytes + 1), 'too_large', {}],
      ['', 'empty', {}],
      [scene.vex(), 'bad_encoding', { 'content-encoding': 'br' }],
    ]
    for (const [body, error, headers] of rows) {
      expect(await send(body, { ...(await lapsed.make()), headers })).toMatchObject({ body: { error } })
    }
  })

  it('the workspace state before the document', async () => {
    expect(await send('{', await lapsed.make())).toMatchObject({
      status: 402,
      body: { error: 'billing_lapsed' },
    })
  })

  it('the workspace state before a duplicate', async () => {
    const company = await createCompany(scene.database.db, `was-core-${scene.serial()}`)
    const token = await scene.token(company)
    const body = scene.vex()
    await scene.uploadedVex(body, { token })
    await scene.database.db
      .updateTable('workspace')
      .set({ plan: 'free' })
      .where('id', '=', company.workspaceId)
      .execute()
    expect(await send(body, { token })).toMatchObject({ status: 402 })
  })

  it('the hourly limit counts SBOMs and VEX together', async () => {
    const token = await scene.token()
    const documents = Array.from({ length: 30 }, () => [scene.sbom(), sampleVex(scene.serial())] as const)
    for (const [sbom, vex] of documents) {
      expect((await scene.upload(sbom, { token })).status).toBe(202)
      expect((await send(vex, { token })).status).toBe(202)
    }
    expect(await send(scene.vex(), { token })).toMatchObject({ status: 429 })
    expect(await scene.upload(scene.sbom(), { token })).toMatchObject({ status: 429 })
  })
})
