import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareRestored } from '../../src/backup/compare-restored.ts'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { writeBackup } from '../../src/backup/write-backup.ts'
import { dumpSchema } from '../../src/schema/dump-schema.ts'
import { migrate } from '../../src/schema/migrate.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { checkoutDir } from '../support/test-server.ts'
import { importDeps } from '../vulndata/support.ts'
import { digestTables } from './table-rows.ts'
import { testNow } from '../support/clock.ts'
import { textWith } from '../support/expected.ts'

const migrationsFolder = join(checkoutDir, 'database/migrations')
const onProgress = () => undefined
const sample = () => readFile(join(checkoutDir, 'demo/sample.cdx.json'))

let folder: string
let source: TestDatabase
let acme: TestWorkspace
const targets: TestDatabase[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'))
  source = await createTestDatabase()
  ;[acme] = await createScene(source.db)
  const from = join(checkoutDir, 'demo/vulnerabilities.ndjson')
  await importVulnerabilityData(importDeps(source.db), { from, now: testNow })
  expect(await upload(source, await sample())).toMatchObject({ status: 202 })
  await drain(source.db, testNow)
  await backUp('whole.gz')
})

afterAll(async () => {
  await Promise.all([source, ...targets].map((database) => database.drop()))
  await rm(folder, { recursive: true })
})

async function upload(database: TestDatabase, body: Buffer) {
  const http = await startTestHttp({ database, now: () => testNow })
  try {
    return await call(`${http.url}/api/v1/sboms`, {
      method: 'POST',
      token: acme.families[0]?.upload ?? '',
      body,
    })
  } finally {
    await http.stop()
  }
}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase()
  targets.push(database)
  return database
}

const fileOf = (name: string) => join(folder, name)

const backUp = (name: string, from = source) =>
  writeBackup(from.connection, { file: fileOf(name), now: testNow, onProgress })

const restore = (name: string, to: TestDatabase) =>
  restoreBackup(to.direct, { file: fileOf(name), migrationsFolder, onProgress })

