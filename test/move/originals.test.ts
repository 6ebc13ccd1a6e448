import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { originalColumns } from '../../src/cli/operation/objects.ts'
import { checkObjects } from '../../src/originals/check.ts'
import { giveUpStaged } from '../../src/originals/erase.ts'
import { moveToDatabase } from '../../src/originals/move.ts'
import { renewStaged } from '../../src/originals/object-rows.ts'
import { originalsInDatabase } from '../../src/originals/originals.ts'
import { movedNames } from '../../src/move/tables.ts'
import { eraseOriginals } from '../../src/workspace/originals/erase-originals.ts'
import { testNow } from '../support/clock.ts'
import { S3Server } from '../support/s3-server.ts'
import { readMovedRows } from './compared-rows.ts'
import {
  addVulnerabilityData,
  MoveScene,
  openInstallation,
  originalsIn,
  type Installation,
} from './move-scene.ts'
import { readOriginalFiles, type OriginalFiles } from './original-files.ts'
import { textWith } from '../support/expected.ts'
import { fieldOf, objectIn } from '../support/read-as.ts'

/** Columns that locate an original. */
const places = ['raw', 'object_id', 'content_sealed', 'receipt']
const log = { error: () => undefined }

let here: S3Server
let there: S3Server
let scene: MoveScene
let source: Installation
let acme: string
const opened: Installation[] = []

beforeAll(async () => {
  here = await S3Server.start()
  there = await S3Server.start()
  scene = await MoveScene.open(here)
  source = { ...scene.source, originals: originalsIn(here, scene.source.sealing) }
  opened.push(source)
  acme = scene.workspaces[0].id
  await scene.export('from-store.gz', { from: source })
})
afterEach(() => {
  here.heal()
  there.heal()
})
afterAll(async () => {
  for (const { originals } of opened) await originals?.store?.close()
  for (const { store } of opened.slice(1)) await store.drop()
  await scene.close()
  await Promise.all([here.stop(), there.stop()])
})

async function openTarget(place: 'store' | 'database' | 'both'): Promise<Installation> {
  const target = await openInstallation()
  await addVulnerabilityData(target)
  const env = { OBJECT_STORE_UPLOADS: place === 'both' ? 'database' : 'store' }
  if (place !== 'database') target.originals = originalsIn(there, target.sealing, env)
  opened.push(target)
  there.objects.clear()
  return target
}

const without = (rows: string[] = []) =>
  rows
    .map((row) => {
      const read = objectIn(row)
      for (const column of places) Reflect.deleteProperty(read, column)
      return JSON.stringify(read)
    })
    .sort()

async function movedRows({ store, sealing }: Installation): Promise<Record<string, string[]>> {
  const rows = await readMovedRows({ db: store.db, sealing }, acme)
  return Object.fromEntries(
    movedNames.filter((name) => !name.startsWith('audit_')).map((name) => [name, without(rows[name])]),
  )
}

const placesOf = (files: OriginalFiles) => [...new Set(Object.values(files).map(({ place }) => place))].sort()
const hashesOf = (files: OriginalFiles) =>
  Object.fromEntries(Object.entries(files).map(([row, { sha256 }]) => [row, sha256]))

const objectsOf = ({ store }: Installation) =>
  store.db.selectFrom('original_object').selectAll().where('workspace_id', '=', acme).execute()

async function nothingOf({ store }: Installation): Promise<void> {
  const found = await store.db.selectFrom('workspace').select('id').execute()
  expect(found).toEqual([])
}

async function expectArrived(target: Installation, place: 'store' | 'database', before: OriginalFiles) {
  const after = await readOriginalFiles(target, acme)
  expect(hashesOf(after)).toEqual(hashesOf(before))
  expect(placesOf(after)).toEqual([place])
  const objects = await objectsOf(target)
  expect(objects.map(({ state }) => state)).toEqual(
    place === 'store' ? Object.keys(before).map(() => 'kept') : [],
  )
  expect(new Set(objects.map((object) => object.key_id))).toEqual(
    new Set(place === 'store' ? [target.sealing.ring?.writing.id] : []),
  )
  expect(there.keysOf(acme)).toHaveLength(objects.length)
}

