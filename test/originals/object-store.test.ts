import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { downloadAttachment, getInboxReport } from '../../src/contract/disclosure/operations.ts'
import { downloadVexDocument } from '../../src/contract/vex/operations.ts'
import { VexReceipt } from '../../src/contract/vex/shapes.ts'
import { checkObjects } from '../../src/originals/check.ts'
import { receiptPath } from '../disclosure/disclosure-scene.ts'
import type { S3Server } from '../support/s3-server.ts'
import { BucketScene, nextSbom, nextVex, sha256 } from './bucket-scene.ts'
import { readAs, refusalIn } from '../support/read-as.ts'

let to: BucketScene
let bucket: S3Server
let scene: BucketScene['scene']
beforeAll(async () => {
  to = await BucketScene.open({ hasParserChildren: true })
  ;({ bucket, scene } = to)
})
afterEach(() => bucket.heal())
afterAll(() => to.close())

function objectRow(id: string | null) {
  return scene.database.db
    .selectFrom('original_object')
    .selectAll()
    .where('id', '=', id ?? randomUUID())
    .executeTakeFirstOrThrow()
}

describe('an SBOM', () => {
  it('lies sealed in the bucket under its SHA-256 and not in the database, and is read from there', async () => {
    const body = nextSbom()
    const { id } = await to.sent(body)
    const row = await to.sbomRow(id)
    expect(row.raw).toBeNull()
    const object = await objectRow(row.object_id)
    expect(object).toMatchObject({ state: 'kept', workspace_id: scene.acme.id })
    const key = `pre/fix/${scene.acme.id}/${sha256(body)}/${object.id}`
    const kept = bucket.objects.get(key)?.bytes
    expect(kept?.includes('sample')).toBe(false)
    expect(sha256(kept ?? Buffer.alloc(0))).toBe(object.sealed_sha256.toString('hex'))
    const answer = await to.download(id)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(JSON.parse(body.toString()))
    expect(bucket.refusedSignatures).toBe(0)
  })

  it('of the same bytes in two workspaces is two objects, each with its own', async () => {
    const body = nextSbom()
    const one = await to.sent(body)
    const other = await to.sent(body, scene.umbrella)
    const [first, second] = [await to.keyOf(one.id), await to.keyOf(other.id, scene.umbrella)]
    expect(first).toContain(`/${scene.acme.id}/${sha256(body)}/`)
    expect(second).toContain(`/${scene.umbrella.id}/${sha256(body)}/`)
    expect(bucket.objects.get(first)?.bytes).not.toEqual(bucket.objects.get(second)?.bytes)
  })

  it('put where another workspace has its own opens nowhere', async () => {
    const body = nextSbom()
    const one = await to.sent(body)
    const other = await to.sent(body, scene.umbrella)
    const foreign = bucket.objects.get(await to.keyOf(other.id, scene.umbrella))
    if (foreign !== undefined) bucket.objects.set(await to.keyOf(one.id), foreign)
    expect(await to.download(one.id)).toMatchObject({ status: 503 })
  })

  it('sent twice is one object', async () => {
    const body = nextSbom()
    const { id } = await to.sent(body)
    const before = bucket.keys()
    expect(await to.send('/api/v1/sboms', body)).toMatchObject({ status: 200, body: { id, duplicate: true } })
    expect(bucket.keys()).toEqual(before)
  })

  it('that is refused leaves nothing in the bucket', async () => {
    const before = bucket.keys()
    expect((await to.send('/api/v1/sboms', Buffer.from('{"bomFormat":"CycloneDX"'))).status).toBe(400)
    expect(bucket.keys()).toEqual(before)
  })
})

describe('a VEX document', () => {
  it('lies in the bucket and is read from there', async () => {
    const body = nextVex()
    const answer = await to.send('/api/v1/vex', body)
    expect(answer.status).toBe(202)
    const { id } = readAs(VexReceipt, answer.body)
    const row = await scene.database.db
      .selectFrom('vex_document')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.raw).toBeNull()
    expect(bucket.keys()).toContain(`pre/fix/${scene.acme.id}/${sha256(body)}/${row.object_id}`)
    const file = await to.owner.ask(downloadVexDocument, { params: { document: id } })
    expect(file.body).toEqual(JSON.parse(body.toString()))
  })
})