async function tablesOf({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query(`SELECT FROM pg_tables WHERE schemaname = current_schema()`)
  return rows.length
}

/** The backup, inflated, with some bytes changed. */
async function damaged(name: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  const bytes = gunzipSync(await readFile(fileOf('whole.gz')))
  await writeFile(fileOf(name), gzipSync(change(bytes)))
  return name
}

async function schemaOf({ connection }: TestDatabase): Promise<string> {
  const session = new pg.Client(connection)
  await session.connect()
  try {
    return await dumpSchema(session)
  } finally {
    await session.end()
  }
}

describe('a backup', () => {
  it('of a table that somebody has locked is given up, and leaves no file', async () => {
    const other = new pg.Client(source.direct)
    await other.connect()
    await other.query('BEGIN; LOCK TABLE finding')
    await expect(backUp('locked.gz')).rejects.toMatchObject({ code: '55P03' })
    await other.end()
    expect((await readdir(folder)).filter((name) => name.startsWith('locked'))).toEqual([])
  })
})

describe('a restored backup', () => {
  it('holds every row, and the same schema with its references and indexes', async () => {
    const target = await emptyDatabase()
    const before = await digestTables(source.pool)
    const { rows, tables } = await restore('whole.gz', target)
    expect(await digestTables(target.pool)).toEqual(before)
    expect(await schemaOf(target)).toBe(await schemaOf(source))
    expect(Object.fromEntries(tables)).toEqual(
      Object.fromEntries(Object.entries(before).map(([name, table]) => [name, table.rows])),
    )
    expect(rows).toBeGreaterThan(100)
    expect(before['finding']?.rows).toBeGreaterThan(0)
  })

  it('goes on as the old store: tokens work, known files are known, new ones get new numbers', async () => {
    const target = await emptyDatabase()
    await restore('whole.gz', target)
    const known = await upload(target, await sample())
    expect(known).toMatchObject({ status: 200, body: { duplicate: true, status: 'matched' } })
    expect(await upload(target, sampleSbom({ components: 5, serial: 7 }))).toMatchObject({ status: 202 })
    await drain(target.db, testNow)
  })

  it('of an older program is migrated to the schema of this one', async () => {
    const old = await emptyDatabase()
    await migrate(old.connection, migrationsFolder, { upTo: 1 })
    await old.pool.query(
      `INSERT INTO person (id, email, name, created_at) VALUES (gen_random_uuid(), 'o@example.com', 'O', now())`,
    )
    await backUp('old.gz', old)
    const target = await emptyDatabase()
    await restore('old.gz', target)
    expect(await schemaOf(target)).toBe(await schemaOf(source))
    const { rows } = await target.pool.query('SELECT email FROM person')
    expect(rows).toEqual([{ email: 'o@example.com' }])
  })

  it('may go into a database that was migrated and never used', async () => {
    const target = await emptyDatabase()
    await migrate(target.direct, migrationsFolder)
    await restore('whole.gz', target)
    expect(await digestTables(target.pool)).toEqual(await digestTables(source.pool))
  })
})

describe('a restored backup that is compared with what the file says', () => {
  const compared = async (change: string) => {
    const target = await emptyDatabase()
    const problems: string[] = []
    await restoreBackup(target.direct, {
      file: fileOf('whole.gz'),
      migrationsFolder,
      onProgress,
      inspect: async (session, summary) => {
        await session.query(change)
        problems.push(...(await compareRestored({ session, summary, onProgress })))
      },
    })
    return problems
  }

  it('differs in nothing', async () => {
    expect(await compared('')).toEqual([])
  })

  it('differs in a row too few, a table too many and numbers that are taken', async () => {
    const change = `DELETE FROM token_use WHERE ctid = (SELECT ctid FROM token_use LIMIT 1); CREATE TABLE later (n int);
      SELECT setval(pg_get_serial_sequence('audit_event', 'id'), 1)`
    expect(await compared(change)).toEqual([
      expect.stringMatching(/^Table audit_event, numbers of id: they have come to 1, the file names \d+\.$/),
      expect.stringMatching(/^Table audit_event, numbers of id: the next one is 2, and \d+ is taken\.$/),
      'Table later: the file does not have it.',
      expect.stringMatching(/^Table token_use: \d+ rows are there, the file names \d+\.$/),
    ])
  })
})

describe('a backup', () => {
  it('is of one moment, while others write', async () => {
    const busy = await emptyDatabase()
    await migrate(busy.connection, migrationsFolder)
    await busy.pool.query('CREATE TABLE tick_a (n int); CREATE TABLE tick_z (n int)')
    const over = new AbortController()
    const writing = (async () => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        await busy.pool.query(`WITH a AS (INSERT INTO tick_a VALUES ($1)) INSERT INTO tick_z VALUES ($1)`, [
          n,
        ])
      }
    })()
    const { tables } = await backUp('busy.gz', busy)
    over.abort()
    await writing
    expect(tables.get('tick_a')).toBe(tables.get('tick_z'))
  })

  it('can be read by its owner only, and leaves nothing else in the folder', async () => {
    await backUp('private.gz')
    expect((await stat(fileOf('private.gz'))).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([])
  })

  it('never replaces a file', async () => {
    await writeFile(fileOf('taken.gz'), 'precious')
    await expect(backUp('taken.gz')).rejects.toMatchObject({ code: 'file_unusable' })
    expect(await readFile(fileOf('taken.gz'), 'utf8')).toBe('precious')
  })

  it.each(['no/such', 'whole.gz'])('says when %s is no folder to write to', async (folderOf) => {
    await expect(backUp(`${folderOf}/folder.gz`)).rejects.toMatchObject({
      code: 'file_unusable',
      message: textWith(`Make the folder ${fileOf(folderOf)}, or name another one.`),
    })
  })

  it('of a database the service never used is refused', async () => {
    await expect(backUp('nothing.gz', await emptyDatabase())).rejects.toMatchObject({
      code: 'database_empty',
    })
  })
})

