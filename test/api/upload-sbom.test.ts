import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { writeIdentities } from '../../src/sbom/components/write-identities.ts'
import { baseUrl } from '../support/http.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { readAs } from '../support/read-as.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})

afterAll(() => scene.close())

const library = { type: 'library', name: 'x' }

describe('a new SBOM', () => {
  it('is stored with its components, audit event and matching job, and answered 202', async () => {
    const body = scene.sbom({ components: 5, version: '2.1' })
    const answer = await scene.upload(body, { headers: { 'content-type': 'application/json' } })
    expect(answer).toMatchObject({
      status: 202,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })
    const receipt = readAs(SbomReceipt, answer.body)
    expect(receipt).toEqual({
      id: receipt.id,
      status: 'parsed',
      components: 5,
      version: '2.1',
      url: `${baseUrl}/app/acme/sboms/${receipt.id}`,
      duplicate: false,
    })
    const row = await scene.sbomRow(receipt.id)
    expect(row).toMatchObject({
      workspace_id: scene.company.workspaceId,
      family_id: scene.company.familyId,
      status: 'parsed',
      active: true,
      format: 'cyclonedx',
      spec_version: '1.6',
      source: 'api',
      sent_by: 'ci',
      component_count: 5,
      size_bytes: body.length,
      received_at: testNow,
    })
    expect(gunzipSync(row.raw ?? Buffer.alloc(0))).toEqual(body)
    await writeIdentities(scene.database.db, { ...scene.company, now: testNow })
    const components = await scene.database.db
      .selectFrom('component as c')
      .innerJoin('component_identity as i', 'i.id', 'c.identity_id')
      .select([
        'c.number',
        'c.name',
        'c.version',
        'c.purl',
        'c.licence',
        'c.hashes',
        'i.ecosystem',
        'i.decidability',
      ])
      .where('c.family_id', '=', scene.company.familyId)
      .where('c.number', 'in', row.component_numbers)
      .orderBy('c.number')
      .execute()
    expect(components).toHaveLength(5)
    expect(components[0]).toMatchObject({
      name: 'sample-0',
      version: '0.0.0',
      purl: 'pkg:npm/sample-0@0.0.0',
      licence: 'MIT',
      hashes: [`sha256:${'0'.repeat(64)}`],
      ecosystem: 'npm',
      decidability: 'covered',
    })
    const job = await scene.database.db
      .selectFrom('job')
      .selectAll()
      .where('key', '=', receipt.id)
      .executeTakeFirstOrThrow()
    expect(job).toMatchObject({
      kind: 'match_sbom',
      state: 'waiting',
      workspace_id: scene.company.workspaceId,
      payload: { workspaceId: scene.company.workspaceId, sbomId: receipt.id },
    })
    const event = await scene.database.db
      .selectFrom('audit_event')
      .selectAll()
      .where('object_id', '=', receipt.id)
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({
      workspace_id: scene.company.workspaceId,
      at: testNow,
      actor_kind: 'token',
      actor_name: 'ci',
      action: 'sbom.uploaded',
      address: '127.0.0.1',
      request_id: answer.headers['x-request-id'],
    })
  })

  type Body = [name: string, body: () => Uint8Array | string, headers: Record<string, string>]
  const accepted: Body[] = [
    ['without Content-Type', () => scene.sbom(), {}],
    ['with a malformed Content-Type', () => scene.sbom(), { 'content-type': ';;;' }],
    ['with another Content-Type', () => scene.sbom(), { 'content-type': 'text/xml' }],
    ['gzipped and said so', () => gzipSync(scene.sbom()), { 'content-encoding': 'gzip' }],
    ['gzipped as x-gzip', () => gzipSync(scene.sbom()), { 'content-encoding': 'X-GZip' }],
    ['gzipped without saying so', () => gzipSync(scene.sbom()), {}],
    ['gzipped under identity', () => gzipSync(scene.sbom()), { 'content-encoding': 'identity' }],
    ['with a byte-order mark', () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), scene.sbom()]), {}],
    ['SPDX', () => JSON.stringify({ spdxVersion: 'SPDX-2.3', name: `n${scene.serial()}`, packages: [] }), {}],
    ['without components', () => cyclonedx({ version: scene.serial() }), {}],
  ]
  it.each(accepted)('is accepted %s', async (_name, body, headers) => {
    expect(await scene.upload(body(), { headers })).toMatchObject({ status: 202 })
  })

  it('keeps a gzipped body as it came', async () => {
    const body = gzipSync(scene.sbom(), { level: 1 })
    const row = await scene.sbomRow((await scene.uploaded(body)).id)
    expect(row.raw?.equals(body)).toBe(true)
  })

  it('counts repeated components once in the family and all in the answer', async () => {
    const twins = cyclonedx({ serialNumber: `urn:${scene.serial()}`, components: [library, library] })
    const receipt = await scene.uploaded(twins)
    expect(receipt.components).toBe(2)
    expect((await scene.sbomRow(receipt.id)).component_numbers).toHaveLength(1)
  })

  it('reuses the components the family already has and the identities everybody has', async () => {
    const first = await scene.sbomRow((await scene.uploaded(scene.sbom({ components: 4, offset: 500 }))).id)
    const second = await scene.sbomRow((await scene.uploaded(scene.sbom({ components: 6, offset: 500 }))).id)
    expect(second.component_numbers.slice(0, 4)).toEqual(first.component_numbers)
    const before = await countIdentities()
    const foreign = await scene.token(scene.other)
    await scene.uploaded(scene.sbom({ components: 6, offset: 500 }), { token: foreign })
    expect(await countIdentities()).toBe(before)
  })
})

