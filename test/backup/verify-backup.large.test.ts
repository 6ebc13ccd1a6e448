import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg, { type PoolConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainEvents } from '../../src/audit/chain-events.ts'
import { writeBackup } from '../../src/backup/write-backup.ts'
import { newKeyText } from '../../src/platform/sealing/key-ring.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { BucketScene, nextSbom } from '../originals/bucket-scene.ts'
import { testNow } from '../support/clock.ts'
import { askForServer, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp } from '../support/http.ts'
import { hasPooler, poolerNote, startPooler } from '../support/pooler.ts'
import { layStore } from '../support/prepared-store.ts'
import { createScene } from '../support/scene.ts'
import { startService } from '../support/service.ts'
import { checkoutDir, onDatabase } from '../support/test-server.ts'
import { importDeps } from '../vulndata/support.ts'
import { startVerifying, urlAs, type Environment } from './run-verify.ts'
import { bytesOf, signedAgain, tableIn, type Frame } from './signed-again.ts'

const onProgress = () => undefined
/** What a run leaves behind or does not: databases of the server. */
const scratch = 'sbom_monitor_verify_'
const suffix = randomBytes(4).toString('hex')
/** May create databases, and what the service's role may. */
const roles = { may: `verify_may_${suffix}`, mayNot: `verify_may_not_${suffix}` }

let folder: string
let source: TestDatabase
let admin: pg.Client

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'))
  // started by root, the embedded server runs under another account
  await chmod(folder, 0o755)
  const server = await askForServer()
  admin = new pg.Client(server.connection)
  await admin.connect()
  await createRoles(server.directConnection)
  source = await createTestDatabase()
  const [acme] = await createScene(source.db)
  const from = join(checkoutDir, 'demo/vulnerabilities.ndjson')
  await importVulnerabilityData(importDeps(source.db), { from, now: testNow })
  const http = await startTestHttp({ database: source, now: () => testNow })
  const body = await readFile(join(checkoutDir, 'demo/sample.cdx.json'))
  const sent = await call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: acme.families[0]?.upload ?? '',
    body,
  })
  expect(sent.status).toBe(202)
  await http.stop()
  await drain(source.db, testNow)
  await chainEvents(source.db)
  await writeBackup(source.connection, { file: fileOf('whole.gz'), now: testNow, onProgress })
}, 240_000)

afterAll(async () => {
  await source.drop()
  for (const role of Object.values(roles)) await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await admin.end()
  await rm(folder, { recursive: true, force: true })
})

async function createRoles(service: PoolConfig): Promise<void> {
  const session = new pg.Client(service)
  await session.connect()
  const { rows } = await session.query<{ role: string }>('SELECT quote_ident(current_user) AS role')
  await session.end()
  const owner = rows[0]?.role ?? ''
  await admin.query(`CREATE ROLE ${roles.may} LOGIN CREATEDB IN ROLE ${owner}`)
  await admin.query(`CREATE ROLE ${roles.mayNot} LOGIN`)
}

const fileOf = (name: string) => join(folder, name)

const asMay = () => ({ DATABASE_URL: urlAs(roles.may, source) })

const start = (env: Environment, file: string) => startVerifying(env, fileOf(file))
const verify = (env: Environment, file: string) => start(env, file).ended

async function scratchDatabases(session = admin): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    'SELECT datname::text AS name FROM pg_database WHERE starts_with(datname, $1) ORDER BY 1',
    [scratch],
  )
  return rows.map(({ name }) => name)
}

async function damaged(name: string, change: (backup: Buffer) => Buffer): Promise<string> {
  await writeFile(fileOf(name), change(await readFile(fileOf('whole.gz'))))
  return name
}