describe('a restore is refused before anything is written', () => {
  let target: TestDatabase
  beforeAll(async () => {
    target = await emptyDatabase()
  })

  const damages: [string, (bytes: Buffer) => Buffer, string][] = [
    ['one bit of a row changed', (bytes) => flip(bytes, Math.floor(bytes.length / 2)), 'file_damaged'],
    ['the last byte missing', (bytes) => bytes.subarray(0, -1), 'file_damaged'],
    ['the last record missing', (bytes) => bytes.subarray(0, bytes.lastIndexOf('F\0\0\0')), 'file_damaged'],
    ['more behind the last record', (bytes) => Buffer.concat([bytes, bytes]), 'file_damaged'],
    [
      'a record longer than any',
      (bytes) => Buffer.concat([bytes.subarray(0, 1), Buffer.from('ffffffff', 'hex')]),
      'file_damaged',
    ],
    ['nothing in it', () => Buffer.alloc(0), 'file_damaged'],
    ['another kind of file', () => Buffer.from('{"bomFormat":"CycloneDX"}'), 'file_damaged'],
    ['a header of something else', () => frame('H', { format: 'other' }), 'file_damaged'],
    [
      'a later format',
      () => frame('H', { format: 'sbom-monitor-backup', formatVersion: 2, migrations: [] }),
      'schema_unknown',
    ],
  ]
  it.each(damages)('a file with %s', async (what, change, code) => {
    const name = await damaged(`${what}.gz`, change)
    await expect(restore(name, target)).rejects.toMatchObject({ code })
    expect(await tablesOf(target)).toBe(0)
  })

  it('a file cut short by the disk', async () => {
    await writeFile(fileOf('short.gz'), await readFile(fileOf('whole.gz')))
    const { size } = await stat(fileOf('short.gz'))
    await truncate(fileOf('short.gz'), size - 100)
    await expect(restore('short.gz', target)).rejects.toMatchObject({ code: 'file_damaged' })
    expect(await tablesOf(target)).toBe(0)
  })

  it('a file that is not there, or a folder', async () => {
    await expect(restore('missing.gz', target)).rejects.toMatchObject({ code: 'file_unusable' })
    await expect(restore('.', target)).rejects.toMatchObject({ code: 'file_unusable' })
  })

  it('a backup of a newer release', async () => {
    const newer = await emptyDatabase()
    await migrate(newer.connection, migrationsFolder)
    await newer.pool.query(
      `INSERT INTO schema_migration SELECT max(version) + 1, 'later', 'x', now() FROM schema_migration`,
    )
    await backUp('newer.gz', newer)
    await expect(restore('newer.gz', target)).rejects.toMatchObject({ code: 'schema_unknown' })
    expect(await tablesOf(target)).toBe(0)
  })

  it('a database with rows, or with tables of something else', async () => {
    const before = await digestTables(source.pool)
    await expect(restore('whole.gz', source)).rejects.toMatchObject({ code: 'database_not_empty' })
    expect(await digestTables(source.pool)).toEqual(before)
    const foreign = await emptyDatabase()
    await foreign.pool.query('CREATE TABLE invoice (id int)')
    await expect(restore('whole.gz', foreign)).rejects.toMatchObject({ code: 'database_not_empty' })
  })

  it('a database that a process has open', async () => {
    const open = await emptyDatabase()
    await open.pool.query('SELECT 1')
    await expect(restore('whole.gz', open)).rejects.toMatchObject({ code: 'database_in_use' })
    expect(await tablesOf(open)).toBe(0)
  })
})

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

function frame(kind: string, value: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(value))
  const head = Buffer.alloc(5)
  head.write(kind)
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}
