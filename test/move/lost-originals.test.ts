import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { originalColumns } from '../../src/cli/operation/objects.ts'
import { checkObjects } from '../../src/originals/check.ts'
import { moveToDatabase } from '../../src/originals/move.ts'
import { originalsInDatabase } from '../../src/originals/originals.ts'
import { deleteWorkspace } from '../../src/workspace/closing/close-workspace.ts'
import { giveUpOriginals } from '../../src/workspace/originals/give-up-originals.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { textWith } from '../support/expected.ts'
import { S3Server } from '../support/s3-server.ts'
import {
  addVulnerabilityData,
  MoveScene,
  openInstallation,
  operator,
  originalsIn,
  type Installation,
} from './move-scene.ts'

let here: S3Server
let there: S3Server
let scene: MoveScene
let source: Installation
let acme: string
const opened: Installation[] = []

/** Objects a test removes from the bucket are restored after it. */
let whole: [string, { bytes: Buffer; at: Date }][]

beforeAll(async () => {
  here = await S3Server.start()
  there = await S3Server.start()
  scene = await MoveScene.open(here)
  source = { ...scene.source, originals: originalsIn(here, scene.source.sealing) }
  acme = scene.workspaces[0].id
  opened.push(source)
  whole = [...here.objects].map(([key, { bytes, at }]) => [key, { bytes: Buffer.from(bytes), at }])
})
afterEach(async () => {
  here.heal()
  for (const [key, { bytes, at }] of whole) here.objects.set(key, { bytes: Buffer.from(bytes), at })
  await check(source)
})
afterAll(async () => {
  for (const { originals } of opened) await originals?.store?.close()
  for (const { store } of opened.slice(1)) await store.drop()
  await scene.close()
  await Promise.all([here.stop(), there.stop()])
})

async function openTarget(place: 'store' | 'database'): Promise<Installation> {
  const target = await openInstallation()
  await addVulnerabilityData(target)
  if (place === 'store') target.originals = originalsIn(there, target.sealing)
  opened.push(target)
  there.objects.clear()
  return target
}

const check = ({ store, originals = originalsInDatabase }: Installation) =>
  checkObjects(store.db, originals, { removeOrphans: false })
const giveUp = (sha256: string[], { store, originals = originalsInDatabase } = source) =>
  giveUpOriginals(store.db, { workspaceId: acme, originals, sha256, actor: operator, now: testNow })
const moveBack = async ({ store, sealing, originals = originalsInDatabase }: Installation) =>
  moveToDatabase(store.db, {
    originals,
    sealing,
    columns: await originalColumns(),
    workspaceId: acme,
    now: () => testNow,
  })

/** The objects of the workspace's SBOMs, in id order. */
async function sbomObjects({ store }: Installation) {
  const rows = await store.db
    .selectFrom('sbom as s')
    .innerJoin('original_object as o', 'o.id', 's.object_id')
    .select(['s.id as sbomId', 'o.id', 'o.sha256', 'o.state'])
    .where('s.workspace_id', '=', acme)
    .orderBy('s.id')
    .execute()
  return rows.map(({ sha256, ...row }) => ({ ...row, sha256: sha256.toString('hex') }))
}

async function readSbom({ store, originals = originalsInDatabase }: Installation, sbomId: string) {
  const { raw: bytes, object_id: objectId } = await store.db
    .selectFrom('sbom')
    .select(['raw', 'object_id'])
    .where('id', '=', sbomId)
    .executeTakeFirstOrThrow()
  return originals.read(store.db, { workspaceId: acme, bytes, objectId })
}

/** Removes the first SBOM's object, and damages that of a VEX document. */
async function lose() {
  const [sbom] = await sbomObjects(source)
  const document = await source.store.db
    .selectFrom('vex_document as v')
    .innerJoin('original_object as o', 'o.id', 'v.object_id')
    .select(['v.id as documentId', 'o.id', 'o.sha256'])
    .where('v.workspace_id', '=', acme)
    .executeTakeFirstOrThrow()
  if (sbom === undefined) throw new Error('there is no SBOM in the bucket')
  const keyOf = (id: string) => here.keysOf(acme).find((key) => key.endsWith(id)) ?? ''
  here.objects.delete(keyOf(sbom.id))
  here.damage(keyOf(document.id))
  return { sbom, document: { ...document, sha256: document.sha256.toString('hex') } }
}

