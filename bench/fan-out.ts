import { join } from 'node:path'
import pg, { type Client } from 'pg'
import pino from 'pino'
import type { Db } from '../src/database/connection.ts'
import type { Tables } from '../src/database/tables.ts'
import { matchPackages } from '../src/findings/changes/match-packages.ts'
import { refreshFamilyFindings } from '../src/findings/refresh/refresh-findings.ts'
import { drainQueue } from '../src/queue/drain-queue.ts'
import type { Tasks } from '../src/queue/run-next.ts'
import { matchIdentities } from '../src/matching/match-identities.ts'
import { createPool, createQueries } from '../src/platform/postgres/pool.ts'
import { migrate } from '../src/schema/migrate.ts'
import { cpuTimes } from './cpu.ts'
import { createStore } from './external-store.ts'
import type { Laboratory } from './laboratory.ts'
import { addIdentities, addProducts, type Identities } from './matching-data.ts'
import { report, say } from './report.ts'

const workspaces = 50
const families = 20
const components = 100
const now = new Date('2026-01-01T00:00:00Z')

type Bench = Pick<Laboratory, 'service'> & { sql: Client; db: Db; queue: Db }

/**
 * One record that is published and one that is changed, to 1 000 families in 50 workspaces, each with one version of 100 components that all of them
 * have: processor time of the database and of the worker together, for each family whose findings change and for each in which they stay.
 */
export async function benchFanOut(laboratory: Laboratory): Promise<void> {
  const store = await createStore(laboratory, 'fan_out')
  const connection = { connectionString: store.url }
  await migrate(connection, join(import.meta.dirname, '../database/migrations'))
  const sql = new pg.Client(connection)
  await sql.connect()
  const options = { max: 4, applicationName: 'bench', log: console }
  const db: Db = createQueries<Tables>(createPool(connection, options))
  const queue: Db = createQueries<Tables>(createPool(connection, { ...options, max: 1, byIndexes: true }))
  const bench = { ...laboratory, sql, db, queue }
  try {
    say('fan-out: storing products')
    const identities = await addIdentities(sql, { count: components, label: 'shared-', affected: 0 })
    for (let number = 0; number < workspaces; number += 1) {
      await addProducts(sql, { identities, families, label: `w${number}`, versions: 1 })
    }
    await matchIdentities(db, identities.ids, { now })
    // what sessions plan in the first round is theirs for the others
    for (const number of [1, 2, 3]) await publish(bench, identities, number)
  } finally {
    await Promise.all([db.destroy(), queue.destroy()])
    await sql.end()
    await store.drop()
  }
}

async function publish(bench: Bench, identities: Identities, number: number): Promise<void> {
  const packageKey = await insertRecord(bench.sql, identities, number)
  await measure(bench, { figure: `fan_out_changed_${number}`, packageKey, changes: true })
  await measure(bench, { figure: `fan_out_unchanged_${number}`, packageKey, changes: false })
}

/** On every version of one of the packages. */
async function insertRecord(sql: Client, { ids }: Identities, number: number): Promise<string> {
  const { rows } = await sql.query<{ package_key: string }>(
    `with own as (insert into vulnerability_group (title_id, summary, severity) values ($2, '', 'high') returning id),
     record as (
       insert into vulnerability (record_id, source, group_id, class, summary, severity, modified_at, content_hash, document, imported_at)
       select $2, 'bench', id, 'vulnerability', '', 'high', now(), '', '{}', now() from own returning id
     ), named as (insert into alias_assertion (vulnerability_id, other_id, relation, bridges) select id, $2, 'self', true from record)
     insert into affected_range (vulnerability_id, package_key, release, stream, scheme, lower_key, upper_included, kind, introduced)
     select r.id, i.package_key, '', '', 'semver', '', false, 'range', '0' from record r, component_identity i where i.id = $1
     returning package_key`,
    [ids[number], `BENCH-${number}`],
  )
  return rows[0]?.package_key ?? ''
}

type Change = { figure: string; packageKey: string; changes: boolean }

async function measure(bench: Bench, { figure, packageKey, changes }: Change): Promise<void> {
  const { db, queue } = bench
  let refreshed = 0
  const refresh: Tasks['refresh_findings']['run'] = async (payload) => {
    refreshed += 1
    await refreshFamilyFindings(db, { ...payload, now })
  }
  const tasks = { refresh_findings: { run: refresh } } as unknown as Tasks
  const worker = { db, queue, now: () => now, log: pino({ level: 'silent' }), tasks, name: 'bench' }
  await bench.sql.query('vacuum analyze job, finding')
  const own = process.cpuUsage()
  const before = await cpuTimes(bench)
  const startedAt = performance.now()
  await matchPackages(db, { packageKeys: [packageKey], now })
  const matchedMs = performance.now() - startedAt
  await drainQueue(worker, { except: [] })
  const took = performance.now() - startedAt
  const after = await cpuTimes(bench)
  const { user, system } = process.cpuUsage(own)
  const count = workspaces * families
  if (refreshed !== (changes ? count : 0)) throw new Error(`${figure}: ${refreshed} families were worked out`)
  const [storeCpuMs, workerCpuMs] = [(after.store - before.store) / count, (user + system) / 1000 / count]
  const detail = { families: count, storeCpuMs, workerCpuMs, matchedMs, ms: took / count }
  report({ figure, value: storeCpuMs + workerCpuMs, unit: 'CPU ms a family', runs: count, detail })
}