describe('a backup that is checked', () => {
  it('is whole: every table, row and event is there, nothing is left, and the metric knows', async () => {
    const { code, report, said } = await verify(asMay(), 'whole.gz')
    expect(said).not.toContain('not recorded')
    expect(report, said).toMatchObject({ isWhole: true, problems: [] })
    expect(code).toBe(0)
    expect(report?.rows).toBeGreaterThan(50)
    expect(report?.tables).toBeGreaterThan(80)
    expect(report).toMatchObject({
      auditTrail: { waiting: 0 },
      originals: { inObjectStore: 0, lookedFor: false },
    })
    expect(await scratchDatabases()).toEqual([])
    const { rows } = await source.pool.query('SELECT backup_at FROM verified_backup')
    expect(rows).toEqual([{ backup_at: testNow }])
  })

  const withoutTable = (name: string) => (frames: Frame[]) => {
    const { from, to } = tableIn(frames, name)
    return frames.toSpliced(from, to - from + 1)
  }
  const changedEnd = (name: string, change: (end: { rows: number }) => object) => (frames: Frame[]) => {
    const { to } = tableIn(frames, name)
    const end = JSON.parse(frames[to]?.payload.toString() ?? '') as { rows: number }
    return frames.toSpliced(to, 1, { kind: 'E', payload: Buffer.from(JSON.stringify(change(end))) })
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
      /SHA-256 is not the one it names/,
    ],
    ['the end cut off', (backup) => backup.subarray(0, -100), /was cut short, or is damaged/],
    ['another kind of file', () => gzipSync('{"bomFormat":"CycloneDX"}'), /not a backup of this service/],
    ['no gzip', () => Buffer.from('precious'), /is not a backup/],
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
          changedEnd('token', ({ rows }) => ({ rows: rows + 1 })),
        ),
      /^Table token came to \d+ rows; the backup names \d+\.$/,
    ],
  ]
  it.each(cases)('with %s is named, and ends with 1', async (what, change, words) => {
    const name = await damaged(`${what.replaceAll(' ', '-')}.gz`, change)
    const { code, report, said } = await verify(asMay(), name)
    expect(report?.problems, said).toEqual([expect.stringMatching(words)])
    expect(said).toContain(report?.problems[0])
    expect(said).not.toMatch(/\n\s+at /)
    expect(report?.isWhole).toBe(false)
    expect(code).toBe(1)
    expect(await scratchDatabases()).toEqual([])
  })

  it('whose audit trail was changed before is named', async () => {
    await source.pool.query(
      `ALTER TABLE audit_event DISABLE TRIGGER USER;
       UPDATE audit_event SET action = 'other' WHERE id = (SELECT min(event_id) FROM audit_link);
       ALTER TABLE audit_event ENABLE TRIGGER USER`,
    )
    await writeBackup(source.connection, { file: fileOf('trail.gz'), now: testNow, onProgress })
    const { code, report, said } = await verify(asMay(), 'trail.gz')
    expect(report?.problems, said).toEqual([
      expect.stringMatching(/^The audit trail of .* is not whole: changed, position \d+\.$/),
    ])
    expect(code).toBe(1)
  })

  it('is not tried where nothing can be said of it, in words', async () => {
    const refused = async (env: Environment, file: string) => {
      const { code, report, said } = await verify(env, file)
      expect(report).toBeNull()
      expect(code, said).toBe(2)
      expect(said).not.toMatch(/\n\s+at /)
      return said
    }
    expect(await refused(asMay(), 'no-such-file.gz')).toContain('no-such-file.gz cannot be read (ENOENT)')
    const later = bytesOf({
      kind: 'H',
      payload: Buffer.from(
        JSON.stringify({ format: 'sbom-monitor-backup', formatVersion: 2, migrations: [] }),
      ),
    })
    await writeFile(fileOf('later.gz'), gzipSync(later))
    expect(await refused(asMay(), 'later.gz')).toContain('this program reads format 1')
    const asMayNot = { DATABASE_URL: urlAs(roles.mayNot, source) }
    expect(await refused(asMayNot, 'whole.gz')).toContain(
      'The role of DATABASE_URL may not create databases, and a scratch one is needed beside its own: ALTER ROLE … CREATEDB',
    )
    expect(await scratchDatabases()).toEqual([])
  })
})