describe('an export', () => {
  it('names every original that is lost, and how the export goes on without them', async () => {
    const { sbom, document } = await lose()
    const refused = scene.export('refused.gz', { from: source })
    await expect(refused).rejects.toMatchObject({ code: 'original_lost' })
    for (const part of [sbom.sha256, sbom.sbomId, document.sha256, document.documentId, '"objects give-up"'])
      await expect(refused).rejects.toMatchObject({ message: textWith(part) })
  })

  it('goes on without what was given up and says so, and what is lost is shown as lost where it arrives', async () => {
    const { sbom, document } = await lose()
    await expect(giveUp([sbom.sha256, document.sha256])).resolves.toEqual(
      [
        { sha256: sbom.sha256, why: 'missing' },
        { sha256: document.sha256, why: 'damaged' },
      ].sort((one, other) => one.sha256.localeCompare(other.sha256)),
    )
    const { originals, lost } = await scene.export('given-up.gz', { from: source })
    const heads = [
      { table: 'sbom', id: sbom.sbomId, sha256: sbom.sha256, lost: 'missing' },
      { table: 'vex_document', id: document.documentId, sha256: document.sha256, lost: 'damaged' },
    ]
    expect(lost).toEqual(heads)
    for (const place of ['store', 'database'] as const) {
      const target = await openTarget(place)
      const imported = await scene.import('given-up.gz', target)
      expect(imported.lostOriginals).toEqual(heads)
      expect(imported.originals.count).toBe(originals)
      await expect(readSbom(target, sbom.sbomId)).rejects.toMatchObject({
        code: 'not_configured',
        message: `The original with the SHA-256 ${sbom.sha256} cannot be read any more: it is lost, and the operator has given it up.`,
      })
      if (place === 'store') {
        const checked = await check(target)
        expect(checked).toMatchObject({ missing: [], damaged: [], kept: originals })
        expect(checked.lost.map(({ sha256 }) => sha256).sort()).toEqual([sbom.sha256, document.sha256].sort())
        expect(await moveBack(target)).toMatchObject({ moved: originals, unreadable: 0, lost: 2 })
      }
      // and from there it can move again
      expect((await scene.export(`again-${place}.gz`, { from: target })).lost.map(({ id }) => id)).toEqual(
        heads.map(({ id }) => id),
      )
      // it was never stored: nothing is erased, and nothing waits for an erasure
      const confirmName = 'acme company'
      const deletion = { workspaceId: acme, actor: operator, now: testNow, confirmName }
      await target.store.db
        .updateTable('workspace')
        .set({ closed_at: new Date(testNow.getTime() - 31 * 86_400_000) })
        .where('id', '=', acme)
        .execute()
      await deleteWorkspace(target.store.db, deletion)
      await drain(target.store.db, testNow)
      const left = await target.store.db.selectFrom('original_object').select('state').execute()
      expect(left.map(({ state }) => state)).toEqual(
        place === 'store' ? Array.from({ length: originals }, () => 'erasing') : [],
      )
    }
  })
})

describe('giving up', () => {
  it('is refused for what is there, for what nobody knows, and while the bucket does not answer', async () => {
    const [sbom] = await sbomObjects(source)
    const sha256 = sbom?.sha256 ?? ''
    await expect(giveUp([sha256])).rejects.toMatchObject({ code: 'conflict' })
    await expect(giveUp(['0'.repeat(64)])).rejects.toMatchObject({ code: 'not_found' })
    here.fate = () => 500
    await expect(giveUp([sha256])).rejects.toMatchObject({ retryAfterSeconds: 5 })
    expect((await sbomObjects(source)).map(({ state }) => state)).not.toContain('lost')
  })

  it('is recorded once by name, and is over when the object is back', async () => {
    const { sbom } = await lose()
    await giveUp([sbom.sha256])
    await expect(giveUp([sbom.sha256])).resolves.toEqual([])
    const events = await source.store.db
      .selectFrom('audit_event')
      .select('after')
      .where('action', '=', 'workspace.originals_given_up')
      .where('workspace_id', '=', acme)
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(events[0]?.after).toEqual({
      objects: 1,
      originals: [{ sha256: sbom.sha256, why: 'missing' }],
    })
    const checked = await check(source)
    expect(checked.lost.map(({ sha256 }) => sha256)).toEqual([sbom.sha256])
    expect(checked.missing).toEqual([])
    for (const [key, object] of whole) if (key.endsWith(sbom.id)) here.objects.set(key, object)
    await expect(readSbom(source, sbom.sbomId)).resolves.toBeInstanceOf(Buffer)
    expect((await check(source)).lost).toEqual([])
    expect((await sbomObjects(source)).map(({ state }) => state)).not.toContain('lost')
  })
})
