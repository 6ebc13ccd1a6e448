import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writeBackup } from '../../src/backup/write-backup.ts'
import { sealOf } from '../../src/move/archive.ts'
import { movedSealedColumns } from '../../src/move/sealed.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { testNow } from '../support/clock.ts'
import { S3Server } from '../support/s3-server.ts'
import {
  addVulnerabilityData,
  MoveScene,
  newRing,
  onProgress,
  openInstallation,
  originalsIn,
  type Installation,
} from './move-scene.ts'
import {
  around,
  bytesOf,
  expectNothing,
  firstSbom,
  flip,
  forged,
  framesOf,
  json,
  mebibyte,
  whole,
  type Frame,
} from './forged-archive.ts'
import { textWith } from '../support/expected.ts'
import { listIn, objectIn, textIn } from '../support/read-as.ts'

let scene: MoveScene
let target: Installation

beforeAll(async () => {
  scene = await MoveScene.open()
  target = await openInstallation()
  await addVulnerabilityData(target)
  await scene.export('whole.gz')
})
afterAll(async () => {
  await scene.close()
  await target.store.drop()
})

/** The archive with its bytes changed, by somebody who does not have the key. */
async function damaged(name: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  await writeFile(scene.file(name), gzipSync(change(await whole(scene))))
  return name
}

/** Changes the data of one table. */
const inTable = (table: string, change: (data: Buffer) => Buffer) => (frames: Frame[]) => {
  let name = ''
  return frames.map((frame) => {
    if (frame.kind === 'O') name = 'originals'
    if (frame.kind === 'T') name = textIn(objectIn(frame.payload.toString()), 'name')
    return frame.kind === 'D' && name === table ? { kind: 'D', payload: change(frame.payload) } : frame
  })
}

const inHeader = (more: object) => (frames: Frame[]) =>
  frames.map((frame) =>
    frame.kind === 'H' ? json('H', { ...objectIn(frame.payload.toString()), ...more }) : frame,
  )

function replaced(data: Buffer, from: Buffer, to: Buffer): Buffer {
  const changed = Buffer.from(data)
  for (let at = changed.indexOf(from); at !== -1; at = changed.indexOf(from, at + to.length))
    to.copy(changed, at)
  return changed
}

const idBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

describe('an archive is refused before anything is written', () => {
  const damages: [string, (bytes: Buffer) => Buffer][] = [
    ['one bit of a row changed', (bytes) => flip(bytes, Math.floor(bytes.length / 2))],
    ['the last byte missing', (bytes) => bytes.subarray(0, -1)],
    ['its end missing', (bytes) => bytes.subarray(0, bytes.lastIndexOf('F\0\0\0'))],
    ['more behind its end', (bytes) => Buffer.concat([bytes, bytes])],
    [
      'a record longer than any',
      (bytes) => Buffer.concat([bytes.subarray(0, 1), Buffer.from('ffffffff', 'hex')]),
    ],
    ['nothing in it', () => Buffer.alloc(0)],
    ['another kind of content', () => Buffer.from('{"bomFormat":"CycloneDX"}')],
    ['a header that is no object', () => bytesOf([json('H', null)])],
    ['a seal of somebody else', (bytes) => bytesOf(framesOf(bytes).map(withOtherSeal))],
  ]
  it.each(damages)('with %s', async (what, change) => {
    await expect(scene.import(await damaged(`${what}.gz`, change), target)).rejects.toMatchObject({
      code: 'file_damaged',
    })
    await expectNothing(target)
  })

  it('cut short by the disk, not an archive, or missing', async () => {
    await writeFile(scene.file('short.gz'), (await readFile(scene.file('whole.gz'))).subarray(0, -100))
    await expect(scene.import('short.gz', target)).rejects.toMatchObject({ code: 'file_damaged' })
    await writeFile(scene.file('text'), 'no archive')
    await expect(scene.import('text', target)).rejects.toMatchObject({ code: 'file_damaged' })
    await expect(scene.import('missing.gz', target)).rejects.toMatchObject({ code: 'file_unusable' })
    await expect(scene.import('.', target)).rejects.toMatchObject({ code: 'file_unusable' })
    await expectNothing(target)
  })

  it('with another transport key, in words', async () => {
    await expect(scene.import('whole.gz', target, { transport: newRing() })).rejects.toMatchObject({
      code: 'wrong_key',
      message: textWith('another transport key'),
    })
  })

  it('that is a backup of a whole database', async () => {
    const { connection } = scene.source.store
    await writeBackup(connection, { file: scene.file('backup.gz'), now: testNow, onProgress })
    await expect(scene.import('backup.gz', target)).rejects.toThrow(/use "restore"/)
  })

  it('of a newer and of an older release, and of another program', async () => {
    const migrations = listIn(JSON.parse(String(framesOf(await whole(scene))[0]?.payload)), 'migrations')
    const newer = { migrations: [...migrations, { name: 'later', sha256: 'x' }] }
    await expect(scene.import(await forged(scene, 'newer.gz', inHeader(newer)), target)).rejects.toThrow(
      /archive is newer than the installation/,
    )
    const older = { migrations: migrations.slice(0, -1) }
    await expect(scene.import(await forged(scene, 'older.gz', inHeader(older)), target)).rejects.toThrow(
      /installation is newer than the archive/,
    )
    const other = { migrations: migrations.map(() => ({ name: 'other', sha256: 'x' })) }
    await expect(
      scene.import(await forged(scene, 'other.gz', inHeader(other)), target),
    ).rejects.toMatchObject({
      code: 'schema_differs',
    })
    const format = await forged(scene, 'format.gz', inHeader({ formatVersion: 4 }))
    await expect(scene.import(format, target)).rejects.toThrow(/has format 4/)
    await expectNothing(target)
  })
})

