import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { createFamilyToken } from '../support/company.ts'
import { sendHalf } from '../support/half-upload.ts'
import { call, startTestHttp, type Answer, type TestHttp } from '../support/http.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { listIn, objectIn, readAs } from '../support/read-as.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'

let scene: UploadScene
/** A second server on the same database. */
let second: TestHttp

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
  second = await startTestHttp({ database: scene.database, now: () => testNow, hasParserChildren: true })
})

afterAll(async () => {
  await second.stop()
  await scene.close()
})

function server(place: number): TestHttp {
  return place % 2 === 0 ? scene.http : second
}

async function post(place: number, token: string, body: Uint8Array | string): Promise<Answer> {
  return call(`${server(place).url}/api/v1/sboms`, { method: 'POST', token, body })
}

function countBy(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('identical files at once', () => {
  it.each([1, 2, 3])('are stored once and answered with one id, round %i', async () => {
    const body = scene.sbom({ components: 50, offset: scene.serial() * 100 })
    const token = await scene.token()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, place) => post(place, token, body)))
    expect(countBy(answers)).toEqual({ 202: 1, 200: 19 })
    expect(new Set(answers.map((answer) => readAs(SbomReceipt, answer.body).id)).size).toBe(1)
  })
})

describe('the hourly limit', () => {
  it('lets exactly 60 of 500 through on two servers', async () => {
    const token = await scene.token()
    const answers = await Promise.all(Array.from({ length: 500 }, (_, place) => post(place, token, '[]')))
    expect(countBy(answers)).toEqual({ 415: limits.requestsPerWindow, 429: 500 - limits.requestsPerWindow })
    const refused = answers.find(({ status }) => status === 429)
    expect(refused).toMatchObject({ body: { error: 'rate_limited' }, headers: { 'retry-after': '3600' } })
  })
})

describe('different files of one family at once', () => {
  it('leave one active SBOM, and every component has one number', async () => {
    const version = `race-${scene.serial()}`
    const token = await scene.token()
    const bodies = Array.from({ length: 12 }, (_, place) =>
      scene.sbom({ components: 40, offset: 5_000 + place * 10, version }),
    )
    const answers = await Promise.all(bodies.map((body, place) => post(place, token, body)))
    expect(countBy(answers)).toEqual({ 202: 12 })
    const ids = answers.map((answer) => readAs(SbomReceipt, answer.body).id)
    const rows = await scene.database.db
      .selectFrom('sbom')
      .select(['id', 'active', 'replaced_by', 'component_numbers'])
      .where('id', 'in', ids)
      .execute()
    expect(rows.filter(({ active }) => active)).toHaveLength(1)
    expect(new Set(rows.map((row) => row.replaced_by)).size).toBe(12)
    const numbers = new Set(rows.flatMap((row) => row.component_numbers))
    expect(numbers.size).toBe(40 + 11 * 10)
    const { count } = await scene.database.db
      .selectFrom('component')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('number', 'in', [...numbers])
      .where('family_id', '=', scene.company.familyId)
      .executeTakeFirstOrThrow()
    expect(count).toBe(numbers.size)
  })

  it('of two companies with the same new components in opposite order are all stored', async () => {
    const tokens = [await scene.token(scene.company), await scene.token(scene.other)]
    const documents = Array.from({ length: 10 }, (_, place) => {
      const document = objectIn(scene.sbom({ components: 200, offset: 20_000 + place * 50 }).toString())
      if (place % 2 === 1) listIn(document, 'components').reverse()
      return JSON.stringify(document)
    })
    const answers = await Promise.all(
      documents.map((body, place) => post(place, tokens[place % 2] ?? '', body)),
    )
    expect(countBy(answers)).toEqual({ 202: 10 })
  })
})

describe('what ends while the body is arriving', () => {
  type Row = [
    status: number,
    error: string,
    end: (tokenId: string) => Promise<unknown>,
    restore: () => Promise<unknown>,
  ]
  const family = (set: Record<string, unknown>) =>
    scene.database.db.updateTable('family').set(set).where('id', '=', scene.company.familyId).execute()
  const workspace = (set: Record<string, unknown>) =>
    scene.database.db.updateTable('workspace').set(set).where('id', '=', scene.company.workspaceId).execute()
  const token = (id: string, set: Record<string, unknown>) =>
    scene.database.db.updateTable('token').set(set).where('id', '=', id).execute()
  const nothing = () => Promise.resolve()
  const rows: Row[] = [
    [401, 'unauthorized', (id) => token(id, { revoked_at: testNow }), nothing],
    [401, 'unauthorized', (id) => token(id, { expires_at: testNow }), nothing],
    [401, 'unauthorized', () => family({ archived_at: testNow }), () => family({ archived_at: null })],
    [404, 'family_not_found', () => family({ deleted_at: testNow }), () => family({ deleted_at: null })],
    [402, 'billing_lapsed', () => workspace({ plan: 'free' }), () => workspace({ plan: 'core' })],
    [402, 'billing_lapsed', () => workspace({ closed_at: testNow }), () => workspace({ closed_at: null })],
  ]
  it.each(rows)('%i %s, and nothing is stored', async (status, error, end, restore) => {
    const { id, secret } = await createFamilyToken(scene.database.db, scene.company)
    const before = await countSboms()
    const url = `${scene.http.url}/api/v1/sboms`
    const upload = await sendHalf({ database: scene.database, url, token: secret, body: scene.sbom() })
    await end(id)
    const answer = await upload.finish()
    await restore()
    expect(answer).toMatchObject({ status, body: { error } })
    expect(await countSboms()).toBe(before)
  })

  type Nothing = [what: string, path: string, body: () => Buffer | Promise<Buffer>]
  const storingNothing: Nothing[] = [
    ['a stored SBOM', '/api/v1/sboms', () => stored('/api/v1/sboms', scene.sbom())],
    ['a stored VEX document', '/api/v1/vex', () => stored('/api/v1/vex', scene.vex())],
    ['a test', '/api/v1/connectors/dependency-track', () => notification('[TEST] New Vulnerability')],
    ['another group', '/api/v1/connectors/dependency-track', () => notification('New Vulnerability')],
  ]
  const stored = async (path: string, body: Buffer) => {
    expect(await scene.upload(body, { path })).toMatchObject({ status: 202 })
    return body
  }
  const notification = (title: string) =>
    Buffer.from(JSON.stringify({ notification: { group: 'NEW_VULNERABILITY', title, subject: null } }))

  it.each(storingNothing)('is told nothing of %s either', async (_what, path, make) => {
    const body = await make()
    for (const [status, error, end, restore] of rows.slice(0, 4)) {
      const { id, secret } = await createFamilyToken(scene.database.db, scene.company)
      const upload = await sendHalf({
        database: scene.database,
        url: scene.http.url + path,
        token: secret,
        body,
      })
      await end(id)
      const answer = await upload.finish()
      await restore()
      expect(answer).toMatchObject({ status, body: { error } })
    }
  })
})

async function countSboms(): Promise<number> {
  const { count } = await scene.database.db
    .selectFrom('sbom')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
