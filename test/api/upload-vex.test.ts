import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VexReceipt } from '../../src/contract/vex/shapes.ts'
import { baseUrl, startTestHttp } from '../support/http.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { readAs } from '../support/read-as.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})

afterAll(() => scene.close())

function rowsOf(table: 'vex_statement' | 'vex_claim' | 'vex_target', documentId: string) {
  return scene.database.pool
    .query<Record<string, unknown>>(`select * from ${table} where document_id = $1 order by 4, 5`, [
      documentId,
    ])
    .then(({ rows }) => rows)
}

const linkedSerial = '3e671687-395b-41f5-a30f-a58921a69b79'
const cyclonedxVex = () =>
  cyclonedx({
    serialNumber: `urn:uuid:00000000-0000-4000-9000-${String(scene.serial()).padStart(12, '0')}`,
    components: [{ type: 'library', name: 'a', 'bom-ref': 'a', purl: 'pkg:npm/%40scope%2Fa@1.0.0' }],
    vulnerabilities: [
      {
        id: 'CVE-2026-1',
        affects: [{ ref: 'a', versions: [{ range: 'vers:npm/>=1.0.0|<2.0.0' }] }],
        analysis: { state: 'in_triage', response: ['update', 'rollback'], detail: 'looking' },
      },
      { id: 'CVE-2026-2', affects: [{ ref: 'a' }] },
      {
        id: 'CVE-2026-3',
        affects: [{ ref: `urn:cdx:${linkedSerial}/1#pkg:npm/b@1` }],
        analysis: { state: 'exploitable' },
      },
      { id: 'CVE-2026-4', affects: [{ ref: 'nowhere' }], analysis: { state: 'resolved' } },
    ],
  })

