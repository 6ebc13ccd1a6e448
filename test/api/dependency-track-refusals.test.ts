import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { createCompany, createFamilyToken, type Company } from '../support/company.ts'
import { DependencyTrack } from '../support/dependency-track.ts'
import { call, type Answer } from '../support/http.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { refusalIn } from '../support/read-as.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})

afterAll(() => scene.close())

const notification = (fields: unknown) => ({ notification: fields })
const withBom = (bom: unknown, fields: Record<string, unknown> = {}) =>
  notification({ group: 'BOM_PROCESSED', subject: { project: { name: 'p' }, bom }, ...fields })
const encoded = (text: string | Buffer) => ({ content: Buffer.from(text).toString('base64') })

describe('refusals', () => {
  type Row = [status: number, error: string, name: string, body: () => unknown, detail?: string]
  const rows: Row[] = [
    [400, 'invalid_json', 'an empty body', () => ''],
    [400, 'invalid_json', 'text', () => 'hello'],
    [400, 'invalid_json', 'XML', () => '<notification/>'],
    [
      400,
      'invalid_json',
      'the broken null subject of old templates',
      () => '{"notification":{"group":"A","subject":}}',
    ],
    [400, 'invalid_notification', 'an array', () => []],
    [
      400,
      'invalid_notification',
      'no notification',
      () => ({}),
      '/notification: expected an object, found nothing',
    ],
    [
      400,
      'invalid_notification',
      'a notification that is no object',
      () => notification('x'),
      '/notification',
    ],
    [400, 'invalid_notification', 'no group', () => notification({}), '/notification/group'],
    [
      400,
      'invalid_notification',
      'an empty group',
      () => notification({ group: ' ' }),
      '/notification/group',
    ],
    [
      400,
      'invalid_notification',
      'nothing but the prefix of a group',
      () => notification({ group: 'GROUP_' }),
      '/notification/group: expected the name of a group, found "GROUP_"',
    ],
    [400, 'invalid_notification', 'a list', () => [], 'the body: expected an object, found an array'],
    [
      400,
      'invalid_notification',
      'a group that is no text',
      () => notification({ group: 1 }),
      '/notification/group',
    ],
    [
      400,
      'invalid_notification',
      'a BOM group without a subject',
      () => notification({ group: 'BOM_PROCESSED', subject: null }),
      '/notification/subject: expected an object, found null',
    ],
    [
      400,
      'invalid_notification',
      'a project that is no object',
      () => notification({ group: 'BOM_CONSUMED', subject: { project: 'p', bom: encoded('{}') } }),
      '/notification/subject/project',
    ],
    [400, 'invalid_notification', 'a BOM that is no object', () => withBom('x'), '/notification/subject/bom'],
    [
      400,
      'invalid_notification',
      'a content that is no text',
      () => withBom({ content: 1 }),
      '/notification/subject/bom/content',
    ],
    [
      400,
      'invalid_notification',
      'no base64',
      () => withBom({ content: 'a b c' }),
      '/notification/subject/bom/content',
    ],
    [400, 'invalid_notification', 'cut base64', () => withBom({ content: 'abcde' }), 'base64'],
    [422, 'bom_omitted', '(Omitted)', () => withBom({ content: '(Omitted)' })],
    [422, 'bom_omitted', 'an empty content', () => withBom({ content: '' })],
    [422, 'bom_omitted', 'a null content', () => withBom({ content: null })],
    [422, 'bom_omitted', 'no content', () => withBom({})],
    [
      415,
      'xml_unsupported',
      'XML',
      () => withBom({ ...encoded('<?xml version="1.0"?><bom/>'), format: 'CycloneDX' }),
    ],
    [415, 'xml_unsupported', 'XML after a mark and blanks', () => withBom(encoded('\ufeff \n<bom/>'))],
    [
      415,
      'unsupported_format',
      '1.3',
      () => withBom(encoded('{"bomFormat":"CycloneDX","specVersion":"1.3"}')),
      'CycloneDX 1.3',
    ],
    [
      400,
      'invalid_json',
      'a BOM that is no JSON',
      () => withBom(encoded('{')),
      'in the BOM: line 1, column 2',
    ],
    [
      400,
      'invalid_json',
      'a BOM in broken gzip',
      () => withBom(encoded(gzipSync('{}').subarray(0, 15))),
      'in the BOM: gzip',
    ],
    [
      400,
      'invalid_sbom',
      'a broken BOM',
      () => withBom(encoded(cyclonedx({ components: 1 }))),
      '/components',
    ],
    [
      422,
      'too_many_components',
      '50 001 components',
      () =>
        withBom(
          encoded(
            cyclonedx({ components: Array.from({ length: 50_001 }, () => ({ type: 'file', name: 'x' })) }),
          ),
        ),
    ],
    [413, 'too_large', 'over 4 MB', () => 'x'.repeat(limits.bodySentBytes + 1), '4194304 bytes as sent'],
    [
      413,
      'too_large',
      'over 50 MB inflated',
      () => withBom(encoded(gzipSync(Buffer.alloc(limits.bodyDecompressedBytes + 1)))),
      '52428800 bytes decompressed',
    ],
  ]
  it.each(rows)('%i %s: %s', async (status, error, _name, body, detail) => {
    const answer = await (await scene.platform()).send(body())
    expect(answer).toMatchObject({ status, body: { error } })
    if (detail !== undefined) expect(refusalIn(answer.body).detail).toContain(detail)
  })

  it('version 5 leaves the BOM out, and the message says what to do', async () => {
    const sender = await scene.platform('5.0')
    for (const group of ['BOM_CONSUMED', 'BOM_PROCESSED'] as const) {
      const answer = await sender.bom(group, scene.sbom())
      expect(answer).toMatchObject({ status: 422, body: { error: 'bom_omitted' } })
      expect(refusalIn(answer.body).message).toMatch(/5 .*\/api\/v1\/sboms/)
    }
  })

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/vnd.cyclonedx+json', 415],
    ['APPLICATION/JSON ; charset=iso-8859-1', 202],
  ])('%s: %i', async (type, status) => {
    const sender = await scene.platform()
    const answer = await sender.send(sender.bomNotification('BOM_PROCESSED', scene.sbom()), {
      'content-type': type,
    })
    expect(answer.status).toBe(status)
    if (status === 415) expect(answer.body).toMatchObject({ error: 'unsupported_media_type' })
  })

  it('no media type: 415', async () => {
    const answer = await call(`${scene.http.url}/api/v1/connectors/dependency-track`, {
      method: 'POST',
      headers: { 'x-api-key': await scene.token() },
      body: '{}',
    })
    const detail = 'Content-Type: expected application/json, found nothing'
    expect(answer).toMatchObject({ status: 415, body: { error: 'unsupported_media_type', detail } })
  })
})

