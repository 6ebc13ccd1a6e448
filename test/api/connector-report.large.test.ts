import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConnectorReport } from '../../src/contract/connector/shapes.ts'
import { limits } from '../../src/contract/limits.ts'
import { dismissRefusal, getConnectorReport } from '../../src/contract/connector/operations.ts'
import { createToken } from '../../src/contract/tokens/operations.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { DependencyTrack } from '../support/dependency-track.ts'
import { endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { createScene, type TestFamily, type TestWorkspace } from '../support/scene.ts'
import { testNow } from '../support/clock.ts'
import { answerTo } from '../support/once-over.ts'

let database: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace
let owner: AppSession
let stranger: AppSession
/** Advances with each request, so that the newest is known. */
let seconds = 0
let serial = 0

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => new Date(testNow.getTime() + (seconds += 1) * 1000) })
  ;[acme, umbrella] = await createScene(database.db, { families: 9 })
  owner = await AppSession.signIn(http.url, acme.members.owner)
  stranger = await AppSession.signIn(http.url, umbrella.members.owner)
})

afterAll(() => endBoth(http, database))

function family(place: number): TestFamily {
  const found = acme.families[place]
  if (found === undefined) throw new Error('no such family')
  return found
}

function platform(token: string, version: '4.13' | '5.0' = '4.13'): DependencyTrack {
  return new DependencyTrack(version, { url: http.url, token })
}

function sbom(): Buffer {
  serial += 1
  return sampleSbom({ components: 1, serial })
}

async function report(of: TestFamily): Promise<ConnectorReport> {
  return owner.call(getConnectorReport, { params: { family: of.id } })
}