describe('a new VEX document', () => {
  it('is stored with statements, claims, targets, audit event and job, and answered 202', async () => {
    const body = cyclonedxVex()
    const answer = await scene.uploadVex(body, { headers: { 'x-service-version': '3.0' } })
    const receipt = readAs(VexReceipt, answer.body)
    expect(answer).toMatchObject({ status: 202 })
    expect(receipt).toEqual({
      id: receipt.id,
      format: 'cyclonedx',
      statements: 3,
      findings: 1,
      unbound: 1,
      version: '3.0',
      replaced: 0,
      url: `${baseUrl}/app/acme/vex/${receipt.id}`,
      duplicate: false,
    })
    const row = await scene.vexRow(receipt.id)
    expect(row).toMatchObject({
      workspace_id: scene.company.workspaceId,
      family_id: scene.company.familyId,
      sbom_id: null,
      format_label: 'CycloneDX 1.6',
      source: 'api',
      sent_by: 'ci',
      statement_count: 3,
      finding_count: 1,
      unbound_count: 1,
      size_bytes: body.length,
      received_at: testNow,
      replaced_by: null,
      withdrawn_at: null,
    })
    expect(gunzipSync(row.raw ?? '').toString()).toBe(body)
    expect(await rowsOf('vex_statement', receipt.id)).toMatchObject([
      {
        number: 1,
        kind: 'statement',
        verdict: 'under_investigation',
        raw_status: 'in_triage',
        responses: ['update', 'rollback'],
        impact: 'looking',
        pointer: '/vulnerabilities/0',
      },
      { number: 2, kind: 'statement', verdict: 'affected', unbound_reason: null },
      { number: 3, kind: 'statement', verdict: 'fixed', unbound_reason: 'unknown_reference' },
      { number: 4, kind: 'finding', verdict: null, vulnerability_ids: ['CVE-2026-2'], responses: [] },
    ])
    const target = { place: 1, purl_key: 'npm/@scope/a', purl: 'pkg:npm/%40scope%2Fa@1.0.0' }
    expect(await rowsOf('vex_target', receipt.id)).toMatchObject([
      {
        number: 1,
        ...target,
        kind: 'component',
        versions: [{ range: 'vers:npm/>=1.0.0|<2.0.0', status: 'affected' }],
      },
      {
        number: 2,
        kind: 'bom_link',
        purl_key: 'npm/b',
        bom_link: { serialNumber: linkedSerial, version: 1, ref: 'pkg:npm/b@1' },
      },
      { number: 4, ...target, versions: null },
    ])
    const event = await scene.database.db
      .selectFrom('audit_event')
      .selectAll()
      .where('object_id', '=', receipt.id)
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({
      workspace_id: scene.company.workspaceId,
      at: testNow,
      actor_kind: 'token',
      action: 'vex.uploaded',
      object_kind: 'vex_document',
      after: { version: '3.0', statements: 3, findings: 1, source: 'api' },
      request_id: answer.headers['x-request-id'],
    })
    const job = await scene.database.db
      .selectFrom('job')
      .selectAll()
      .where('kind', '=', 'refresh_findings')
      .where('key', '=', scene.company.familyId)
      .executeTakeFirstOrThrow()
    expect(job).toMatchObject({ state: 'waiting', payload: { familyId: scene.company.familyId } })
  })

  it('is found under every id of its vulnerabilities, spelled as vulnerability data spells them', async () => {
    const { id } = await scene.uploadedVex(scene.vex())
    expect(await rowsOf('vex_claim', id)).toMatchObject([
      { number: 1, vulnerability_id: 'CVE-2026-10000' },
      { number: 1, vulnerability_id: 'GHSA-aaaa-bbbb-1000' },
    ])
  })

  type Body = [name: string, body: () => Uint8Array | string, headers: Record<string, string>, kept: string]
  const bytes = () => scene.vex()
  const rows: Body[] = [
    ['without Content-Type', bytes, {}, 'gzip'],
    ['as OpenVEX', bytes, { 'content-type': 'application/vnd.openvex+json' }, 'gzip'],
    ['under identity', bytes, { 'content-encoding': 'identity' }, 'gzip'],
    ['gzipped', () => gzipSync(bytes()), { 'content-encoding': 'gzip' }, 'gzip'],
    ['gzipped as x-gzip', () => gzipSync(bytes()), { 'content-encoding': 'X-GZIP' }, 'gzip'],
    ['gzipped without saying so', () => gzipSync(bytes()), {}, 'gzip'],
    ['in zstd', () => zstdCompressSync(bytes()), { 'content-encoding': 'zstd' }, 'zstd'],
    ['in zstd without saying so', () => zstdCompressSync(bytes()), {}, 'zstd'],
    ['with a byte-order mark', () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes()]), {}, 'gzip'],
    [
      'as CSAF 2.0',
      () =>
        JSON.stringify({
          document: { category: 'csaf_vex', csaf_version: '2.0', title: `t${scene.serial()}` },
          product_tree: { full_product_names: [{ product_id: 'a', name: 'a' }] },
          vulnerabilities: [{ cve: 'CVE-2026-1', product_status: { fixed: ['a'] } }],
        }),
      {},
      'gzip',
    ],
    [
      'with times no store can hold',
      () => scene.vex({ fields: { timestamp: '0000-01-01T00:00:00Z' } }),
      {},
      'gzip',
    ],
  ]
  it.each(rows)('is accepted %s', async (_name, body, headers, kept) => {
    const { id } = await scene.uploadedVex(body(), { headers })
    expect(await scene.vexRow(id)).toMatchObject({ raw_encoding: kept })
  })

  it('keeps a compressed body as it came', async () => {
    const body = zstdCompressSync(scene.vex())
    const row = await scene.vexRow((await scene.uploadedVex(body)).id)
    expect(row.raw?.equals(body)).toBe(true)
    expect(row.size_bytes).toBe(zstdDecompressSync(body).length)
  })
})

