import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { originalColumns } from '../../src/cli/operation/objects.ts'
import { checkObjects } from '../../src/originals/check.ts'
import { openOriginals } from '../../src/originals/configured.ts'
import { createOriginalsProbe } from '../../src/originals/metrics.ts'
import { moveToDatabase, moveToStore } from '../../src/originals/move.ts'
import type { Originals } from '../../src/originals/originals.ts'
import {
  enqueueErasures,
  eraseOriginals,
  eraseWaiting,
} from '../../src/workspace/originals/erase-originals.ts'
import { testNow } from '../support/clock.ts'
import { testKeys, testSealing } from '../support/http.ts'
import { S3Server } from '../support/s3-server.ts'
import { BucketScene, nextSbom, sha256 } from './bucket-scene.ts'

// objects in one bucket wait for their erasure while another bucket is configured
const log = { error: () => undefined }
let to: BucketScene
let other: S3Server
let elsewhere: Originals
beforeAll(async () => {
  to = await BucketScene.open()
  other = await S3Server.start()
  elsewhere = openOriginals(other.settings(testKeys), { log, sealing: testSealing })
})
afterAll(async () => {
  await elsewhere.store?.close()
  await other.stop()
  await to.close()
})

/** Each test leaves every original in the database, and both buckets empty. */
afterEach(async () => {
  await sql`update original_object set bucket = ${to.originals.bucket} where bucket is null`.execute(to.db)
  for (const originals of [to.originals, elsewhere]) await moveToDatabase(to.db, await moving(originals))
  await makeDue()
  await sql`delete from original_object where state = 'erasing'`.execute(to.db)
  for (const { objects } of [to.bucket, other]) objects.clear()
})

const moving = async (originals: Originals) => ({
  originals,
  sealing: testSealing,
  columns: await originalColumns(),
  now: () => testNow,
})
const eraseBy = (originals: Originals) =>
  eraseOriginals(to.db, { workspaceId: to.scene.acme.id, originals, log, now: testNow })
const makeDue = () =>
  sql`update original_object set erase_from = now() where state = 'erasing'`.execute(to.db)
const checkBy = (originals: Originals) => checkObjects(to.db, originals, { removeOrphans: false })
const acts = () =>
  to.db.selectFrom('audit_event').selectAll().where('action', '=', 'workspace.originals_erased').execute()
const degradedBy = (originals: Originals) => createOriginalsProbe({ db: to.db, originals })()

let body: Buffer
let recorded: number
beforeEach(async () => {
  body = nextSbom()
  await to.sent(body)
  recorded = (await acts()).length
})

/** Its content is in the database again, and its object is due for erasure. */
async function due(): Promise<void> {
  await moveToDatabase(to.db, await moving(to.originals))
  await makeDue()
}