async function countIdentities(): Promise<number> {
  const { count } = await scene.database.db
    .selectFrom('component_identity')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

describe('duplicates', () => {
  it('plain and gzipped bytes of one file are the same, whatever the headers say', async () => {
    const body = scene.sbom()
    const first = await scene.uploaded(body, { headers: { 'x-service-version': '1' } })
    for (const again of [body, gzipSync(body), gzipSync(body, { level: 1 })]) {
      const answer = await scene.upload(again, {
        headers: { 'x-service-version': '2', 'x-service-branch': 'other' },
      })
      expect(answer).toMatchObject({ status: 200, body: { ...first, duplicate: true } })
    }
    const rows = await scene.database.db.selectFrom('sbom').select('id').where('id', '=', first.id).execute()
    expect(rows).toHaveLength(1)
  })

  it('answers with the stored status', async () => {
    const body = scene.sbom()
    const { id } = await scene.uploaded(body)
    await scene.database.db.updateTable('sbom').set({ status: 'matched' }).where('id', '=', id).execute()
    expect(await scene.upload(body)).toMatchObject({
      status: 200,
      body: { id, status: 'matched', duplicate: true },
    })
  })

  it('a replaced SBOM sent again changes nothing', async () => {
    const version = `going-back-${scene.serial()}`
    const oldBody = scene.sbom({ version })
    const old = await scene.uploaded(oldBody)
    const current = await scene.uploaded(scene.sbom({ version }))
    expect(await scene.upload(oldBody)).toMatchObject({ status: 200, body: { id: old.id } })
    expect(await scene.sbomRow(current.id)).toMatchObject({ active: true })
    expect(await scene.sbomRow(old.id)).toMatchObject({ active: false })
  })

  it('are per family: another one stores the same bytes again', async () => {
    const body = scene.sbom()
    const mine = await scene.uploaded(body)
    const theirs = await scene.uploaded(body, { token: await scene.token(scene.other) })
    expect(theirs.id).not.toBe(mine.id)
    expect(theirs.url).toContain('/app/other/')
    expect(await scene.sbomRow(theirs.id)).toMatchObject({ workspace_id: scene.other.workspaceId })
  })
})
