import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import pino from 'pino'
import { exportComponents } from '../src/contract/export-operations.ts'
import { searchWorkspace } from '../src/contract/inventory/operations.ts'
import { getMetrics } from '../src/contract/metrics/operations.ts'
import type { SbomReceipt } from '../src/contract/sbom/shapes.ts'
import type { Db } from '../src/database/connection.ts'
import type { Tables } from '../src/database/tables.ts'
import { createPool, createQueries } from '../src/platform/postgres/pool.ts'
import { readsOfPrimary, type Reads } from '../src/platform/postgres/replica/reads.ts'
import { Replica } from '../src/platform/postgres/replica/replica.ts'
import { migrate } from '../src/schema/migrate.ts'
import { canReplicate, openServerGroup, serviceRole } from '../test/reliability/scenarios/server-group.ts'
import { AppSession } from '../test/support/app-session.ts'
import { drain } from '../test/support/drain.ts'
import { call, startTestHttp } from '../test/support/http.ts'
import { sampleSbom } from '../test/support/sample-sbom.ts'
import { createScene, type TestWorkspace } from '../test/support/scene.ts'
import { cpuTimes } from './cpu.ts'
import { report, round, say } from './report.ts'

const components = 20_000
const rounds = 20
const now = new Date('2026-01-01T00:00:00Z')
const log = pino({ level: 'silent' })

/** Processor time of the primary for searches, metrics and files, without a standby and with one that they are read on. */
export async function benchReplica(): Promise<void> {
  if (!canReplicate) {
    say('replica: skipped, there is no pg_basebackup (POSTGRES_BIN_DIR)')
    return
  }
  const group = await openServerGroup()
  try {
    const primary = await group.startPrimary()
    const urlOf = ({ port, database }: { port: number; database: string }) =>
      `postgresql://${serviceRole}@127.0.0.1:${port}/${database}`
    const connection = { connectionString: urlOf(primary) }
    await migrate(connection, join(import.meta.dirname, '../database/migrations'))
    const db: Db = createQueries<Tables>(createPool(connection, { max: 8, applicationName: 'bench', log }))
    const sql = new pg.Client(connection)
    await sql.connect()
    const [acme] = await createScene(db, { plan: 'plus' })
    const sbom = await uploadSbom({ db, connection, acme })
    await sql.query('analyze')
    const standby = await group.addStandby(primary)
    const options = { primary: connection, url: urlOf(standby), poolSize: 8, role: 'bench', log }
    const replica = new Replica(db, { ...options, observe: () => undefined })
    const cost = async (reads: Reads) => {
      const http = await startTestHttp({ database: { connection, db }, now: () => now, reads })
      const session = await AppSession.signIn(http.url, acme.members.owner)
      await readAll(session, sbom)
      const before = await cpuTimes({ service: noService, sql })
      for (let count = 0; count < rounds; count += 1) await readAll(session, sbom)
      const after = await cpuTimes({ service: noService, sql })
      await http.stop()
      return (after.store - before.store) / rounds
    }
    const alone = await cost(readsOfPrimary(db))
    const moved = await cost(replica)
    const detail = { aloneMs: round(alone), withStandbyMs: round(moved), components }
    report({
      figure: 'reads_moved_to_standby',
      value: (1 - moved / alone) * 100,
      unit: '%',
      runs: rounds,
      detail,
    })
    await replica.close()
    await sql.end()
    await db.destroy()
  } finally {
    await group.close()
  }
}

const noService = { pid: () => 0 } as Parameters<typeof cpuTimes>[0]['service']

type Filling = { db: Db; connection: { connectionString: string }; acme: TestWorkspace }

async function uploadSbom({ db, connection, acme }: Filling): Promise<string> {
  const http = await startTestHttp({ database: { connection, db }, now: () => now })
  const sent = await call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: acme.families[0]?.upload ?? '',
    body: gzipSync(sampleSbom({ components, serial: 1, version: '1.0' })),
  })
  await drain(db, now)
  await http.stop()
  return (sent.body as SbomReceipt).id
}

/** A search, the metrics and a file, with everything that the requests ask of the primary themselves. */
async function readAll(session: AppSession, sbom: string): Promise<void> {
  await session.call(searchWorkspace, { query: { q: 'lib' } })
  await session.call(getMetrics)
  const file = await session.open(exportComponents, { params: { sbom }, query: { format: 'csv' } })
  await file.body.text()
}
