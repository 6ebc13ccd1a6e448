import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open()
})

afterAll(() => scene.close())

const sent = (text: string) => Buffer.from(text).toString('latin1')

describe('product versions', () => {
  type Row = { rule: string; document?: string; header?: string; query?: string; stored: string | null }
  const rows: Row[] = [
    { rule: 'the document', document: '1.0', stored: '1.0' },
    { rule: 'the query before the document', document: '1.0', query: '2.0', stored: '2.0' },
    { rule: 'the header before the query', document: '1.0', header: '3.0', query: '2.0', stored: '3.0' },
    { rule: 'a blank header is absent', document: '1.0', header: '  ', stored: '1.0' },
    {
      rule: 'a header that nobody sees is absent',
      document: '1.0',
      header: sent('\u200b\u202e'),
      stored: '1.0',
    },
    { rule: 'so is such a query', document: '1.0', query: '%E2%80%8B', stored: '1.0' },
    { rule: 'and such a version of the document', document: '\u200b\u3164', stored: null },
    { rule: 'what is seen beside it counts', document: '1.0', header: sent('\u200b2'), stored: '\u200b2' },
    { rule: 'a blank query is absent', document: '1.0', query: '%20', stored: '1.0' },
    { rule: 'a blank header leaves the query', document: '1.0', header: ' ', query: '2.0', stored: '2.0' },
    { rule: 'none anywhere', stored: null },
    { rule: 'the header is cut at 100', header: 'v'.repeat(101), stored: 'v'.repeat(100) },
    {
      rule: 'the query is cut at 100 characters',
      query: encodeURIComponent('é'.repeat(101)),
      stored: 'é'.repeat(100),
    },
    { rule: 'the document is cut at 100', document: 'v'.repeat(150), stored: 'v'.repeat(100) },
    { rule: 'NUL and control characters go', query: '1%00.%0a0', stored: '1.0' },
    { rule: 'of a repeated query the first', query: '5.0&version=6.0', stored: '5.0' },
  ]
  it.each(rows)('$rule', async ({ document, header, query, stored }) => {
    const main = { type: 'application', name: 'p', version: document }
    const body = cyclonedx({ serialNumber: `urn:${scene.serial()}`, metadata: { component: main } })
    const receipt = await scene.uploaded(body, {
      headers: header === undefined ? {} : { 'x-service-version': header },
      query: query === undefined ? '' : `?version=${query}`,
    })
    expect(receipt.version).toBe(stored)
  })

  it('reads header bytes as UTF-8, else as ISO-8859-1', async () => {
    const utf8 = await scene.uploaded(scene.sbom(), {
      headers: { 'x-service-version': Buffer.from('é-1').toString('latin1') },
    })
    expect(utf8.version).toBe('é-1')
    const latin1 = await scene.uploaded(scene.sbom(), { headers: { 'x-service-version': '\u00e9-2' } })
    expect(latin1.version).toBe('é-2')
  })

  it('a new SBOM replaces the active one of its version and no other', async () => {
    const name = `replaced-${scene.serial()}`
    const first = await scene.uploaded(scene.sbom({ version: name }))
    const beside = await scene.uploaded(scene.sbom({ version: `${name}-beside` }))
    const second = await scene.uploaded(scene.sbom({ version: name }))
    expect(await scene.sbomRow(first.id)).toMatchObject({ active: false, replaced_by: second.id })
    expect(await scene.sbomRow(second.id)).toMatchObject({ active: true, replaced_by: null })
    expect(await scene.sbomRow(beside.id)).toMatchObject({ active: true })
    const event = await scene.database.db
      .selectFrom('audit_event')
      .select('before')
      .where('object_id', '=', second.id)
      .executeTakeFirstOrThrow()
    expect(event.before).toEqual({ activeSbomId: first.id })
  })

  it('uploads without a version replace each other', async () => {
    const nameless = () => cyclonedx({ serialNumber: `urn:${scene.serial()}` })
    const first = await scene.uploaded(nameless())
    const second = await scene.uploaded(nameless())
    expect(await scene.sbomRow(first.id)).toMatchObject({
      active: false,
      replaced_by: second.id,
      version_id: null,
    })
  })

  it('a retired version is in use again after an upload, and the audit trail says so', async () => {
    const name = `retired-${scene.serial()}`
    await scene.uploaded(scene.sbom({ version: name }))
    await scene.database.db
      .updateTable('product_version')
      .set({ retired_at: testNow })
      .where('name', '=', name)
      .execute()
    await scene.uploaded(scene.sbom({ version: name }))
    const version = await scene.database.db
      .selectFrom('product_version')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    expect(version.retired_at).toBeNull()
    const event = await scene.database.db
      .selectFrom('audit_event')
      .select('action')
      .where('object_id', '=', version.id)
      .execute()
    expect(event).toEqual([{ action: 'version.restored' }])
  })
})

describe('pipeline details', () => {
  it('are stored clean', async () => {
    const { id } = await scene.uploaded(scene.sbom(), {
      headers: {
        'x-service-source': 'hosted_ci',
        'x-service-commit': 'c'.repeat(90),
        'x-service-branch': 'refs/heads/main',
        'x-service-repo': 'acme/pump',
        'x-service-run-url': 'https://ci.example/7',
      },
    })
    expect(await scene.sbomRow(id)).toMatchObject({
      source: 'hosted_ci',
      commit_id: 'c'.repeat(80),
      branch: 'main',
      repository: 'acme/pump',
      run_url: 'https://ci.example/7',
    })
  })

  it('drop what is not a link', async () => {
    const { id } = await scene.uploaded(scene.sbom(), {
      headers: { 'x-service-run-url': 'javascript:alert(1)' },
    })
    expect(await scene.sbomRow(id)).toMatchObject({ run_url: null, source: 'api' })
  })
})
