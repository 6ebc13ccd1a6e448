import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { createCompany } from '../support/company.ts'
import { DependencyTrack } from '../support/dependency-track.ts'
import { call } from '../support/http.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { readAs, fieldOf, namesIn } from '../support/read-as.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})

afterAll(() => scene.close())

function nameless(): string {
  return cyclonedx({ serialNumber: `urn:${scene.serial()}`, components: [{ type: 'library', name: 'x' }] })
}

const groups = ['BOM_CONSUMED', 'BOM_PROCESSED'] as const

describe('BOM notifications', () => {
  it.each(['4.11', '4.12', '4.13', '4.14'] as const)(
    'of %s are stored as an upload would be',
    async (version) => {
      const body = scene.sbom({ components: 4, version: 'inside' })
      const project = {
        name: `Grün ${version}`,
        version: `p-${version}`,
        description: 'Größe',
        tags: ['edge', 'fw'],
      }
      const answer = await (await scene.platform(version)).bom('BOM_PROCESSED', body, project)
      const receipt = readAs(SbomReceipt, answer.body)
      expect(answer).toMatchObject({ status: 202 })
      expect(receipt).toMatchObject({
        status: 'parsed',
        components: 4,
        version: `p-${version}`,
        duplicate: false,
      })
      expect(await scene.sbomRow(receipt.id)).toMatchObject({
        source: 'sbom_tracker',
        repository: `Grün ${version}`,
        sent_by: 'ci',
        commit_id: null,
        size_bytes: body.length,
      })
    },
  )

  it('of both groups: the first is stored, the other is its duplicate', async () => {
    for (const [first, second] of [groups, ['BOM_PROCESSED', 'BOM_CONSUMED']] as const) {
      const body = scene.sbom()
      const sender = await scene.platform()
      const stored = await sender.bom(first, body)
      expect(stored).toMatchObject({ status: 202 })
      expect(await sender.bom(second, body)).toMatchObject({
        status: 200,
        body: { id: readAs(SbomReceipt, stored.body).id, duplicate: true },
      })
      expect(await scene.upload(body)).toMatchObject({ status: 200 })
    }
  })

  it('carry scanner findings as uploads do', async () => {
    const vulnerabilities = [{ id: 'CVE-2026-1', affects: [] }]
    const answer = await (
      await scene.platform()
    ).bom('BOM_PROCESSED', cyclonedx({ v: scene.serial(), vulnerabilities }))
    const documents = await scene.database.db
      .selectFrom('vex_document')
      .select('finding_count')
      .where('sbom_id', '=', readAs(SbomReceipt, answer.body).id)
      .execute()
    expect(documents).toEqual([{ finding_count: 1 }])
  })

  it('a project called like a test is not one', async () => {
    const answer = await (await scene.platform()).bom('BOM_PROCESSED', scene.sbom(), { name: '[TEST] x' })
    expect(answer).toMatchObject({ status: 202, body: { duplicate: false } })
  })

  it('unknown fields, keys in any order, missing level and scope do not matter', async () => {
    const content = scene.sbom().toString('base64')
    const subject = { extra: [1], bom: { content, more: {} }, project: { tags: [] } }
    const body = { extra: 1, notification: { subject, group: 'BOM_CONSUMED', extra: null } }
    expect(await (await scene.platform()).send(body)).toMatchObject({ status: 202 })
  })

  it('a compressed BOM is inflated, also over the small lane', async () => {
    const body = scene.sbom({ components: 15_000, offset: 100_000 })
    expect(await (await scene.platform()).bom('BOM_PROCESSED', gzipSync(body))).toMatchObject({
      status: 202,
      body: { components: 15_000 },
    })
  })
})

