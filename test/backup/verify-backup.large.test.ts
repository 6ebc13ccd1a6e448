import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKeyText } from '../../src/platform/sealing/key-ring.ts'
import { BucketScene, nextSbom } from '../originals/bucket-scene.ts'
import { testNow } from '../support/clock.ts'
import { hasPooler, poolerNote, startPooler } from '../support/pooler.ts'
import { urlAs, type Environment } from './run-verify.ts'
import { bytesOf, signedAgain, tableIn, type Frame } from './signed-again.ts'
import { VerifyScene } from './verify-scene.ts'
import { fieldOf } from '../support/read-as.ts'

let scene: VerifyScene

beforeAll(async () => {
  scene = await VerifyScene.open()
}, 240_000)
afterAll(() => scene.close())

async function damaged(name: string, change: (backup: Buffer) => Buffer): Promise<string> {
  await writeFile(scene.fileOf(name), change(await readFile(scene.fileOf('whole.gz'))))
  return name
}

describe('a backup that is checked', () => {
  it('is whole: every table, row and event is there, nothing is left, and the metric knows', async () => {
    const { code, report, said } = await scene.verify(scene.asMay(), 'whole.gz')
    expect(said).not.toContain('not recorded')
    expect(report, said).toMatchObject({ isWhole: true, problems: [] })
    expect(code).toBe(0)
    expect(report?.rows).toBeGreaterThan(50)
    expect(report?.tables).toBeGreaterThan(80)
    expect(report).toMatchObject({
      auditTrail: { waiting: 0 },
      originals: { inObjectStore: 0, lookedFor: false },
    })
    expect(await scene.scratchDatabases()).toEqual([])
    const { rows } = await scene.source.pool.query('SELECT backup_at FROM verified_backup')
    expect(rows).toEqual([{ backup_at: testNow }])
  })

  const withoutTable = (name: string) => (frames: Frame[]) => {
    const { from, to } = tableIn(frames, name)
    return frames.toSpliced(from, to - from + 1)
  }
  const changedEnd = (name: string, change: (rows: number) => number) => (frames: Frame[]) => {
    const { to } = tableIn(frames, name)
    const rows = Number(fieldOf(JSON.parse(frames[to]?.payload.toString() ?? ''), 'rows'))
    return frames.toSpliced(to, 1, {
      kind: 'E',
      payload: Buffer.from(JSON.stringify({ rows: change(rows) })),
    })
  }
  const cases: [string, (backup: Buffer) => Buffer, RegExp][] = [
    [
      'a byte changed in the middle',
      (backup) => flip(backup),
      /damaged|SHA-256|not a backup|not in the order/,
    ],
    [
      'one bit of a row changed',
      (backup) => {
        const bytes = gunzipSync(backup)
        return gzipSync(flip(bytes, bytes.indexOf('acme.example')))
      },
      /SHA-256 is not the one that it states/,
    ],
    ['the end cut off', (backup) => backup.subarray(0, -100), /was cut short, or is damaged/],
    ['another kind of file', () => gzipSync('{"bomFormat":"CycloneDX"}'), /not a backup of this service/],
    ['no gzip', () => Buffer.from('precious'), /is not a backup/],
    [
      'the archive of a workspace',
      (backup) =>
        signedAgain(backup, ([head, ...frames]) => [
          { kind: head?.kind ?? '', payload: Buffer.from('{"format":"sbom-monitor-workspace"}') },
          ...frames,
        ]),
      /^The file holds one workspace: use "workspace import"\.$/,
    ],
    [
      'a frame of rows removed',
      (backup) =>
        signedAgain(backup, (frames) => frames.toSpliced(tableIn(frames, 'component_identity').from + 1, 1)),
      /^The rows cannot be restored: .* \(22\w+\)\.$|came to \d+ rows/,
    ],
    [
      'rows that the server refuses while many more are on their way',
      (backup) =>
        signedAgain(backup, (frames) => {
          const { from } = tableIn(frames, 'component_identity')
          const junk = () => ({ kind: 'D', payload: randomBytes(8_000) })
          return frames.toSpliced(from + 1, 1, ...Array.from({ length: 1_000 }, junk))
        }),
      /^The rows cannot be restored: .* \(22\w+\)\.$/,
    ],
    [
      'a table removed',
      (backup) => signedAgain(backup, withoutTable('token_use')),
      /^Table token_use: the file does not have it\.$/,
    ],
    [
      'a table removed that others refer to',
      (backup) => signedAgain(backup, withoutTable('workspace')),
      /^The rows cannot be restored: .*foreign key.* \(23503\)\.$/,
    ],
    [
      'a count that is not that of its rows',
      (backup) =>
        signedAgain(
          backup,
          changedEnd('token', (rows) => rows + 1),
        ),
      /^Table token came to \d+ rows; the backup names \d+\.$/,
    ],
  ]
  it.each(cases)('with %s is named, and ends with 1', async (what, change, words) => {
    const name = await damaged(`${what.replaceAll(' ', '-')}.gz`, change)
    const { code, report, said } = await scene.verify(scene.asMay(), name)
    expect(report?.problems, said).toEqual([expect.stringMatching(words)])
    expect(said).toContain(report?.problems[0])
    expect(said).not.toMatch(/\n\s+at /)
    expect(report?.isWhole).toBe(false)
    expect(code).toBe(1)
    expect(await scene.scratchDatabases()).toEqual([])
  })

  it('whose audit trail was changed before is named', async () => {
    await scene.source.pool.query(
      `ALTER TABLE audit_event DISABLE TRIGGER USER;
       UPDATE audit_event SET action = 'other' WHERE id = (SELECT min(event_id) FROM audit_link);
       ALTER TABLE audit_event ENABLE TRIGGER USER`,
    )
    await scene.backUp('trail.gz')
    const { code, report, said } = await scene.verify(scene.asMay(), 'trail.gz')
    expect(report?.problems, said).toEqual([
      expect.stringMatching(/^The audit trail of .* is not whole: changed, position \d+\.$/),
    ])
    expect(code).toBe(1)
  })

  it('is not tried where nothing can be said of it, in words', async () => {
    const refused = async (env: Environment, file: string) => {
      const { code, report, said } = await scene.verify(env, file)
      expect(report).toBeNull()
      expect(code, said).toBe(2)
      expect(said).not.toMatch(/\n\s+at /)
      return said
    }
    expect(await refused(scene.asMay(), 'no-such-file.gz')).toContain(
      'no-such-file.gz cannot be read (ENOENT)',
    )
    const later = bytesOf({
      kind: 'H',
      payload: Buffer.from(
        JSON.stringify({ format: 'sbom-monitor-backup', formatVersion: 2, migrations: [] }),
      ),
    })
    await writeFile(scene.fileOf('later.gz'), gzipSync(later))
    expect(await refused(scene.asMay(), 'later.gz')).toContain('this program reads format 1')
    const asMayNot = { DATABASE_URL: urlAs(scene.roles.mayNot, scene.source) }
    expect(await refused(asMayNot, 'whole.gz')).toContain(
      'The role of DATABASE_URL may not create databases, and a scratch one is needed beside its own: ALTER ROLE … CREATEDB',
    )
    expect(await scene.scratchDatabases()).toEqual([])
  })
})