describe('the originals of a workspace', () => {
  it.each([
    ['store', 'store', 'store'],
    ['store', 'database', 'database'],
    ['database', 'store', 'store'],
    ['store', 'database', 'both'],
  ] as const)('move from the %s to the %s of an installation that has %s', async (from, to, has) => {
    const before = await readOriginalFiles(source, acme)
    for (const table of ['sbom', 'vex_document', 'inbox_attachment', 'submission'])
      expect(Object.keys(before).filter((row) => row.startsWith(table))).not.toEqual([])
    expect(placesOf(before)).toContain('store')
    let file = 'from-store.gz'
    if (from === 'database') {
      // originals moved into the database move out again
      const between = await openTarget('database')
      await scene.import(file, between)
      file = 'from-database.gz'
      await scene.export(file, { from: between })
    }
    const target = await openTarget(has)
    const imported = await scene.import(file, target)
    expect(imported.originals).toEqual({ count: Object.keys(before).length, place: to })
    await expectArrived(target, to, before)
    expect(await movedRows(target)).toEqual(await movedRows(scene.source))
    if (target.originals?.store !== undefined && target.originals.store !== null)
      expect(await checkObjects(target.store.db, target.originals, { removeOrphans: false })).toMatchObject({
        kept: to === 'store' ? Object.keys(before).length : 0,
        missing: [],
        damaged: [],
        unopenable: 0,
        orphaned: { count: 0 },
        staged: 0,
        erasing: 0,
      })
  })

  it('stay as they are at the source, and those of the others do not come', async () => {
    const keys = here.keys()
    await scene.export('again.gz', { from: source })
    expect(here.keys()).toEqual(keys)
    const target = await openTarget('store')
    await scene.import('again.gz', target)
    expect(there.keysOf(acme)).toEqual(there.keys())
  })

  it.each([
    ['missing', 'is missing from the object store', (key: string) => here.objects.delete(key)],
    ['damaged', 'was changed in the object store', (key: string) => here.damage(key)],
  ])('are named where one is %s, and no file is written', async (_what, words, spoil) => {
    const [object] = await objectsOf(source)
    const key = here.keysOf(acme).find((each) => each.endsWith(object?.id ?? '-')) ?? ''
    const kept = here.objects.get(key)
    const bytes = Buffer.from(kept?.bytes ?? [])
    spoil(key)
    const refused = await scene.export('lost.gz', { from: source }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'original_lost' })
    const message = String(fieldOf(refused, 'message'))
    for (const part of [words, object?.sha256.toString('hex') ?? '-', key]) expect(message).toContain(part)
    expect(message).toMatch(/belongs to (SBOMs|VEX documents|receipts of authorities) \([0-9a-f-]{36}\)/)
    expect(existsSync(scene.file('lost.gz'))).toBe(false)
    here.objects.set(key, { bytes, at: new Date() })
    expect((await scene.export(`found-${_what}.gz`, { from: source })).originals).toBeGreaterThan(0)
  })

  it('are refused in words where the source is not told of its store', async () => {
    await expect(scene.export('untold.gz')).rejects.toThrow(/has to set OBJECT_STORE_URL/)
  })

  it('can be moved into the database for one workspace alone', async () => {
    const target = await openTarget('store')
    await scene.import('from-store.gz', target)
    const before = await readOriginalFiles(target, acme)
    const { store, sealing, originals = originalsInDatabase } = target
    const moving = { originals, sealing, columns: await originalColumns(), now: () => testNow }
    const one = { ...moving, workspaceId: scene.workspaces[1].id }
    expect(await moveToDatabase(store.db, one)).toMatchObject({ moved: 0 })
    expect(await moveToDatabase(store.db, { ...moving, workspaceId: acme })).toMatchObject({ unreadable: 0 })
    expect(hashesOf(await readOriginalFiles(target, acme))).toEqual(hashesOf(before))
  })
})

describe('an import whose object store', () => {
  const erase = ({ store, originals = originalsInDatabase }: Installation) =>
    eraseOriginals(store.db, { workspaceId: acme, originals, log, now: testNow })

  it('goes away in the middle leaves nothing, and the next one is whole', async () => {
    const target = await openTarget('store')
    let puts = 0
    there.fate = (method) => (method === 'PUT' && (puts += 1) > 2 ? 403 : undefined)
    await expect(scene.import('from-store.gz', target)).rejects.toMatchObject({
      code: 'store_away',
      message: textWith('run the import again'),
    })
    await nothingOf(target)
    there.heal()
    await giveUpStaged(target.store.db, 0)
    await erase(target)
    expect(there.keys()).toEqual([])
    const acts = await target.store.db.selectFrom('audit_event').select('action').execute()
    expect(acts).toEqual([])
    await scene.import('from-store.gz', target)
    await expectArrived(target, 'store', await readOriginalFiles(source, acme))
  })

  it('gives back what was not put, is refused', async () => {
    const target = await openTarget('store')
    let isSpoilt = false
    there.onDone = (method, key) => {
      if (method !== 'PUT' || isSpoilt) return
      isSpoilt = true
      there.damage(key)
    }
    await expect(scene.import('from-store.gz', target)).rejects.toThrow(/was changed in the object store/)
    there.onDone = () => undefined
    await nothingOf(target)
  })

  it('was held up until objects were given up, writes nothing', async () => {
    const target = await openTarget('store')
    const before = Object.keys(await readOriginalFiles(source, acme)).length
    let reads = 0
    there.fate = (method) => {
      if (method !== 'GET' || (reads += 1) < before) return undefined
      return giveUpStaged(target.store.db, 0)
    }
    await expect(scene.import('from-store.gz', target)).rejects.toMatchObject({
      code: 'store_away',
      message: textWith('held up for too long'),
    })
    await nothingOf(target)
    there.heal()
    await erase(target)
    expect(there.keys()).toEqual([])
  })

  it('is slow keeps what it has put from being given up', async () => {
    const { store, originals = originalsInDatabase } = await openTarget('store')
    const original = { workspaceId: acme, sha256: Buffer.alloc(32, 1), bytes: Buffer.from('one') }
    await originals.put(store.db, original, testNow)
    const age = (minutes: number) =>
      store.pool.query(`update original_object set staged_at = now() - make_interval(mins => ${minutes})`)
    await age(14)
    await renewStaged(store.db, acme)
    expect(await giveUpStaged(store.db, 9)).toBe(0)
    await age(14)
    await renewStaged(store.db, scene.workspaces[1].id)
    expect(await giveUpStaged(store.db, 9)).toBe(1)
  })
})