describe('an original that was put into another bucket than the one that is set', () => {
  it('is not erased there, and nothing is recorded, until its own bucket is asked', async () => {
    await due()
    expect(to.bucket.keys()).toHaveLength(1)
    await eraseBy(elsewhere)
    expect(to.bucket.keys()).toHaveLength(1)
    expect(await to.objects()).toHaveLength(1)
    expect(await acts()).toHaveLength(recorded)
    expect(await degradedBy(elsewhere)).toEqual([expect.stringContaining('another bucket')])
    expect(await degradedBy(to.originals)).toEqual([])
    expect(await checkBy(elsewhere)).toMatchObject({ erasing: 1, elsewhere: 1 })
    expect(await checkBy(to.originals)).toMatchObject({ erasing: 1, elsewhere: 0 })
    expect(await eraseWaiting(to.db, { originals: elsewhere, now: testNow })).toMatchObject({
      erased: 0,
      elsewhere: 1,
    })
    expect(to.bucket.keys()).toHaveLength(1)
    expect(await eraseWaiting(to.db, { originals: to.originals, now: testNow })).toEqual({
      erased: 1,
      waiting: 0,
      elsewhere: 0,
    })
    expect(to.bucket.keys()).toEqual([])
    expect(await to.objects()).toEqual([])
    const [event] = (await acts()).slice(recorded)
    expect(event?.after).toMatchObject({ objects: 1, sha256: [sha256(body)] })
  })

  it('is erased where it was copied to, once the check has found it there', async () => {
    for (const [key, object] of to.bucket.objects) other.objects.set(key, object)
    const [key = ''] = other.keys()
    expect(await checkBy(elsewhere)).toMatchObject({ kept: 1, missing: [], elsewhere: 0 })
    to.bucket.objects.clear()
    await moveToDatabase(to.db, await moving(elsewhere))
    await makeDue()
    await eraseBy(to.originals)
    expect(await acts()).toHaveLength(recorded)
    expect(other.keys()).toEqual([key])
    await eraseBy(elsewhere)
    expect(other.keys()).toEqual([])
    expect(await acts()).toHaveLength(recorded + 1)
  })

  it('is erased where the check has found it, also when it was due before the copy', async () => {
    await due()
    for (const [key, object] of to.bucket.objects) other.objects.set(key, object)
    expect(await checkBy(elsewhere)).toMatchObject({ kept: 0, erasing: 1, elsewhere: 0 })
    to.bucket.objects.clear()
    await eraseBy(elsewhere)
    expect(other.keys()).toEqual([])
    expect(await acts()).toHaveLength(recorded + 1)
  })

  it('that the check does not find in the new one stays with the old one', async () => {
    expect(await checkBy(elsewhere)).toMatchObject({ kept: 1, missing: [{ sha256: sha256(body) }] })
    await due()
    await eraseBy(elsewhere)
    expect(await acts()).toHaveLength(recorded)
    await eraseBy(to.originals)
    expect(to.bucket.keys()).toEqual([])
    expect(await acts()).toHaveLength(recorded + 1)
  })

  it('is no work until its own bucket is set again', async () => {
    await due()
    const jobs = () => to.db.selectFrom('job').select('key').where('kind', '=', 'erase_originals').execute()
    await to.db.deleteFrom('job').where('kind', '=', 'erase_originals').execute()
    for (const bucket of [elsewhere.bucket, null]) {
      await enqueueErasures(to.db, { bucket, now: testNow })
      expect(await jobs()).toEqual([])
    }
    await enqueueErasures(to.db, { bucket: to.originals.bucket, now: testNow })
    expect(await jobs()).toEqual([{ key: to.scene.acme.id }])
  })

  it('and moved there by way of the database leaves both buckets with their own', async () => {
    await moveToDatabase(to.db, await moving(to.originals))
    const { moved } = await moveToStore(to.db, await moving(elsewhere))
    await makeDue()
    expect([to.bucket.keys().length, other.keys().length]).toEqual([1, moved])
    await enqueueErasures(to.db, { bucket: elsewhere.bucket, now: testNow })
    await eraseBy(elsewhere)
    expect([to.bucket.keys().length, other.keys().length]).toEqual([1, moved])
    await eraseWaiting(to.db, { originals: to.originals, now: testNow })
    expect([to.bucket.keys().length, other.keys().length]).toEqual([0, moved])
    expect(await acts()).toHaveLength(recorded + 1)
    await moveToDatabase(to.db, await moving(elsewhere))
    await makeDue()
    await eraseBy(elsewhere)
    expect(other.keys()).toEqual([])
  })
})

describe('an original of a release that did not say which bucket', () => {
  const forgetBuckets = () => sql`update original_object set bucket = null`.execute(to.db)

  it('is erased by the service where it is set, and by no command', async () => {
    await due()
    await forgetBuckets()
    expect(await eraseWaiting(to.db, { originals: elsewhere, now: testNow })).toMatchObject({
      erased: 0,
      waiting: 1,
      elsewhere: 0,
    })
    await eraseBy(to.originals)
    expect(to.bucket.keys()).toEqual([])
    expect(await acts()).toHaveLength(recorded + 1)
  })

  it('belongs to the bucket in which a check has found it', async () => {
    await forgetBuckets()
    await checkBy(to.originals)
    await due()
    await eraseBy(elsewhere)
    expect(to.bucket.keys()).toHaveLength(1)
    await eraseBy(to.originals)
    expect(to.bucket.keys()).toEqual([])
  })
})

describe('without an object store', () => {
  it('readiness says that something still waits to be erased', async () => {
    await due()
    const { originalsInDatabase } = await import('../../src/originals/originals.ts')
    expect(await degradedBy(originalsInDatabase)).toEqual([expect.stringContaining('erased')])
    await eraseBy(to.originals)
    expect(await degradedBy(originalsInDatabase)).toEqual([])
  })
})
