import { gzipSync, deflateSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { createCompany, createFamilyToken } from '../support/company.ts'
import { call, type Answer } from '../support/http.ts'
import { asForm, cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { refusalIn } from '../support/read-as.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})

afterAll(() => scene.close())

const library = { type: 'library', name: 'x' }
const libraries = (count: number) => Array.from({ length: count }, () => library)
const withTail = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])

const encoded = (encoding: string) => ({ headers: { 'content-encoding': encoding } })
const json = (value: unknown) => JSON.stringify(value)

describe('refusals', () => {
  type Row = [status: number, error: string, name: string, send: () => Promise<Answer>]
  const rows: Row[] = [
    [400, 'empty', 'no bytes', () => scene.upload('')],
    [400, 'empty', 'no bytes said to be gzip', () => scene.upload('', encoded('gzip'))],
    [400, 'empty', 'no bytes after inflating', () => scene.upload(gzipSync(''))],
    [400, 'bad_encoding', 'an unknown encoding', () => scene.upload(scene.sbom(), encoded('br'))],
    [400, 'bad_encoding', 'two encodings', () => scene.upload(scene.sbom(), encoded('gzip, gzip'))],
    [400, 'bad_encoding', 'an unknown encoding of nothing', () => scene.upload('', encoded('br'))],
    [400, 'bad_encoding', 'gzip that is none', () => scene.upload(scene.sbom(), encoded('gzip'))],
    [400, 'bad_encoding', 'truncated gzip', () => scene.upload(gzipSync(scene.sbom()).subarray(0, 40))],
    [400, 'bad_encoding', 'gzip with garbage behind', () => scene.upload(withTail(gzipSync(scene.sbom())))],
    [400, 'bad_encoding', 'gzip in gzip', () => scene.upload(gzipSync(gzipSync(scene.sbom())))],
    [400, 'bad_encoding', 'zstd', () => scene.upload(zstdCompressSync(scene.sbom()), encoded('zstd'))],
    [400, 'bad_encoding', 'deflate', () => scene.upload(deflateSync(scene.sbom()), encoded('deflate'))],
    [400, 'invalid_json', 'text', () => scene.upload('SPDXVersion: SPDX-2.3')],
    [400, 'invalid_json', 'spaces only', () => scene.upload('   ')],
    [400, 'invalid_json', 'a form', () => scene.upload(asForm(scene.sbom()))],
    [415, 'unsupported_format', 'a wrapped SBOM', () => scene.upload(json({ sbom: cyclonedx({}) }))],
    [400, 'invalid_json', 'cut JSON', () => scene.upload(scene.sbom().subarray(0, 100))],
    [400, 'invalid_json', 'UTF-16', () => scene.upload(Buffer.from(scene.sbom().toString(), 'utf16le'))],
    [400, 'invalid_json', 'two documents', () => scene.upload(cyclonedx({}) + cyclonedx({}))],
    [400, 'invalid_sbom', 'components that are no array', () => scene.upload(cyclonedx({ components: {} }))],
    [
      400,
      'invalid_sbom',
      'a nameless component',
      () => scene.upload(cyclonedx({ components: [{ type: 'file' }] })),
    ],
    [400, 'invalid_sbom', '65 levels', () => scene.upload(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`)],
    [415, 'xml_unsupported', 'XML', () => scene.upload('<?xml version="1.0"?><bom/>')],
    [415, 'xml_unsupported', 'XML after spaces', () => scene.upload(' \n<bom/>')],
    [
      415,
      'unsupported_format',
      '1.3',
      () => scene.upload(json({ bomFormat: 'CycloneDX', specVersion: '1.3' })),
    ],
    [415, 'unsupported_format', 'an array', () => scene.upload('[]')],
    [415, 'unsupported_format', 'another document', () => scene.upload('{"hello":"world"}')],
    [422, 'too_many_components', '50 001', () => scene.upload(cyclonedx({ components: libraries(50_001) }))],
    [413, 'too_large', 'over 4 MB as sent', () => scene.upload(Buffer.alloc(limits.bodySentBytes + 1, 32))],
    [
      413,
      'too_large',
      'over 50 MB',
      () => scene.upload(gzipSync(Buffer.alloc(limits.bodyDecompressedBytes + 1, 32))),
    ],
  ]
  it.each(rows)('%i %s: %s', async (status, error, _name, send) => {
    const answer = await send()
    expect(answer).toMatchObject({ status, body: { error } })
    expect(refusalIn(answer.body).message).toMatch(/^[A-Z].*\.$/)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it.each([
    ['as sent', () => Buffer.alloc(limits.bodySentBytes + 1, 32), 'more than 4194304 bytes as sent'],
    [
      'decompressed',
      () => gzipSync(Buffer.alloc(limits.bodyDecompressedBytes + 1, 32)),
      'more than 52428800 bytes decompressed',
    ],
  ])('says which size is too large: %s', async (_name, body, detail) => {
    expect((await scene.upload(body())).body).toMatchObject({ error: 'too_large', detail })
  })

  it.each([
    [
      'CycloneDX',
      { bomFormat: 'CycloneDX', specVersion: ' 1.6' },
      'CycloneDX with " 1.6" as its specVersion',
    ],
    ['SPDX', { spdxVersion: 'SPDX-2.3 ' }, 'SPDX with "SPDX-2.3 " as its spdxVersion'],
    ['SPDX', { spdxVersion: '' }, 'SPDX with "" as its spdxVersion'],
  ])(
    'a version that reads like an accepted one, or like none, is shown as it is: %s',
    async (_format, body, detail) => {
      expect((await scene.upload(json(body))).body).toMatchObject({ error: 'unsupported_format', detail })
    },
  )

  it('reads a document of exactly 50 000 components and exactly 4 MB', async () => {
    const body = cyclonedx({
      v: scene.serial(),
      components: libraries(limits.components),
    })
    const padded = body.padEnd(limits.bodySentBytes, ' ')
    expect(Buffer.byteLength(padded)).toBe(limits.bodySentBytes)
    expect((await scene.uploaded(padded)).components).toBe(limits.components)
  })

  it('names what was found', async () => {
    const answer = await scene.upload(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.3' }))
    expect(answer.body).toMatchObject({ detail: 'CycloneDX 1.3' })
  })

  type Credential = [
    name: string,
    headers: () => Record<string, string> | Promise<Record<string, string>>,
    challenge: string,
  ]
  const given = 'Bearer realm="sbom-monitor", error="invalid_token"'
  const credentials: Credential[] = [
    ['none', () => ({}), 'Bearer realm="sbom-monitor"'],
    ['an unknown token', () => ({ authorization: `Bearer svc_${'a'.repeat(43)}` }), given],
    ['a blank header', () => ({ authorization: ' ' }), 'Bearer realm="sbom-monitor"'],
    ['no token at all', () => ({ authorization: 'Bearer ' }), given],
    ['the bare token', async () => ({ authorization: await scene.token() }), given],
    ['another scheme', async () => ({ authorization: `Basic ${await scene.token()}` }), given],
    ['X-Api-Key', async () => ({ 'x-api-key': await scene.token() }), given],
    ['a results token', async () => ({ authorization: `Bearer ${await resultsToken()}` }), given],
    ['an expired token', async () => ({ authorization: `Bearer ${await expiredToken()}` }), given],
    ['a revoked token', async () => ({ authorization: `Bearer ${await revokedToken()}` }), given],
    [
      'a token of an archived family',
      async () => ({ authorization: `Bearer ${await tokenOf('archived_at')}` }),
      given,
    ],
  ]
  it.each(credentials)('401 unauthorized: %s', async (_name, headers, challenge) => {
    const answer = await call(`${scene.http.url}/api/v1/sboms`, {
      method: 'POST',
      headers: await headers(),
      body: scene.sbom(),
    })
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    expect(answer.headers['www-authenticate']).toBe(challenge)
  })

  const notRead = 'X-Api-Key is not read here. Send "Authorization: Bearer <token>".'
  const otherwise = 'Authorization is not "Bearer <token>".'
  it.each<[name: string, headers: Record<string, string>, detail: string | undefined]>([
    ['in X-Api-Key', { 'x-api-key': 'odt_1' }, notRead],
    ['in X-Api-Key beside a blank header', { authorization: ' ', 'x-api-key': 'odt_1' }, notRead],
    ['without Bearer', { authorization: `svc_${'a'.repeat(43)}` }, otherwise],
    ['missing behind Bearer', { authorization: 'Bearer ' }, otherwise],
    ['nowhere', {}, undefined],
    ['wrong', { authorization: `Bearer svc_${'a'.repeat(43)}` }, undefined],
    ['wrong beside X-Api-Key', { authorization: 'Bearer svc_1', 'x-api-key': 'odt_1' }, undefined],
  ])('401 says where the token goes: %s', async (_name, headers, detail) => {
    const at: [path: string, method: 'GET' | 'POST'][] = [
      ['/api/v1/sboms', 'POST'],
      ['/api/v1/vex', 'POST'],
      ['/api/v1/sboms/00000000-0000-4000-8000-000000000000', 'GET'],
      ['/api/v1/alert-destinations', 'GET'],
    ]
    for (const [path, method] of at) {
      const { status, body } = await call(`${scene.http.url}${path}`, { method, headers })
      expect([path, status, (body as { detail?: string }).detail]).toEqual([path, 401, detail])
    }
  })

  it('401: a token in the address is not looked at', async () => {
    const secret = await scene.token()
    const answer = await call(`${scene.http.url}/api/v1/sboms?token=${secret}&access_token=${secret}`, {
      method: 'POST',
      body: scene.sbom(),
    })
    expect(answer).toMatchObject({ status: 401 })
  })

  it('takes the scheme word in any case', async () => {
    const headers = { authorization: `bEARER ${await scene.token()}` }
    expect(
      await call(`${scene.http.url}/api/v1/sboms`, { method: 'POST', headers, body: scene.sbom() }),
    ).toMatchObject({ status: 202 })
  })

  it('404 family_not_found: the family was deleted', async () => {
    const answer = await scene.upload(scene.sbom(), { token: await tokenOf('deleted_at') })
    expect(answer).toMatchObject({ status: 404, body: { error: 'family_not_found' } })
  })

  it.each([
    ['free', 'read-only'],
    ['closed', 'closed'],
  ] as const)('402 billing_lapsed in a %s workspace; the message says which', async (plan, word) => {
    const lapsed = await createCompany(scene.database.db, `lapsed-${plan}`, plan)
    const answer = await scene.upload(scene.sbom(), { token: await scene.token(lapsed) })
    expect(answer).toMatchObject({ status: 402, body: { error: 'billing_lapsed' } })
    expect(refusalIn(answer.body).message).toContain(word)
  })
})

async function resultsToken(): Promise<string> {
  return (await createFamilyToken(scene.database.db, scene.company, { kind: 'results' })).secret
}

async function expiredToken(): Promise<string> {
  return (await createFamilyToken(scene.database.db, scene.company, { expiresAt: testNow })).secret
}

async function revokedToken(): Promise<string> {
  const { id, secret } = await createFamilyToken(scene.database.db, scene.company)
  await scene.database.db.updateTable('token').set({ revoked_at: testNow }).where('id', '=', id).execute()
  return secret
}

async function tokenOf(column: 'archived_at' | 'deleted_at'): Promise<string> {
  const gone = await createCompany(scene.database.db, `gone-${scene.serial()}`)
  const secret = await scene.token(gone)
  await scene.database.db
    .updateTable('family')
    .set({ [column]: testNow })
    .where('id', '=', gone.familyId)
    .execute()
  return secret
}