describe('what the connector refused', () => {
  it('is listed with what the notification says, newest first, without the body', async () => {
    const sender = platform(family(0).upload)
    const project = { name: 'Grün', version: '1.2' }
    await sender.bom('BOM_PROCESSED', '<bom/>', project)
    await platform(family(0).upload, '5.0').bom('BOM_CONSUMED', sbom(), project)
    await sender.send('{')
    await sender.send('x'.repeat(limits.bodySentBytes + 1))
    await sender.send('{}', { 'content-type': 'text/plain' })
    await platform(family(0).results).bom('BOM_PROCESSED', sbom(), project)
    const { refusals, unresolved } = await report(family(0))
    const unread = { group: null, projectName: null, projectVersion: null, times: 1, resolvedAt: null }
    const read = { projectName: 'Grün', projectVersion: '1.2', times: 1, resolvedAt: null }
    expect(refusals).toMatchObject([
      { status: 401, error: 'unauthorized', tokenName: 'gate', group: 'BOM_PROCESSED', ...read },
      { status: 415, error: 'unsupported_media_type', sizeBytes: 2, tokenName: 'ci', ...unread },
      { status: 413, error: 'too_large', sizeBytes: limits.bodySentBytes + 1, ...unread },
      { status: 400, error: 'invalid_json', sizeBytes: 1, ...unread },
      { status: 422, error: 'bom_omitted', group: 'BOM_CONSUMED', ...read },
      { status: 415, error: 'xml_unsupported', group: 'BOM_PROCESSED', ...read },
    ])
    expect(unresolved).toBe(6)
    expect(Object.keys(refusals[0] ?? {})).toHaveLength(12)
    expect(JSON.stringify(refusals)).not.toContain(family(0).upload.slice(4))
  })

  it('is settled for a project when a BOM of it is taken, and for no other', async () => {
    const sender = platform(family(1).upload)
    await sender.bom('BOM_PROCESSED', '<bom/>', { name: 'a' })
    await sender.bom('BOM_PROCESSED', '<bom/>', { name: 'b' })
    await sender.send('{')
    await sender.bom('BOM_PROCESSED', sbom(), { name: 'a' })
    const { refusals, unresolved } = await report(family(1))
    expect(refusals.map(({ projectName, resolvedAt }) => [projectName, resolvedAt === null])).toEqual([
      [null, true],
      ['b', true],
      ['a', false],
    ])
    expect(unresolved).toBe(2)
  })

  describe('before its body was read', () => {
    const large = () => Buffer.alloc(3_500_000, ' ')

    it('tells its project all the same', async () => {
      const of = family(6)
      const sender = platform(of.upload)
      const tooLarge = sender.bomNotification('BOM_PROCESSED', large(), { name: 'Grün', version: '1' })
      expect(await sender.send(tooLarge)).toMatchObject({ status: 413 })
      expect(
        await sendChunked(of.upload, sender.bomNotification('BOM_PROCESSED', large(), { name: 'b' })),
      ).toBe(413)
      await sender.send(sender.bomNotification('BOM_PROCESSED', sbom(), { name: 'c' }), {
        'content-type': 'text/plain',
      })
      const broken = JSON.stringify(sender.bomNotification('BOM_PROCESSED', sbom(), { name: 'd' })).slice(
        0,
        -1,
      )
      expect(await sender.send(broken)).toMatchObject({ status: 400 })
      const old = await uploadToken(of, 'old')
      await revoke(of, 'old')
      expect(await platform(old).bom('BOM_PROCESSED', large(), { name: 'e' })).toMatchObject({ status: 401 })
      const spent = await uploadToken(of, 'spent')
      for (let count = 0; count < limits.requestsPerWindow; count += 1) await platform(spent).send('{')
      expect(await platform(spent).bom('BOM_CONSUMED', large(), { name: 'f' })).toMatchObject({ status: 429 })
      const { refusals } = await report(of)
      const told = refusals.filter(({ projectName }) => projectName !== null)
      expect(told.map(({ status, projectName, group }) => [status, projectName, group])).toEqual([
        [429, 'f', 'BOM_CONSUMED'],
        [401, 'e', 'BOM_PROCESSED'],
        [400, 'd', 'BOM_PROCESSED'],
        [415, 'c', 'BOM_PROCESSED'],
        [413, 'b', 'BOM_PROCESSED'],
        [413, 'Grün', 'BOM_PROCESSED'],
      ])
    })

    it('is settled by a BOM of its project alone', async () => {
      const of = family(7)
      const sender = platform(of.upload)
      await sender.bom('BOM_PROCESSED', large(), { name: 'a' })
      await sender.bom('BOM_PROCESSED', sbom(), { name: 'b' })
      expect(await report(of)).toMatchObject({ unresolved: 1 })
      await sender.bom('BOM_PROCESSED', sbom(), { name: 'a' })
      expect(await report(of)).toMatchObject({ unresolved: 0 })
    })

    it('does not wait for senders who send no body', async () => {
      const old = await uploadToken(family(7), 'slow')
      await revoke(family(7), 'slow')
      const asked = request(`${http.url}/api/v1/connectors/dependency-track`, {
        method: 'POST',
        headers: { 'x-api-key': old, 'content-type': 'application/json', 'content-length': 1_000_000 },
      })
      asked.flushHeaders()
      const answer = await answerTo(asked)
      expect(answer.statusCode).toBe(401)
      asked.destroy()
    })
  })

  it('can be dismissed by whoever may upload', async () => {
    const of = family(8)
    await platform(of.upload).send('{')
    await platform(of.upload).send('x')
    const [newest, older] = (await report(of)).refusals
    const dismissal = { params: { slug: 'acme', family: of.id, refusal: newest?.id } }
    const viewer = await AppSession.signIn(http.url, acme.members.viewer)
    expect(await viewer.refused(dismissRefusal, dismissal)).toMatchObject({ status: 403 })
    expect(await stranger.refused(dismissRefusal, dismissal)).toMatchObject({ status: 404 })
    const elsewhere = { params: { family: family(0).id, refusal: newest?.id } }
    expect(await owner.refused(dismissRefusal, elsewhere)).toMatchObject({ status: 404 })
    await owner.call(dismissRefusal, dismissal)
    expect(await owner.refused(dismissRefusal, dismissal)).toMatchObject({ status: 404 })
    expect(await report(of)).toMatchObject({ refusals: [{ id: older?.id }], unresolved: 1 })
    const acts = await database.db
      .selectFrom('audit_event')
      .select('object_id')
      .where('action', '=', 'connector.refusal_dismissed')
      .execute()
    expect(acts).toEqual([{ object_id: newest?.id }])
  })

  it('in a row is one entry; another answer in between, or a settled one, is not joined', async () => {
    const sender = platform(family(2).upload)
    const refused = () => sender.bom('BOM_PROCESSED', '<bom/>', { name: 'a' })
    for (let count = 0; count < 3; count += 1) await refused()
    await sender.send('{')
    await refused()
    await sender.bom('BOM_PROCESSED', sbom(), { name: 'a' })
    await refused()
    const { refusals } = await report(family(2))
    expect(refusals.map(({ error, times }) => [error, times])).toEqual([
      ['xml_unsupported', 1],
      ['xml_unsupported', 1],
      ['invalid_json', 1],
      ['xml_unsupported', 3],
    ])
  })

  it('is bounded: of each family the newest 100', async () => {
    const project = (count: number) => `p${count}`
    const tokens = await Promise.all([0, 1, 2].map((count) => uploadToken(family(3), `many-${count}`)))
    for (let count = 0; count < 110; count += 1) {
      await platform(tokens[count % 3] ?? '').bom('BOM_PROCESSED', '<bom/>', { name: project(count) })
    }
    const { refusals } = await report(family(3))
    expect(refusals.map(({ projectName }) => projectName)).toEqual(
      Array.from({ length: 100 }, (_, place) => project(109 - place)),
    )
    expect((await report(family(0))).refusals).toHaveLength(6)
  })

  it('with expired and revoked tokens is listed, with unknown ones not', async () => {
    const revoked = await uploadToken(family(4), 'old')
    await revoke(family(4), 'old')
    for (const token of [revoked, `svc_${'a'.repeat(43)}`, 'x']) {
      expect(await platform(token).bom('BOM_PROCESSED', sbom())).toMatchObject({ status: 401 })
    }
    expect((await report(family(4))).refusals).toMatchObject([{ error: 'unauthorized', tokenName: 'old' }])
  })

  it('shows the last test that came through', async () => {
    const sender = platform(family(5).upload)
    expect((await report(family(5))).lastTest).toBe(null)
    await sender.test('BOM_CONSUMED')
    await sender.test('BOM_PROCESSED')
    expect(await report(family(5))).toMatchObject({
      refusals: [],
      lastTest: { group: 'BOM_PROCESSED', tokenName: 'ci' },
    })
  })

  it('is nobody else’s to see', async () => {
    for (const slug of ['acme', 'umbrella']) {
      expect(
        await stranger.refused(getConnectorReport, { params: { slug, family: family(0).id } }),
      ).toMatchObject({
        status: 404,
      })
    }
  })
})

async function revoke(of: TestFamily, name: string): Promise<void> {
  await database.db
    .updateTable('token')
    .set({ revoked_at: testNow })
    .where('family_id', '=', of.id)
    .where('name', '=', name)
    .execute()
}

/** Sends without Content-Length; returns the status. */
async function sendChunked(token: string, body: unknown): Promise<number | undefined> {
  const headers = { 'x-api-key': token, 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  const asked = request(`${http.url}/api/v1/connectors/dependency-track`, { method: 'POST', headers })
  asked.on('error', () => undefined)
  asked.end(JSON.stringify(body))
  const answer = await answerTo(asked)
  answer.resume()
  return answer.statusCode
}

async function uploadToken(of: TestFamily, name: string): Promise<string> {
  const answer = await owner.call(createToken, {
    body: { name, kind: 'upload', familyId: of.id, expiresInDays: 30 },
  })
  return answer.secret
}
