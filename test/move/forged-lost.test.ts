import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textWith } from '../support/expected.ts'
import { objectIn } from '../support/read-as.ts'
import { S3Server } from '../support/s3-server.ts'
import { around, expectNothing, forged, json, mebibyte, type Frame } from './forged-archive.ts'
import {
  addVulnerabilityData,
  MoveScene,
  openInstallation,
  originalsIn,
  type Installation,
} from './move-scene.ts'

let scene: MoveScene
let target: Installation
/** Of another workspace of the source. */
let foreignSbom: string

beforeAll(async () => {
  scene = await MoveScene.open()
  const { id } = await scene.source.store.db
    .selectFrom('sbom')
    .select('id')
    .where('workspace_id', '=', scene.workspaces[1].id)
    .executeTakeFirstOrThrow()
  foreignSbom = id
  target = await openInstallation()
  await addVulnerabilityData(target)
  await scene.export('whole.gz')
})
afterAll(async () => {
  await scene.close()
  await target.store.drop()
})

/** The head of the first SBOM as that of one that was given up, and what follows it. */
const lost = (one: Frame[], more: object = {}, behind: Frame[] = [json('E', { rows: 0 })]) => [
  json('O', { ...objectIn(String(one[0]?.payload)), lost: 'missing', ...more }),
  ...behind,
]
const instead = (more: () => object, behind?: () => Frame[]) =>
  around((before, one, after) => [...before, ...lost(one, more(), behind?.()), ...after])
const beside = (more: () => object) =>
  around((before, one, after) => [...before, ...one, ...lost(one, more()), ...after])

const wrongLost: Record<string, (frames: Frame[]) => Frame[]> = {
  'and is there': beside(() => ({})),
  'and is there behind it': around((before, one, after) => [...before, ...lost(one), ...one, ...after]),
  twice: around((before, one, after) => [...before, ...lost(one), ...lost(one), ...after]),
  'of no row': beside(() => ({ id: scene.workspaces[1].id })),
  'of a row of another workspace': beside(() => ({ id: foreignSbom })),
  'of a table that names none': beside(() => ({ table: 'member', id: scene.workspaces[0].members.owner.id })),
  'of no table': beside(() => ({ table: 'sbom; drop table job' })),
  'of another table': instead(() => ({ table: 'vex_document' })),
  'of another file': instead(() => ({ sha256: 'ab'.repeat(32) })),
  'of no hash': instead(() => ({ sha256: 'ab' })),
  'for a reason that is none': instead(() => ({ lost: 'stolen' })),
  'for no reason': instead(() => ({ lost: null })),
  'counted as there': instead(
    () => ({}),
    () => [json('E', { rows: 1 })],
  ),
  'and has bytes': instead(
    () => ({}),
    () => [mebibyte, json('E', { rows: 0 })],
  ),
  'without an end': instead(
    () => ({}),
    () => [],
  ),
  'behind the rows': around((before, one, after) => [...before, ...one, ...after, ...lost(one)]),
}

describe('somebody with the key cannot', () => {
  it.each(Object.keys(wrongLost))('say of one that it is lost, %s', async (name) => {
    const file = await forged(scene, `lost-${name}.gz`, wrongLost[name] ?? (() => []))
    const refused = { code: 'file_damaged', message: textWith('Nothing was written.') }
    await expect(scene.import(file, target)).rejects.toMatchObject(refused)
    const bucket = await S3Server.start()
    const inBucket = { ...target, originals: originalsIn(bucket, target.sealing) }
    await expect(scene.import(file, inBucket)).rejects.toMatchObject(refused)
    await expectNothing(target)
    const { rows } = await sql`select from original_object where state <> 'erasing'`.execute(target.store.db)
    expect(rows).toEqual([])
    await inBucket.originals.store?.close()
    await bucket.stop()
  })
})