describe('the product version', () => {
  it('is the project’s, else the one in the BOM', async () => {
    const rows: [string | undefined, string, string][] = [
      ['4.2.0', 'inside', '4.2.0'],
      [undefined, 'inside', 'inside'],
      ['  ', 'inside', 'inside'],
      ['v'.repeat(150), 'inside', 'v'.repeat(100)],
    ]
    for (const [version, inside, stored] of rows) {
      const project = version === undefined ? {} : { version }
      const answer = await (
        await scene.platform()
      ).bom('BOM_PROCESSED', scene.sbom({ version: inside }), project)
      expect(answer).toMatchObject({ status: 202, body: { version: stored } })
    }
  })

  it('else the family’s current one: marked so, or the newest upload’s; none where there is none', async () => {
    const company = await createCompany(scene.database.db, `current-${scene.serial()}`)
    const sender = await scene.platform('4.13', company)
    const versionOf = async () =>
      readAs(SbomReceipt, (await sender.bom('BOM_PROCESSED', nameless())).body).version
    const token = await scene.token(company)
    expect(await versionOf()).toBe(null)
    const arrived = async (version: string, day: number) => {
      const { id } = await scene.uploaded(scene.sbom({ version }), { token })
      const times = { received_at: new Date(Date.UTC(2025, 0, day)) }
      await scene.database.db.updateTable('sbom').set(times).where('id', '=', id).execute()
      return scene.sbomRow(id)
    }
    await arrived('1.0', 1)
    const marked = await arrived('2.0', 2)
    await arrived('3.0', 3)
    expect(await versionOf()).toBe('3.0')
    await scene.database.db
      .updateTable('family')
      .set({ current_version_id: marked.version_id })
      .where('id', '=', company.familyId)
      .execute()
    expect(await versionOf()).toBe('2.0')
    await scene.database.db
      .updateTable('product_version')
      .set({ retired_at: testNow })
      .where('id', '=', marked.version_id ?? '')
      .execute()
    expect(await versionOf()).toBe('3.0')
  })
})