describe('the version a document holds for', () => {
  type Row = { rule: string; header?: string; query?: string; stored: string | null }
  const rows: Row[] = [
    { rule: 'absent: every version', stored: null },
    { rule: 'blank is absent', header: ' ', query: '%20', stored: null },
    { rule: 'a blank header leaves the query', header: ' ', query: '2.0', stored: '2.0' },
    { rule: 'the header before the query', header: '3.0', query: '2.0', stored: '3.0' },
    { rule: 'a query in ISO-8859-1', query: 'gr%FCn+1', stored: 'grün 1' },
    { rule: 'cut at 100 characters', header: 'v'.repeat(101), stored: 'v'.repeat(100) },
  ]
  it.each(rows)('$rule', async ({ header, query, stored }) => {
    const receipt = await scene.uploadedVex(scene.vex(), {
      headers: header === undefined ? {} : { 'x-service-version': header },
      query: query === undefined ? '' : `?version=${query}`,
    })
    expect(receipt.version).toBe(stored)
  })

  it('is the version that SBOMs of this name have, and stays retired where it is', async () => {
    const name = `retired-${scene.serial()}`
    const sbom = await scene.sbomRow((await scene.uploaded(scene.sbom({ version: name }))).id)
    await scene.database.db
      .updateTable('product_version')
      .set({ retired_at: testNow })
      .where('name', '=', name)
      .execute()
    const { id } = await scene.uploadedVex(scene.vex(), { headers: { 'x-service-version': name } })
    expect((await scene.vexRow(id)).version_id).toBe(sbom.version_id)
    const version = await scene.database.db
      .selectFrom('product_version')
      .select('retired_at')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    expect(version.retired_at).toEqual(testNow)
  })
})

describe('replacing', () => {
  it('takes the place of the earlier document of the same source and version only', async () => {
    const to = (source: string, version?: string) => ({
      headers: {
        'x-service-source': source,
        ...(version === undefined ? {} : { 'x-service-version': version }),
      },
      token: foreign,
    })
    const foreign = await scene.token(scene.other)
    const first = await scene.uploadedVex(scene.vex(), to('hosted_ci', '1'))
    const others = [
      await scene.uploadedVex(scene.vex(), to('pipeline_ci', '1')),
      await scene.uploadedVex(scene.vex(), to('hosted_ci', '2')),
      await scene.uploadedVex(scene.vex(), to('hosted_ci')),
      await scene.uploadedVex(scene.vex(), to('nobody', '1')),
    ]
    expect(others.map(({ replaced }) => replaced)).toEqual([0, 0, 0, 0])
    const second = await scene.uploadedVex(scene.vex(), to('hosted_ci', '1'))
    expect(second.replaced).toBe(1)
    expect(await scene.vexRow(first.id)).toMatchObject({ replaced_by: second.id, replaced_at: testNow })
    for (const { id } of others) expect(await scene.vexRow(id)).toMatchObject({ replaced_by: null })
    const third = await scene.uploadedVex(scene.vex(), to('hosted_ci'))
    expect(third.replaced).toBe(1)
    const unknown = await scene.uploadedVex(scene.vex(), to('api', '1'))
    expect(unknown.replaced).toBe(1)
    const event = await scene.database.db
      .selectFrom('audit_event')
      .select('before')
      .where('object_id', '=', second.id)
      .executeTakeFirstOrThrow()
    expect(event.before).toEqual({ documentIds: [first.id] })
  })

  it('a withdrawn document is not replaced', async () => {
    const headers = { 'x-service-version': `withdrawn-${scene.serial()}` }
    const first = await scene.uploadedVex(scene.vex(), { headers })
    await scene.database.db
      .updateTable('vex_document')
      .set({ withdrawn_at: testNow })
      .where('id', '=', first.id)
      .execute()
    expect((await scene.uploadedVex(scene.vex(), { headers })).replaced).toBe(0)
    expect(await scene.vexRow(first.id)).toMatchObject({ replaced_by: null })
  })
})

