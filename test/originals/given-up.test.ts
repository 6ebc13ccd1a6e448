import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportWorkspace } from '../../src/contract/workspace/closing-operations.ts'
import { checkObjects } from '../../src/originals/check.ts'
import { giveUpOriginals } from '../../src/workspace/originals/give-up-originals.ts'
import { operator } from '../move/move-scene.ts'
import { testNow } from '../support/clock.ts'
import { textWith } from '../support/expected.ts'
import { objectIn } from '../support/read-as.ts'
import { tarFiles } from '../support/tar-files.ts'
import { BucketScene, nextSbom, sha256 } from './bucket-scene.ts'

let to: BucketScene
beforeAll(async () => {
  to = await BucketScene.open()
})
afterAll(() => to.close())

async function unreadableOfExport(): Promise<unknown> {
  const { body } = await to.owner.open(exportWorkspace)
  const files = tarFiles(gunzipSync(Buffer.from(await body.arrayBuffer())))
  return objectIn(files.get('manifest.json')?.toString() ?? '')['unreadable']
}

describe('the export of a workspace', () => {
  it('says apart what the operator may restore and what was given up for good', async () => {
    const [lost, missing] = [nextSbom(), nextSbom()]
    for (const each of [lost, missing]) to.bucket.objects.delete(await to.keyOf((await to.sent(each)).id))
    expect(await unreadableOfExport()).toMatchObject({
      originals: 2,
      lostOriginals: 0,
      why: textWith('Ask the operator to restore'),
    })
    const giveUp = (file: Buffer) =>
      giveUpOriginals(to.db, {
        workspaceId: to.scene.acme.id,
        originals: to.originals,
        sha256: [sha256(file)],
        actor: operator,
        now: testNow,
      })
    await giveUp(lost)
    expect(await unreadableOfExport()).toMatchObject({
      originals: 1,
      lostOriginals: 1,
      why: textWith('Ask the operator to restore'),
    })
    await giveUp(missing)
    expect(await unreadableOfExport()).toMatchObject({
      originals: 0,
      lostOriginals: 2,
      why: 'What lostOriginals counts is lost for good: the operator has given it up.',
    })
  })
})

describe('a check', () => {
  it('names the object that the bucket never gives, so that somebody can take it away and give it up', async () => {
    const key = await to.keyOf((await to.sent(nextSbom())).id)
    to.bucket.fate = (method, asked) => (method === 'GET' && asked === key ? 500 : undefined)
    const checked = checkObjects(to.db, to.originals, { removeOrphans: false })
    await expect(checked).rejects.toThrow(`to GET ${key}`)
    to.bucket.heal()
    to.bucket.objects.delete(key)
    const { missing } = await checkObjects(to.db, to.originals, { removeOrphans: false })
    expect(missing.map((each) => each.key)).toContain(key)
  })
})