describe('a file attached to a report', () => {
  it('lies in the bucket and is read from there', async () => {
    const bytes = Buffer.from('proof of concept')
    const answer = await scene.report('acme', {}, [{ name: 'poc.txt', bytes }])
    expect(receiptPath(answer)).toContain('/reports/')
    const params = { number: '1' }
    const report = await to.owner.call(getInboxReport, { params })
    const row = await scene.database.db.selectFrom('inbox_attachment').selectAll().executeTakeFirstOrThrow()
    expect(row.content_sealed).toBeNull()
    expect(bucket.keys()).toContain(`pre/fix/${scene.acme.id}/${sha256(bytes)}/${row.object_id}`)
    const attachment = report.attachments[0]?.id
    const file = await to.owner.ask(downloadAttachment, { params: { ...params, attachment } })
    expect(file).toMatchObject({ status: 200 })
    expect(Buffer.from(String(file.body))).toEqual(bytes)
  })
})

describe('without the object store', () => {
  it('an upload is 500 with Retry-After, a duplicate is 200, and nothing was stored', async () => {
    const known = nextSbom()
    const { id } = await to.sent(known)
    bucket.fate = () => 500
    const body = nextSbom()
    const refused = await to.send('/api/v1/sboms', body)
    expect(refused).toMatchObject({ status: 500, body: { error: 'internal' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await to.send('/api/v1/sboms', known)).toMatchObject({ status: 200, body: { id } })
    bucket.heal()
    expect((await to.send('/api/v1/sboms', body)).status).toBe(202)
  })

  it('a form with a file comes back as it was typed, and can be sent without the file or a moment later', async () => {
    bucket.fate = () => 503
    const file = { name: 'later.txt', bytes: Buffer.from('for later') }
    const refused = await scene.report('acme', { description: 'Typed with care.' }, [file])
    expect(refused.status).toBe(503)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.body).toContain('files cannot be stored at the moment')
    expect(refused.body).toContain('Typed with care.')
    expect(receiptPath(await scene.report('acme', { description: 'Sent without.' }))).toContain('/reports/')
    bucket.heal()
    expect(receiptPath(await scene.report('acme', { description: 'Typed with care.' }, [file]))).toContain(
      '/reports/',
    )
  })

  it('a download says which original cannot be read now, and why', async () => {
    const body = nextSbom()
    const { id } = await to.sent(body)
    bucket.fate = () => 503
    const answer = await to.download(id)
    expect(answer).toMatchObject({ status: 503, body: { error: 'not_configured' } })
    expect(answer.headers['retry-after']).toBe('5')
    const { message } = refusalIn(answer.body)
    expect(message).toBe(
      `The original with the SHA-256 ${sha256(body)} cannot be read now: the object store does not answer.`,
    )
    bucket.heal()
    expect((await to.download(id)).status).toBe(200)
  })

  it('an upload is not acknowledged by what answers 200 to anything and is no object store', async () => {
    bucket.fate = () => 200
    const answer = await to.send('/api/v1/sboms', nextSbom())
    expect(answer).toMatchObject({ status: 500, body: { error: 'internal' } })
    expect(answer.headers['retry-after']).toBe('5')
    bucket.heal()
  })

  it('an original is not called changed by what answers 200 to anything and is no object store', async () => {
    const { id } = await to.sent(nextSbom())
    bucket.fate = () => 200
    const answer = await to.download(id)
    expect(answer).toMatchObject({ status: 503 })
    expect(answer.headers['retry-after']).toBe('5')
    expect(refusalIn(answer.body).message).toContain('the object store does not return it')
    await expect(checkObjects(to.db, to.originals, { removeOrphans: false })).rejects.toThrow(
      'is not an object store: 200 without ETag',
    )
    bucket.fate = (_method, key) => (key === '' ? 200 : undefined)
    await expect(checkObjects(to.db, to.originals, { removeOrphans: false })).rejects.toThrow(
      'is not an object store: 200 without a list',
    )
    bucket.heal()
    expect((await to.download(id)).status).toBe(200)
  })

  it('a store that refuses is not said to be silent', async () => {
    const { id } = await to.sent(nextSbom())
    bucket.fate = () => 403
    const answer = await to.download(id)
    expect(answer).toMatchObject({ status: 503 })
    expect(refusalIn(answer.body).message).toContain('the object store does not return it')
    bucket.heal()
  })

  it('a list that never ends is refused', async () => {
    bucket.endsLists = false
    await expect(checkObjects(to.db, to.originals, { removeOrphans: false })).rejects.toThrow(
      'a list that goes on, without where',
    )
    bucket.endsLists = true
  })

  it.each([
    ['missing', 'missing from the object store', (key: string) => bucket.objects.delete(key)],
    ['damaged', 'was changed in the object store', (key: string) => bucket.damage(key)],
  ])('an original that is %s is named as such', async (_what, words, spoil) => {
    const { id } = await to.sent(nextSbom())
    spoil(await to.keyOf(id))
    const answer = await to.download(id)
    expect(answer).toMatchObject({ status: 503 })
    expect(refusalIn(answer.body).message).toContain(words)
  })
})