describe('duplicates', () => {
  it('the same bytes answer 200 with the stored record and replaced 0, whatever the headers say', async () => {
    const headers = { 'x-service-version': `same-${scene.serial()}` }
    await scene.uploadedVex(scene.vex(), { headers })
    const body = scene.vex({ statements: 3 })
    const first = await scene.uploadedVex(body, { headers })
    expect(first.replaced).toBe(1)
    for (const again of [body, gzipSync(body), zstdCompressSync(body)]) {
      const answer = await scene.uploadVex(again, { headers: { 'x-service-source': 'hosted_ci' } })
      expect(answer).toMatchObject({ status: 200, body: { ...first, replaced: 0, duplicate: true } })
    }
  })

  it('also when the stored document has been replaced since', async () => {
    const headers = { 'x-service-version': `back-${scene.serial()}` }
    const body = scene.vex()
    const first = await scene.uploadedVex(body, { headers })
    const second = await scene.uploadedVex(scene.vex(), { headers })
    expect(await scene.uploadVex(body, { headers })).toMatchObject({
      status: 200,
      body: { id: first.id, replaced: 0 },
    })
    expect(await scene.vexRow(second.id)).toMatchObject({ replaced_by: null })
  })

  it('are per family, and apart from SBOMs', async () => {
    const body = cyclonedxVex()
    const mine = await scene.uploadedVex(body)
    const theirs = await scene.uploadedVex(body, { token: await scene.token(scene.other) })
    expect(theirs.id).not.toBe(mine.id)
    expect(theirs.url).toContain('/app/other/')
    expect(await scene.upload(body)).toMatchObject({ status: 202 })
  })

  it('of twenty identical documents at once on two servers exactly one is new', async () => {
    const second = await startTestHttp({
      database: scene.database,
      now: () => testNow,
      hasParserChildren: true,
    })
    const token = await scene.token()
    const body = scene.vex({ statements: 20 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        place % 2 === 0
          ? scene.uploadVex(body, { token })
          : fetch(`${second.url}/api/v1/vex`, {
              method: 'POST',
              headers: { authorization: `Bearer ${token}` },
              body: new Uint8Array(body),
            }).then(async (answer) => ({ status: answer.status, body: await answer.json() })),
      ),
    )
    await second.stop()
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    expect(new Set(answers.map(({ body }) => readAs(VexReceipt, body).id)).size).toBe(1)
  })
})

describe('a BOM-Link', () => {
  const serialNumber = '4e671687-395b-41f5-a30f-a58921a69b79'
  const linking = (ref: string) =>
    Buffer.from(
      JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        vulnerabilities: [
          {
            id: `CVE-2024-${1000 + scene.serial()}`,
            analysis: { state: 'not_affected' },
            affects: [{ ref: `urn:cdx:${serialNumber}/1#${ref}` }],
          },
        ],
      }),
    )
  const linked = () =>
    cyclonedx({
      serialNumber: `urn:uuid:${serialNumber}`,
      version: 1,
      components: [
        { type: 'library', name: 'named', 'bom-ref': 'named', purl: 'pkg:npm/named@1.0.0' },
        { type: 'library', name: 'nameless', 'bom-ref': 'nameless' },
      ],
    })

  it('is unbound until the family has the SBOM, then by what the SBOM says', async () => {
    const before = await scene.uploadedVex(linking('named'))
    expect(before.unbound).toBe(1)
    await scene.uploaded(linked())
    const named = await scene.uploadedVex(linking('named'), { headers: { 'x-service-source': 'sbom_hub' } })
    expect(named.unbound).toBe(0)
    const nameless = await scene.uploadedVex(linking('nameless'), {
      headers: { 'x-service-source': 'hosted_ci' },
    })
    expect(nameless.unbound).toBe(1)
    expect((await scene.vexRow(before.id)).unbound_count).toBe(0)
  })
})
