import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { originalColumns } from '../../src/cli/operation/objects.ts'
import { checkObjects } from '../../src/originals/check.ts'
import { moveToDatabase, moveToStore, resealObjects } from '../../src/originals/move.ts'
import { openOriginals } from '../../src/originals/configured.ts'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { keyState } from '../../src/views/operation/key-state.ts'
import { deleteWorkspace } from '../../src/workspace/closing/close-workspace.ts'
import { enqueueErasures, eraseOriginals } from '../../src/workspace/originals/erase-originals.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { testKeys, testSealing } from '../support/http.ts'
import { BucketScene, nextSbom, nextVex, sha256 } from './bucket-scene.ts'
import { listWith } from '../support/expected.ts'
import { tester } from '../support/actors.ts'

let to: BucketScene
beforeAll(async () => {
  to = await BucketScene.open({ uploads: 'database' })
})
afterEach(() => to.bucket.heal())
afterAll(() => to.close())

const log = { error: () => undefined }
const moving = async (originals = to.originals) => ({
  originals,
  sealing: testSealing,
  columns: await originalColumns(),
  now: () => testNow,
})
const erase = (workspaceId = to.scene.acme.id) =>
  eraseOriginals(to.db, { workspaceId, originals: to.originals, log, now: testNow })
const anHourLater = () =>
  sql`update original_object set erase_from = now() where state = 'erasing'`.execute(to.db)

const acts = () =>
  to.db.selectFrom('audit_event').selectAll().where('action', '=', 'workspace.originals_erased').execute()

const attached = Buffer.from('attached')
let body: Buffer
let sbomId: string
beforeEach(async () => {
  body = nextSbom()
  sbomId = (await to.sent(body)).id
})

async function everythingIn(place: 'store' | 'database'): Promise<void> {
  const { rows } = await sql<{ bytes: number; objects: number }>`
    select count(bytes)::int as bytes, count(object_id)::int as objects from (
      select raw as bytes, object_id from sbom union all
      select raw, object_id from vex_document union all
      select content_sealed, object_id from inbox_attachment) o`.execute(to.db)
  const counts = rows[0] ?? { bytes: 0, objects: 0 }
  expect(place === 'store' ? counts.bytes : counts.objects).toBe(0)
}