describe('the token', () => {
  type Row = [name: string, status: number, headers: (token: string) => Record<string, string>]
  const wrong = `svc_${'a'.repeat(43)}`
  const rows: Row[] = [
    ['Bearer', 202, (token) => ({ authorization: `Bearer ${token}` })],
    ['bearer in lower case, with spaces', 202, (token) => ({ authorization: `  bearer   ${token}  ` })],
    ['bare', 202, (token) => ({ authorization: token })],
    ['X-Api-Key', 202, (token) => ({ 'x-api-key': ` ${token} ` })],
    ['a blank Authorization beside X-Api-Key', 202, (token) => ({ authorization: ' ', 'x-api-key': token })],
    [
      'Authorization before a wrong X-Api-Key',
      202,
      (token) => ({ authorization: token, 'x-api-key': wrong }),
    ],
    ['a wrong Authorization is not rescued', 401, (token) => ({ authorization: wrong, 'x-api-key': token })],
    ['Basic is not rescued', 401, (token) => ({ authorization: `Basic ${token}`, 'x-api-key': token })],
    ['none', 401, () => ({})],
    ['a wrong X-Api-Key', 401, () => ({ 'x-api-key': wrong })],
  ]
  it.each(rows)('%s: %i', async (_name, status, headers) => {
    const sender = new DependencyTrack('4.13', { url: scene.http.url, token: '' })
    const answer = await call(`${scene.http.url}/api/v1/connectors/dependency-track`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers(await scene.token()) },
      body: JSON.stringify(sender.bomNotification('BOM_PROCESSED', scene.sbom())),
    })
    expect(answer.status).toBe(status)
    if (status === 401) {
      expect(answer.body).toMatchObject({ error: 'unauthorized' })
      expect(answer.headers['www-authenticate']).toContain('Bearer realm="sbom-monitor"')
    }
  })

  it('in the address is not looked at', async () => {
    const token = await scene.token()
    const answer = await call(`${scene.http.url}/api/v1/connectors/dependency-track?token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer).toMatchObject({ status: 401 })
  })

  it('has one limit for all its spellings, uploads and tests', async () => {
    const token = await scene.token()
    const asKey = new DependencyTrack('4.13', { url: scene.http.url, token })
    const asBearer = new DependencyTrack('4.13', {
      url: scene.http.url,
      token: `Bearer ${token}`,
      tokenHeader: 'Authorization',
    })
    for (let round = 0; round < 15; round += 1) {
      expect((await asKey.test('BOM_PROCESSED')).status).toBe(200)
      expect((await asBearer.other('PROJECT_CREATED')).status).toBe(202)
      expect((await scene.upload('[]', { token })).status).toBe(415)
      expect((await scene.uploadVex('[]', { token })).status).toBe(415)
    }
    const refused = await asKey.test('BOM_PROCESSED')
    expect(refused).toMatchObject({
      status: 429,
      body: { error: 'rate_limited' },
      headers: { 'retry-after': '3600' },
    })
  })
})

describe('test notifications', () => {
  it.each(['4.12', '4.13', '4.14', '5.0'] as const)(
    'of %s are answered, and nothing is stored',
    async (version) => {
      const sender = await scene.platform(version)
      const before = await countSboms()
      for (const group of [...groups, 'PROJECT_CREATED', 'NEW_VULNERABILITY']) {
        const answer = await sender.test(group)
        expect(answer).toMatchObject({ status: 200, body: { test: true, group } })
        expect(namesIn(answer.body)).toEqual(['test', 'group', 'message'])
        expect(fieldOf(answer.body, 'message')).not.toContain('read-only')
      }
      expect(await countSboms()).toBe(before)
    },
  )

  type Mark = [name: string, fields: Record<string, unknown>]
  const content = Buffer.from('{}').toString('base64')
  const marks: Mark[] = [
    ['content', { content: 'Rule configuration test', subject: { bom: { content } } }],
    ['title', { title: '[TEST] Bill of Materials Consumed', subject: { bom: { content } } }],
    ['BOM', { subject: { bom: { content: 'bomContent' } } }],
    ['content without a subject', { content: 'Rule configuration test', subject: null }],
  ]
  it.each(marks.flatMap((mark) => groups.map((group) => [...mark, group] as const)))(
    'are known by their %s alone',
    async (_name, fields, group) => {
      const sender = await scene.platform()
      for (const written of [group, `GROUP_${group}`]) {
        expect(await sender.send({ notification: { group: written, ...fields } })).toMatchObject({
          status: 200,
          body: { test: true, group },
        })
      }
    },
  )

  it.each([
    ['free', 'read-only'],
    ['closed', 'closed'],
  ] as const)('in a %s workspace they warn', async (plan, word) => {
    const lapsed = await createCompany(scene.database.db, `test-${plan}-${scene.serial()}`, plan)
    const answer = await (await scene.platform('4.13', lapsed)).test('BOM_PROCESSED')
    expect(answer).toMatchObject({ status: 200, body: { test: true } })
    expect(fieldOf(answer.body, 'message')).toContain(word)
  })

  it('with a wrong token are 401', async () => {
    const sender = new DependencyTrack('4.13', { url: scene.http.url, token: `svc_${'a'.repeat(43)}` })
    expect(await sender.test('BOM_PROCESSED')).toMatchObject({ status: 401 })
  })
})

describe('other groups', () => {
  it.each(['4.11', '4.14', '5.0'] as const)('of %s are acknowledged and dropped', async (version) => {
    const sender = await scene.platform(version)
    const bom = { content: Buffer.from('<bom/>').toString('base64'), format: 'Unknown' }
    const rows: [string, unknown][] = [
      ['PROJECT_CREATED', null],
      ['NEW_VULNERABILITY', { component: {}, vulnerability: {}, affectedProjects: [{}] }],
      ['BOM_PROCESSING_FAILED', { project: {}, bom, cause: 'x' }],
      ['BOM_VALIDATION_FAILED', { project: {}, bom, errors: version === '5.0' ? ['x'] : 'x' }],
      ['VEX_PROCESSED', { project: {}, vexContent: '' }],
      ['DATASOURCE_MIRRORING', null],
      ['SOMETHING_NEW', 'text'],
    ]
    for (const [group, subject] of rows) {
      const answer = await sender.other(group, subject)
      expect(answer).toMatchObject({ status: 202, body: { ignored: true, group } })
      expect(namesIn(answer.body)).toEqual(['ignored', 'group', 'message'])
    }
  })

  it.each(['free', 'closed'] as const)('also while the workspace is %s', async (plan) => {
    const lapsed = await createCompany(scene.database.db, `other-${plan}-${scene.serial()}`, plan)
    expect(await (await scene.platform('4.13', lapsed)).other('PROJECT_CREATED')).toMatchObject({
      status: 202,
    })
  })
})

async function countSboms(): Promise<number> {
  const { count } = await scene.database.db
    .selectFrom('sbom')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