function withOtherSeal(frame: Frame): Frame {
  if (frame.kind !== 'F') return frame
  const sha256 = textIn(objectIn(frame.payload.toString()), 'sha256')
  return json('F', { sha256, seal: sealOf(newRing(), sha256) })
}

const inHead = (more: () => object) => (frames: Frame[]) => {
  const place = firstSbom(frames)
  const head = { ...objectIn(String(frames[place]?.payload)), ...more() }
  return frames.with(place, json('O', head))
}

const asLong = (one: Frame[]) => [...one.slice(0, -1), ...Array<Frame>(51).fill(mebibyte), ...one.slice(-1)]
const spoilt = (frame: Frame) =>
  frame.kind === 'D' ? { kind: 'D', payload: flip(frame.payload, 40) } : frame

const wrongOriginals: Record<string, (frames: Frame[]) => Frame[]> = {
  'of no row': inHead(() => ({ id: scene.workspaces[1].id })),
  'of another table': inHead(() => ({ table: 'member' })),
  'of no table': inHead(() => ({ table: 'sbom; drop table job' })),
  'of another file': inHead(() => ({ sha256: 'ab'.repeat(32) })),
  'of no hash': inHead(() => ({ sha256: 'ab' })),
  'sealed for another': inHead(() => ({ id: scene.workspaces[1].id, table: 'vex_document' })),
  'there twice': around((before, one, after) => [...before, ...one, ...one, ...after]),
  missing: around((before, _one, after) => [...before, ...after]),
  'counted as many': around((before, one, after) => [
    ...before,
    ...one.slice(0, -1),
    json('E', { rows: 1000 }),
    ...after,
  ]),
  empty: around((before, one, after) => [...before, ...one.filter(({ kind }) => kind !== 'D'), ...after]),
  'behind the rows': around((before, one, after) => [...before, ...after, ...one]),
  'longer than any': around((before, one, after) => [...before, ...asLong(one), ...after]),
  changed: around((before, one, after) => [...before, ...one.map(spoilt), ...after]),
}