function flip(bytes: Buffer, at = Math.floor(bytes.length / 2)): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

describe.skipIf(!hasPooler)(`a check behind PgBouncer in transaction mode${poolerNote}`, () => {
  it('asks for the server itself, and takes it from DATABASE_LISTEN_URL', async () => {
    const direct = urlAs(scene.roles.may, scene.source)
    const pooler = await startPooler({ server: { connectionString: direct }, mode: 'transaction' })
    try {
      const env = { DATABASE_URL: pooler.url(scene.source.name), DATABASE_POOLER: 'transaction' }
      const refused = await scene.verify(env, 'whole.gz')
      expect(refused.code).toBe(2)
      expect(refused.said).toContain('name the server itself in DATABASE_LISTEN_URL, or in DATABASE_URL')
      const checked = await scene.verify({ ...env, DATABASE_LISTEN_URL: direct }, 'whole.gz')
      expect(checked.report, checked.said).toMatchObject({ isWhole: true })
      expect(await scene.scratchDatabases()).toEqual([])
    } finally {
      await pooler.close()
    }
  })
})

describe('originals in an object store', () => {
  let bucket: BucketScene
  beforeAll(async () => {
    bucket = await BucketScene.open()
  })
  afterAll(() => bucket.close())

  it('are looked for: one that is lost is a problem, one that was erased since is not', async () => {
    const { database } = bucket.scene
    const erased = await bucket.sent(nextSbom())
    const lost = await bucket.sent(nextSbom())
    await bucket.sent(nextSbom())
    await scene.backUp('bucket.gz', database)
    const keys = { ENCRYPTION_KEYS: newKeyText() }
    const own = { DATABASE_URL: urlAs(scene.roles.may, database), ...keys }
    const env = { ...own, ...bucket.bucket.env }
    const whole = await scene.verify(env, 'bucket.gz')
    const found = { inObjectStore: 3, lookedFor: true, missing: 0, erasedSince: 0 }
    expect(whole.report, whole.said).toMatchObject({ isWhole: true, originals: found })

    bucket.bucket.objects.delete(await bucket.keyOf(erased.id))
    await bucket.db.deleteFrom('sbom').where('id', '=', erased.id).execute()
    const since = await scene.verify(env, 'bucket.gz')
    expect(since.report, since.said).toMatchObject({
      isWhole: true,
      originals: { ...found, erasedSince: 1 },
    })
    expect(since.said).toContain('1 of 3 originals were erased after the backup: a restore lacks them.')

    bucket.bucket.objects.delete(await bucket.keyOf(lost.id))
    const less = await scene.verify(env, 'bucket.gz')
    expect(less.report?.problems, less.said).toEqual(['1 of 3 originals are not in the object store.'])
    expect(less.code).toBe(1)

    let asked = 0
    bucket.bucket.fate = (method) => (method === 'HEAD' && (asked += 1) > 1 ? 403 : undefined)
    const refused = await scene.verify(env, 'bucket.gz')
    bucket.bucket.heal()
    expect(refused.report, refused.said).toMatchObject({
      isWhole: false,
      originals: { inObjectStore: 3, lookedFor: false },
    })

    const untold = await scene.verify(own, 'bucket.gz')
    expect(untold.report).toMatchObject({ isWhole: true, originals: { inObjectStore: 3, lookedFor: false } })
    expect(untold.said).toContain(
      '3 originals lie in an object store and were not looked for: OBJECT_STORE_URL is not set.',
    )
  })
})