describe('the order of checks', () => {
  const huge = 'x'.repeat(limits.bodySentBytes + 1)
  const plain = { 'content-type': 'text/plain' }

  async function sent(body: unknown, headers: Record<string, string>, company?: Company): Promise<Answer> {
    return (await scene.platform('4.13', company)).send(body, headers)
  }
  const lapsed = () => createCompany(scene.database.db, `order-${scene.serial()}`, 'free')

  it('token, limit, size, media type, JSON, shape', async () => {
    const unknown = new DependencyTrack('4.13', { url: scene.http.url, token: 'x' })
    expect(await unknown.send(huge, plain)).toMatchObject({ status: 401 })
    const spent = await createFamilyToken(scene.database.db, scene.company)
    const use = { token_id: spent.id, last_used_at: testNow, window_started_at: testNow }
    await scene.database.db
      .insertInto('token_use')
      .values({ ...use, window_requests: limits.requestsPerWindow })
      .execute()
    const overLimit = new DependencyTrack('4.13', { url: scene.http.url, token: spent.secret })
    expect(await overLimit.send(huge, plain)).toMatchObject({ status: 429 })
    expect(await sent(huge, plain)).toMatchObject({ status: 413 })
    expect(await sent('{', plain)).toMatchObject({ status: 415 })
    expect(await sent('{', {}, await lapsed())).toMatchObject({
      status: 400,
      body: { error: 'invalid_json' },
    })
  })

  it('shape before the workspace state, the state before the BOM', async () => {
    const company = await lapsed()
    expect(await sent(withBom('x'), {}, company)).toMatchObject({ body: { error: 'invalid_notification' } })
    const rows = [{ content: '(Omitted)' }, { content: '#' }, encoded('<bom/>')]
    for (const bom of rows) {
      expect(await sent(withBom(bom), {}, company)).toMatchObject({
        status: 402,
        body: { error: 'billing_lapsed' },
      })
    }
  })
})