describe('somebody with the key cannot', () => {
  it('write into another workspace', async () => {
    const [acme, umbrella] = scene.workspaces
    const change = (data: Buffer) => replaced(data, idBytes(acme.id), idBytes(umbrella.id))
    for (const table of ['family', 'finding', 'component', 'audit_event', 'workspace', 'audit_link']) {
      const file = await forged(scene, `stranger-${table}.gz`, inTable(table, change))
      await expect(scene.import(file, target)).rejects.toMatchObject({ code: 'file_damaged' })
    }
    await expectNothing(target)
  })

  it('name a family, an account or a group that did not come', async () => {
    const [acme, umbrella] = scene.workspaces
    const family = idBytes(acme.families[0]?.id ?? '')
    const foreign = idBytes(umbrella.families[0]?.id ?? '')
    const moved = await forged(
      scene,
      'family.gz',
      inTable('component', (data) => replaced(data, family, foreign)),
    )
    await expect(scene.import(moved, target)).rejects.toMatchObject({ code: 'file_damaged' })
    const owner = idBytes(acme.members.owner.id)
    const nobody = idBytes(umbrella.members.owner.id)
    const member = await forged(
      scene,
      'member.gz',
      inTable('member', (data) => replaced(data, owner, nobody)),
    )
    await expect(scene.import(member, target)).rejects.toThrow(/names a "person_id" that is not in it/)
    await expectNothing(target)
  })

  it('change the audit trail', async () => {
    const from = Buffer.from('workspace.created')
    const to = Buffer.from('workspace.creatod')
    const file = await forged(
      scene,
      'trail.gz',
      inTable('audit_event', (data) => replaced(data, from, to)),
    )
    await expect(scene.import(file, target)).rejects.toMatchObject({ code: 'trail_broken' })
    await expectNothing(target)
  })

  it('bring rows that no table has, or an address that none may have', async () => {
    const cut = await forged(
      scene,
      'cut.gz',
      inTable('family', (data) => data.subarray(0, -9)),
    )
    await expect(scene.import(cut, target)).rejects.toMatchObject({ code: 'file_damaged' })
    const shared = { id: scene.workspaces[0].id, companyName: 'x', slugIsPublished: false }
    for (const slug of ['api', "a'b", '../../x', ''])
      await expect(
        scene.import(
          await forged(scene, `slug-${slug.length}.gz`, inHeader({ workspace: { ...shared, slug } })),
          target,
        ),
      ).rejects.toMatchObject({
        code: 'conflict',
        message: textWith('cannot be an address'),
      })
    await expectNothing(target)
  })

  it.each(Object.keys(wrongOriginals))('bring an original that is %s', async (name) => {
    const file = await forged(scene, `original-${name}.gz`, wrongOriginals[name] ?? (() => []))
    await expect(scene.import(file, target)).rejects.toMatchObject({ code: 'file_damaged' })
    await expectNothing(target)
  })

  it.each(['of another file', 'there twice', 'missing'])('have one put that is %s', async (name) => {
    const bucket = await S3Server.start()
    const inBucket = { ...target, originals: originalsIn(bucket, target.sealing) }
    const file = await forged(scene, `put-${name}.gz`, wrongOriginals[name] ?? (() => []))
    await expect(scene.import(file, inBucket)).rejects.toMatchObject({ code: 'file_damaged' })
    await expectNothing(target)
    expect(bucket.keys()).not.toEqual([])
    const { rows } = await sql`select from original_object where state <> 'erasing'`.execute(target.store.db)
    expect(rows).toEqual([])
    await inBucket.originals.store?.close()
    await bucket.stop()
  })

  it('leave a table out, or bring another one', async () => {
    const renamed = (frames: Frame[]) =>
      frames.map((frame) =>
        frame.kind === 'T' && frame.payload.includes('"member"')
          ? json('T', { name: 'session; drop table job', columns: ['id'] })
          : frame,
      )
    await expect(scene.import(await forged(scene, 'tables.gz', renamed), target)).rejects.toMatchObject({
      code: 'file_damaged',
    })
    const none = (frames: Frame[]) => frames.slice(0, 1)
    await expect(scene.import(await forged(scene, 'none.gz', none), target)).rejects.toMatchObject({
      code: 'file_damaged',
    })
    await expectNothing(target)
  })
})

describe('keys', () => {
  it('of the target are needed for what is sealed', async () => {
    const keyless = { store: target.store, sealing: createSealing(null) }
    await expect(scene.import('whole.gz', keyless)).rejects.toMatchObject({
      code: 'wrong_key',
      message: textWith('set ENCRYPTION_KEYS'),
    })
    const other = { store: target.store, sealing: createSealing(newRing()) }
    await expect(scene.import('whole.gz', other)).rejects.toMatchObject({ code: 'not_configured' })
    await expectNothing(target)
  })

  it('of the source are needed to write an archive', async () => {
    const other = { store: scene.source.store, sealing: createSealing(newRing()) }
    await expect(scene.export('unsealed.gz', { from: other })).rejects.toMatchObject({ code: 'wrong_key' })
    expect((await readdir(scene.folder)).filter((name) => name.startsWith('unsealed'))).toEqual([])
  })
})

/** The values sealed at the source, opened. */
async function openedSecrets(): Promise<Buffer[]> {
  const { store, sealing } = scene.source
  const workspaceId = scene.workspaces[0].id
  const opened: Buffer[] = []
  for (const { table, column, purpose } of movedSealedColumns) {
    const { rows } = await sql<{ id: string; sealed: Buffer }>`
      select id, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where workspace_id = ${workspaceId} and ${sql.ref(column)} is not null`.execute(store.db)
    for (const { id, sealed } of rows)
      opened.push(sealing.openBytes({ purpose, workspaceId, rowId: id }, sealed))
  }
  return opened
}

describe('an archive that is written', () => {
  it('can be read by its owner only, and never replaces a file', async () => {
    expect((await stat(scene.file('whole.gz'))).mode & 0o777).toBe(0o600)
    await expect(scene.export('whole.gz')).rejects.toMatchObject({ code: 'file_unusable' })
    await expect(scene.export('no/such/folder.gz')).rejects.toMatchObject({ code: 'file_unusable' })
  })

  it('into a folder that is missing keeps no transaction of the database', async () => {
    await expect(scene.export('no/such/folder.gz')).rejects.toMatchObject({ code: 'file_unusable' })
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and application_name = 'sbom-monitor workspace export'
          -- a pooler keeps the session, and its name until somebody else has it
          and xact_start is not null`.execute(scene.source.store.db)
      expect(rows).toHaveLength(0)
    }, 5_000)
  })

  it('holds no secret of the source in the clear', async () => {
    const bytes = await whole(scene)
    // shorter ones are the mark of the workspace, which is in its other texts too
    const secrets = (await openedSecrets()).filter(({ length }) => length > 20)
    expect(secrets.length).toBeGreaterThan(2)
    expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([])
    expect(bytes.includes('$argon2')).toBe(false)
  })
})