function flip(bytes: Buffer, at = Math.floor(bytes.length / 2)): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

describe('a check that is ended in the middle', () => {
  /** Starts one and lets it wait for a table in its database that somebody else has locked. */
  async function startAndHold(env: Environment, session = admin, urlOf = scratchUrl) {
    const before = new Set(await scratchDatabases(session))
    const run = start(env, 'whole.gz')
    const own = async () => (await scratchDatabases(session)).find((name) => !before.has(name))
    await expect.poll(own, { timeout: 60_000, interval: 20 }).toBeDefined()
    const name = (await own()) ?? ''
    // the restore has looked whether somebody else is there
    const migrating = async () =>
      (
        await session.query('SELECT FROM pg_stat_activity WHERE datname = $1 AND application_name = $2', [
          name,
          'sbom-monitor migrate',
        ])
      ).rowCount
    await expect.poll(migrating, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0)
    const holder = new pg.Client({ connectionString: urlOf(name) })
    // the check cuts it off
    holder.on('error', () => undefined)
    await holder.connect()
    const isThere = async () =>
      (await holder.query<{ found: boolean }>(`SELECT to_regclass('person') IS NOT NULL AS found`)).rows[0]
        ?.found
    await expect.poll(isThere, { timeout: 60_000, interval: 10 }).toBe(true)
    await holder.query('BEGIN; LOCK TABLE person IN ACCESS EXCLUSIVE MODE')
    const waiting = async () =>
      (await holder.query(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'person'::regclass`))
        .rowCount
    await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0)
    return { ...run, name, holder }
  }
  const scratchUrl = (name: string) => urlAs(roles.may, { direct: onDatabase(source.direct, name) })

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('by %s leaves nothing', async (signal, expected) => {
    const { child, ended, name, holder } = await startAndHold(asMay())
    child.kill(signal)
    const { code, report, said } = await ended
    expect(code, said).toBe(expected)
    expect(report).toBeNull()
    expect(said).not.toMatch(/\n\s+at /)
    expect(await scratchDatabases()).not.toContain(name)
    await holder.end()
  })

  it('by SIGKILL leaves its database to the next one, which drops what is old and unused, and nothing else', async () => {
    const { child, ended, name, holder } = await startAndHold(asMay())
    child.kill('SIGKILL')
    expect((await ended).code).toBeNull()
    await holder.end()
    const old = `${scratch}20200101000000_${suffix}`
    const others = [
      `${scratch}20200102000000_${suffix}`,
      `${scratch}notes_${suffix}`,
      `${scratch}20200101000000_${suffix}_copy`,
    ]
    const [used = ''] = others
    for (const other of others) await admin.query(`CREATE DATABASE ${other}`)
    const user = new pg.Client({ connectionString: scratchUrl(used) })
    await user.connect()
    const left = async () => {
      const { rows } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])
      return rows.length
    }
    try {
      // young: another run may be about to connect
      expect((await verify(asMay(), 'whole.gz')).code).toBe(0)
      expect(await scratchDatabases()).toEqual([...others, name].sort())
      await expect.poll(left, { timeout: 60_000 }).toBe(0)
      await admin.query(`ALTER DATABASE ${name} RENAME TO ${old}`)
      expect((await verify(asMay(), 'whole.gz')).code).toBe(0)
      expect(await scratchDatabases()).toEqual(others.sort())
    } finally {
      await user.end()
      for (const other of [...others, old, name])
        await admin.query(`DROP DATABASE IF EXISTS ${other} WITH (FORCE)`)
    }
  })

  it('two at once keep apart', async () => {
    const both = await Promise.all([verify(asMay(), 'whole.gz'), verify(asMay(), 'whole.gz')])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(await scratchDatabases()).toEqual([])
  })

  it('with the embedded database, beside the service: it goes on, and nothing is left', async () => {
    const env = { DATA_DIR: fileOf('data'), DATABASE_URL: '' }
    await layStore(env.DATA_DIR)
    const service = await startService({ env })
    const { databaseUrl } = await service.cli<{ databaseUrl: string }>(['store'])
    const session = new pg.Client({ connectionString: databaseUrl })
    await session.connect()
    try {
      await service.cli(['backup', fileOf('embedded.gz')])
      const embedded = { ...env, BASE_URL: service.baseUrl }
      const whole = await verify(embedded, 'embedded.gz')
      expect(whole.report, whole.said).toMatchObject({ isWhole: true, problems: [] })
      expect((await session.query('SELECT FROM verified_backup')).rowCount).toBe(1)
      const urlOf = (name: string) =>
        databaseUrl.replace(/^(postgresql:\/\/\/)[^?]+/, (_, begin) => `${String(begin)}${name}`)
      const { child, ended, holder } = await startAndHold(embedded, session, urlOf)
      expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200)
      child.kill('SIGTERM')
      expect((await ended).code).toBe(143)
      expect(await scratchDatabases(session)).toEqual([])
      await holder.end()
    } finally {
      await session.end()
      await service.stop()
    }
  })
})

describe.skipIf(!hasPooler)(`a check behind PgBouncer in transaction mode${poolerNote}`, () => {
  it('asks for the server itself, and takes it from DATABASE_LISTEN_URL', async () => {
    const direct = urlAs(roles.may, source)
    const pooler = await startPooler({ server: { connectionString: direct }, mode: 'transaction' })
    try {
      const env = { DATABASE_URL: pooler.url(source.name), DATABASE_POOLER: 'transaction' }
      const refused = await verify(env, 'whole.gz')
      expect(refused.code).toBe(2)
      expect(refused.said).toContain('name the server itself in DATABASE_LISTEN_URL, or in DATABASE_URL')
      const checked = await verify({ ...env, DATABASE_LISTEN_URL: direct }, 'whole.gz')
      expect(checked.report, checked.said).toMatchObject({ isWhole: true })
      expect(await scratchDatabases()).toEqual([])
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
    await writeBackup(database.connection, { file: fileOf('bucket.gz'), now: testNow, onProgress })
    const keys = { ENCRYPTION_KEYS: newKeyText() }
    const own = { DATABASE_URL: urlAs(roles.may, database), ...keys }
    const env = { ...own, ...bucket.bucket.env }
    const whole = await verify(env, 'bucket.gz')
    const found = { inObjectStore: 3, lookedFor: true, missing: 0, erasedSince: 0 }
    expect(whole.report, whole.said).toMatchObject({ isWhole: true, originals: found })

    bucket.bucket.objects.delete(await bucket.keyOf(erased.id))
    await bucket.db.deleteFrom('sbom').where('id', '=', erased.id).execute()
    const since = await verify(env, 'bucket.gz')
    expect(since.report, since.said).toMatchObject({
      isWhole: true,
      originals: { ...found, erasedSince: 1 },
    })
    expect(since.said).toContain('1 of 3 originals were erased after the backup: a restore lacks them.')

    bucket.bucket.objects.delete(await bucket.keyOf(lost.id))
    const less = await verify(env, 'bucket.gz')
    expect(less.report?.problems, less.said).toEqual(['1 of 3 originals are not in the object store.'])
    expect(less.code).toBe(1)

    const untold = await verify(own, 'bucket.gz')
    expect(untold.report).toMatchObject({ isWhole: true, originals: { inObjectStore: 3, lookedFor: false } })
    expect(untold.said).toContain(
      '3 originals lie in an object store and were not looked for: OBJECT_STORE_URL is not set.',
    )
  })
})
