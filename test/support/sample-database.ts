import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { importDeps } from '../vulndata/support.ts'
import { testNow } from './clock.ts'
import { askForServer, createTestDatabase, type TestDatabase } from './database.ts'

const records = resolve('../shared/data/osv')
/** First key of the advisory lock under which the records are imported. */
const samplesLock = 1_953_719_669

/** A database with all sample records of OSV, or none where they are not beside the project. The first test file of a run that asks imports them, the others wait and get copies. */
export async function createSampleDatabase(): Promise<TestDatabase> {
  const server = await askForServer()
  const template = `${server.prefix}samples`
  const session = new pg.Client(server.connection)
  await session.connect()
  try {
    await session.query('SELECT pg_advisory_lock($1, hashtext($2))', [samplesLock, template])
    const { rowCount } = await session.query('SELECT FROM pg_database WHERE datname = $1', [template])
    if (rowCount === 0) await importInto(session, template)
  } finally {
    await session.end()
  }
  return createTestDatabase({ template })
}

/** With statistics, without which plans for so many records take several times as long. A database with sessions cannot be copied: a pooler keeps some. */
async function importInto(session: pg.Client, template: string): Promise<void> {
  const { name, db, pool } = await createTestDatabase({ isNew: true })
  if (existsSync(records)) await importVulnerabilityData(importDeps(db), { from: records, now: testNow })
  await pool.query('VACUUM ANALYZE')
  await pool.end()
  await session.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await session.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [
    name,
  ])
  await session.query(`ALTER DATABASE ${name} RENAME TO ${template}`)
}