describe('moving', () => {
  it('into the store and back leaves every file as it was, and erases the objects an hour later', async () => {
    await to.send('/api/v1/vex', nextVex())
    await to.scene.report('acme', {}, [{ name: 'poc.txt', bytes: attached }])
    const before = await moveToStore(to.db, await moving())
    expect(before).toMatchObject({ unreadable: 0 })
    expect(before.moved).toBeGreaterThanOrEqual(3)
    await everythingIn('store')
    expect((await to.download(sbomId)).body).toEqual(JSON.parse(body.toString()))
    expect(await moveToStore(to.db, await moving())).toEqual({
      moved: 0,
      bytes: 0,
      unreadable: 0,
      lost: 0,
    })
    expect(await checkObjects(to.db, to.originals, { removeOrphans: false })).toMatchObject({
      kept: before.moved,
      missing: [],
      damaged: [],
      unopenable: 0,
      orphaned: { count: 0 },
      keepsVersions: false,
    })
    expect(await moveToDatabase(to.db, await moving())).toEqual(before)
    await everythingIn('database')
    const attachment = await to.db.selectFrom('inbox_attachment').selectAll().executeTakeFirstOrThrow()
    expect(attachment.content_sealed?.includes('attached')).toBe(false)
    await erase()
    expect(to.bucket.keys()).toHaveLength(before.moved)
    await anHourLater()
    await erase()
    expect(to.bucket.keys()).toEqual([])
    expect(await to.objects()).toEqual([])
    expect((await to.download(sbomId)).body).toEqual(JSON.parse(body.toString()))
  })

  it('stops with the store and goes on with the rest', async () => {
    for (let more = 0; more < 20; more += 1) await to.sent(nextSbom())
    let puts = 0
    to.bucket.fate = (method) => {
      if (method === 'PUT') puts += 1
      return method === 'PUT' && puts > 12 ? 500 : undefined
    }
    await expect(moveToStore(to.db, await moving())).rejects.toThrow('the object store answered 500')
    const { count: left } = await to.db
      .selectFrom('sbom')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('raw', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(21)
    to.bucket.heal()
    expect((await moveToStore(to.db, await moving())).moved).toBeGreaterThanOrEqual(left)
    await everythingIn('store')
    await moveToDatabase(to.db, await moving())
  })

  it('keeps in its row what it cannot read', async () => {
    await moveToStore(to.db, await moving())
    to.bucket.damage(await to.keyOf(sbomId))
    expect(await moveToDatabase(to.db, await moving())).toMatchObject({ unreadable: 1 })
    expect((await to.sbomRow(sbomId)).object_id).not.toBeNull()
    to.bucket.damage(await to.keyOf(sbomId))
    expect(await moveToDatabase(to.db, await moving())).toMatchObject({ moved: 1, unreadable: 0 })
  })
})

describe('checking', () => {
  it('names what is missing, what is damaged and what nobody knows, and removes that when it is told to', async () => {
    const other = await to.sent(nextSbom())
    await moveToStore(to.db, await moving())
    const [one, two] = [await to.keyOf(sbomId), await to.keyOf(other.id)]
    to.bucket.objects.delete(one)
    to.bucket.damage(two)
    const stray = `pre/fix/${to.scene.acme.id}/${sha256(body)}/00000000-0000-4000-8000-000000000000`
    to.bucket.objects.set(stray, { bytes: Buffer.from('x'), at: new Date() })
    to.bucket.keepsVersions = true
    const found = await checkObjects(to.db, to.originals, { removeOrphans: false })
    expect(found.missing.map(({ key }) => key)).toEqual([one])
    expect(found.damaged.map(({ key }) => key)).toEqual([two])
    expect(found).toMatchObject({
      orphaned: { keys: listWith(stray) },
      removedOrphans: 0,
    })
    expect(found.keepsVersions).toBe(true)
    to.bucket.keepsVersions = false
    expect(to.bucket.keys()).toContain(stray)
    const cleaned = await checkObjects(to.db, to.originals, { removeOrphans: true })
    expect(cleaned.removedOrphans).toBe(cleaned.orphaned.count)
    expect(to.bucket.keys()).not.toContain(stray)
    expect(to.bucket.keys()).toContain(two)
  })

  it('removes strangers of any name, and nothing that the name begins with', async () => {
    const { id } = await to.sent(nextSbom())
    await moveToStore(to.db, await moving())
    const kept = await to.keyOf(id)
    const strangers = ['?x', '#x', ' x', '%20', '+(ä)!', '/'].map((end) => `${kept}${end}`)
    for (const key of strangers) to.bucket.objects.set(key, { bytes: Buffer.from('x'), at: new Date() })
    await checkObjects(to.db, to.originals, { removeOrphans: true })
    expect(to.bucket.keys().filter((key) => key.startsWith(kept))).toEqual([kept])
  })
})

describe('keys', () => {
  it('that are no longer the writing one are counted, and left by sealing again under a new name', async () => {
    const { id } = await to.sent(nextSbom())
    await moveToStore(to.db, await moving())
    const before = await to.keyOf(id)
    const fresh = parseKeys(newKeyText())
    const both = createSealing(createKeyRing([...fresh, ...testKeys]))
    const originals = openOriginals(to.bucket.settings(), { log, sealing: both })
    const only = createSealing(createKeyRing(fresh))
    const unusable = async () =>
      (await keyState({ db: to.db, sealing: only, keysFrom: null })).unusableOriginals
    expect(await unusable()).toBeGreaterThan(0)
    await resealObjects(to.db, { ...(await moving(originals)), sealing: both })
    const after = await to.keyOf(id)
    expect(after).not.toBe(before)
    const read = (await to.objects()).filter(({ state }) => state === 'kept')
    const key = fresh[0]?.id
    // originals missing or damaged since the test above stay as they are
    expect(read.filter(({ key_id: used }) => used !== key)).toHaveLength(2)
    expect(await unusable()).toBe(2)
    await originals.store?.close()
  })
})

describe('erasing', () => {
  it('what was put and never named is given up after a quarter of an hour, and not recorded', async () => {
    const { acme } = to.scene
    const original = { workspaceId: acme.id, sha256: Buffer.alloc(32, 7), bytes: Buffer.from('never named') }
    const { objectId } = await to.originals.put(to.db, original, testNow)
    const find = () => to.bucket.keys().filter((key) => key.endsWith(objectId))
    await enqueueErasures(to.db, { bucket: to.originals.bucket, now: testNow })
    await erase()
    expect(find()).toHaveLength(1)
    const recorded = (await acts()).length
    await sql`update original_object set staged_at = staged_at - interval '16 minutes' where id = ${objectId}`.execute(
      to.db,
    )
    await enqueueErasures(to.db, { bucket: to.originals.bucket, now: testNow })
    const job = await to.db
      .selectFrom('job')
      .selectAll()
      .where('kind', '=', 'erase_originals')
      .executeTakeFirst()
    expect(job).toMatchObject({ key: acme.id, state: 'waiting' })
    await erase()
    expect(find()).toEqual([])
    expect(await acts()).toHaveLength(recorded)
  })

  it('waits for a store that does not answer', async () => {
    const original = {
      workspaceId: to.scene.acme.id,
      sha256: Buffer.alloc(32, 8),
      bytes: Buffer.from('waits'),
    }
    const placed = await to.originals.put(to.db, original, testNow)
    await to.originals.release(to.db, placed)
    to.bucket.fate = () => 500
    await erase()
    expect((await to.objects()).some(({ id }) => id === placed.objectId)).toBe(true)
    to.bucket.heal()
    await erase()
    expect((await to.objects()).some(({ id }) => id === placed.objectId)).toBe(false)
  })

  it('a workspace that was deleted leaves no object, and the proof in the trail of the installation', async () => {
    const { umbrella } = to.scene
    const files = [nextSbom(), nextSbom()]
    for (const file of files) await to.sent(file, umbrella)
    await moveToStore(to.db, await moving())
    expect(to.bucket.keysOf(umbrella.id)).toHaveLength(2)
    const others = to.bucket.keysOf(to.scene.acme.id)
    const closed = new Date(testNow.getTime() - 40 * 86_400_000)
    await to.db.updateTable('workspace').set({ closed_at: closed }).where('id', '=', umbrella.id).execute()
    const confirmName = 'umbrella company'
    await deleteWorkspace(to.db, { workspaceId: umbrella.id, actor: tester, now: testNow, confirmName })
    await drain(to.db, testNow)
    expect(to.bucket.keysOf(umbrella.id)).toHaveLength(2)
    await erase(umbrella.id)
    expect(to.bucket.keysOf(umbrella.id)).toEqual([])
    expect(to.bucket.keysOf(to.scene.acme.id)).toEqual(others)
    expect((await to.objects()).filter((row) => row.workspace_id === umbrella.id)).toEqual([])
    const event = (await acts()).find(({ object_id: id }) => id === umbrella.id)
    expect(event).toMatchObject({
      workspace_id: null,
      after: { objects: 2, sha256: files.map(sha256).sort() },
    })
  })
})

describe('a bucket that does not keep what is put there', () => {
  it('ends the move, which says that the original stays where it was', async () => {
    to.bucket.onDone = (method, key) => {
      if (method === 'PUT') to.bucket.damage(key)
    }
    await expect(moveToStore(to.db, await moving())).rejects.toThrow(
      'what was put there a moment ago was changed in the object store; the original stays where it was',
    )
    to.bucket.onDone = () => undefined
    expect((await to.download(sbomId)).body).toEqual(JSON.parse(body.toString()))
  })
})
