import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../../src/schema/migrate.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { checkoutDir } from '../support/test-server.ts'

const realFolder = join(checkoutDir, 'database', 'migrations')

describe('migrate', () => {
  let database: TestDatabase
  let folder: string
  beforeEach(async () => {
    database = await createEmptyDatabase()
    folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  })
  afterEach(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const write = (file: string, text: string) => writeFile(join(folder, file), text)
  const run = () => migrate(database.connection, folder)
  const appliedNames = async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      'SELECT name FROM schema_migration ORDER BY version',
    )
    return rows.map((row) => row.name)
  }

  it('installs the real schema, and finds nothing to do the second time', async () => {
    const first = await migrate(database.connection, realFolder)
    expect(first.applied).toHaveLength(first.version)
    expect(first.applied[0]).toBe('0001_workspaces')
    expect(await migrate(database.connection, realFolder)).toEqual({ applied: [], version: first.version })
  })

  it('installs once when several processes start together', async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => migrate(database.connection, realFolder)))
    const changed = results.filter((result) => result.applied.length > 0)
    expect(changed).toHaveLength(1)
    expect(new Set(results.map((result) => result.version)).size).toBe(1)
  })

  it('applies only what is new', async () => {
    await write('0001_first.sql', 'CREATE TABLE first (id int)')
    expect(await run()).toEqual({ applied: ['0001_first'], version: 1 })
    await write('0002_second.sql', 'CREATE TABLE second (id int); INSERT INTO second VALUES (2)')
    expect(await run()).toEqual({ applied: ['0002_second'], version: 2 })
    expect(await appliedNames()).toEqual(['first', 'second'])
  })

  it('says so when the role may not create tables', async () => {
    const { pool, name } = database
    await pool.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC, CURRENT_USER, pg_database_owner')
    const { rows } = await pool.query<{ superuser: string }>(
      `SELECT current_setting('is_superuser') AS superuser`,
    )
    // A superuser, as the role of TEST_DATABASE_URL may be, cannot lose rights: its sessions switch to a role that has none.
    if (rows[0]?.superuser === 'on') await pool.query(`ALTER DATABASE ${name} SET role = pg_monitor`)
    await expect(run()).rejects.toMatchObject({ code: 'not_allowed' })
    await expect(run()).rejects.toThrow('make it the owner of the database')
  })

  it('refuses a database newer than the code, and changes nothing in it', async () => {
    await write('0001_first.sql', 'CREATE TABLE first (id int)')
    await write('0002_second.sql', 'CREATE TABLE second (id int)')
    await run()
    await rm(join(folder, '0002_second.sql'))
    await expect(run()).rejects.toMatchObject({ code: 'database_newer' })
    expect(await appliedNames()).toEqual(['first', 'second'])
  })

  it('refuses a file that was changed after it was applied, but not its line ends', async () => {
    await write('0001_first.sql', 'CREATE TABLE first (\n  id int\n)')
    await run()
    await write('0001_first.sql', 'CREATE TABLE first (\r\n  id int\r\n)')
    expect(await run()).toEqual({ applied: [], version: 1 })
    await write('0001_first.sql', 'CREATE TABLE first (id bigint)')
    await expect(run()).rejects.toMatchObject({ code: 'file_changed' })
  })

  it('keeps the steps before a failing one and nothing of that one', async () => {
    await write('0001_first.sql', 'CREATE TABLE first (id int)')
    await write('0002_second.sql', 'CREATE TABLE second (id int); SELECT 1 / 0')
    await write('0003_third.sql', 'CREATE TABLE third (id int)')
    await expect(run()).rejects.toThrow('0002_second')
    expect(await appliedNames()).toEqual(['first'])
    const { rows } = await database.pool.query<{ gone: boolean }>(
      `SELECT to_regclass('second') IS NULL AS gone`,
    )
    expect(rows).toEqual([{ gone: true }])
    await write('0002_second.sql', 'CREATE TABLE second (id int)')
    expect(await run()).toEqual({ applied: ['0002_second', '0003_third'], version: 3 })
  })

  it('says that a database with tables of another program is the wrong one', async () => {
    await database.pool.query('CREATE TABLE first (other text)')
    await write('0001_first.sql', 'CREATE TABLE first (id int)')
    await expect(run()).rejects.toThrow(
      'Migration 0001_first failed: relation "first" already exists. Another program made it: name a database that holds nothing else.',
    )
  })

  it('refuses a file that ends its own transaction', async () => {
    await write('0001_first.sql', 'CREATE TABLE first (id int); COMMIT')
    await expect(run()).rejects.toMatchObject({ code: 'step_failed' })
  })

  it.each([
    ['a gap', ['0001_first.sql', '0003_third.sql']],
    ['a number twice', ['0001_first.sql', '0001_other.sql']],
    ['a start other than 1', ['0002_second.sql']],
    ['a name of another form', ['0001_first.sql', '2_second.sql']],
    ['another kind of file', ['0001_first.sql', '0002_second.sql.orig']],
  ])('refuses a folder with %s', async (_, files) => {
    for (const file of files) await write(file, 'SELECT 1')
    await expect(run()).rejects.toMatchObject({ code: 'files_invalid' })
  })
})
