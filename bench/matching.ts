import type { Db } from '../src/database/connection.ts'
import type { Tables } from '../src/database/tables.ts'
import { matchIdentities } from '../src/matching/match-identities.ts'
import { matchPackages } from '../src/findings/changes/match-packages.ts'
import { refreshExploited } from '../src/findings/changes/refresh-exploited.ts'
import { refreshFamilyFindings } from '../src/findings/refresh/refresh-findings.ts'
import { createPool, createQueries } from '../src/platform/postgres/pool.ts'
import type { Laboratory } from './laboratory.ts'
import { addIdentities, addProducts, multiplyRecords, type Identities } from './matching-data.ts'
import { openMirror } from './osv-mirror.ts'
import { report, say } from './report.ts'

/** `BENCH_SCALE=0.01` tries everything at a hundredth of its size. */
const scale = Number(process.env['BENCH_SCALE'] ?? '1')
const sized = (count: number) => Math.max(1, Math.round(count * scale))
const now = new Date('2026-01-01T00:00:00Z')
const touchedFamilies = 2

/**
 * Matching at size: 50 000 new identities against 400 000 records, half of them on affected packages, which is dirtier than any real
 * product; 200 changed records to the families they reach, with 2 500 000 and with 5 000 000 components of versions stored, about as
 * many of them touched; a catalogue of 2 000 ids to exact matches. Runs in this
 * process, whose memory is reported. Copies the records of the sample data beside the project, else of files made here.
 */
export async function benchMatching({ service, sql, folder }: Laboratory): Promise<void> {
  const mirror = await openMirror(folder)
  await service.cli(['vulnerabilities', 'import', mirror.path])
  say('copying records')
  const records = await multiplyRecords(sql, sized(400_000))
  const { databaseUrl } = await service.cli<{ databaseUrl: string }>(['store'])
  const options = { max: 4, applicationName: 'bench', log: console, statementTimeoutMs: 600_000 }
  const pool = createPool({ connectionString: databaseUrl }, options)
  const db: Db = createQueries<Tables>(pool)
  try {
    const touched = await addIdentities(sql, { count: sized(50_000), label: 'touched-', affected: 0.5 })
    await benchCold(db, touched, records)
    await benchChanges({ db, sql, touched })
    await benchExploited({ db, sql })
  } finally {
    await db.destroy()
  }
}

async function benchCold(db: Db, identities: Identities, records: number): Promise<void> {
  const { ids } = identities
  let rss = process.memoryUsage.rss()
  const watch = setInterval(() => (rss = Math.max(rss, process.memoryUsage.rss())), 20)
  const startedAt = performance.now()
  const { added } = await matchIdentities(db, ids, { now })
  const value = performance.now() - startedAt
  clearInterval(watch)
  const detail = { identities: ids.length, records, matches: added }
  report({ figure: 'match_cold', value, unit: 'ms', runs: 1, detail })
  report({ figure: 'match_cold_memory', value: rss / 1024 ** 2, unit: 'MB', runs: 1 })
}

type Bench = Pick<Laboratory, 'sql'> & { db: Db }

async function benchChanges({ db, sql, touched }: Bench & { touched: Identities }): Promise<void> {
  say('storing products')
  const others = await addIdentities(sql, { count: sized(50_000), label: 'others-', affected: 0.05 })
  await matchIdentities(db, others.ids, { now })
  let memberships = await addProducts(sql, {
    identities: touched,
    families: touchedFamilies,
    label: 'touched',
  })
  await openFindings({ db, sql }, 'touched')
  for (const [families, label] of [
    [8, 'half'],
    [10, 'rest'],
  ] as const) {
    memberships += await addProducts(sql, { identities: others, families, label })
    await openFindings({ db, sql }, label)
    const packageKeys = await changeRecords(sql, touched)
    const startedAt = performance.now()
    await matchPackages(db, { packageKeys, now })
    const value = performance.now() - startedAt
    const identities = await countIdentities(sql, packageKeys)
    const detail = { records: changedRecords(), packages: packageKeys.length, identities, memberships }
    report({ figure: `changed_records_to_families_${label}`, value, unit: 'ms', runs: 1, detail })
    await untilIdle(sql)
  }
}

const changedRecords = () => sized(200)

/** Takes the ranges from records that affect the touched identities and no others; returns the package keys. */
async function changeRecords(sql: Laboratory['sql'], { label }: Identities): Promise<string[]> {
  const { rows } = await sql.query<{ package_key: string }>(
    `with chosen as (
       select m.vulnerability_id
       from identity_match m join bench_identity b on b.id = m.identity_id
       group by m.vulnerability_id
       having bool_and(b.label = $1)
         and exists (select from affected_range r where r.vulnerability_id = m.vulnerability_id)
       order by m.vulnerability_id % 1009, m.vulnerability_id limit $2
     ), gone as (
       delete from affected_range r using chosen c where r.vulnerability_id = c.vulnerability_id returning r.package_key
     ) select distinct package_key from gone`,
    [label, changedRecords()],
  )
  return rows.map((row) => row.package_key)
}

/** The cost of a change follows these, not what is stored. */
async function countIdentities(sql: Laboratory['sql'], packageKeys: string[]): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    'select count(*)::int as count from component_identity where package_key = any($1)',
    [packageKeys],
  )
  return rows[0]?.count ?? 0
}

async function openFindings({ db, sql }: Bench, slug: string): Promise<void> {
  const { rows } = await sql.query<{ workspaceId: string; familyId: string }>(
    `select w.id as "workspaceId", f.id as "familyId" from family f join workspace w on w.id = f.workspace_id where w.slug = $1`,
    [slug],
  )
  for (const family of rows) await refreshFamilyFindings(db, { ...family, now })
  await sql.query('analyze finding, identity_match')
}

/** The service's own worker refreshes the families that a change reached. */
async function untilIdle(sql: Laboratory['sql']): Promise<void> {
  for (;;) {
    const { rows } = await sql.query(`select from job where state in ('waiting', 'running') limit 1`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function benchExploited({ db, sql }: Bench): Promise<void> {
  const { rowCount } = await sql.query(
    `insert into exploited (source, cve_id, name, first_seen_at, entry)
     select 'kev', other_id, 'bench', now(), '{}' from (
       select distinct a.other_id from identity_match m
       join alias_assertion a on a.vulnerability_id = m.vulnerability_id and a.other_id like 'CVE-%' limit $1
     ) ids`,
    [sized(2_000)],
  )
  const startedAt = performance.now()
  await refreshExploited(db, new Date())
  const written = performance.now() - startedAt
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::int as count from finding where closed_at is null and grade = 'exact' and exploited_by <> '{}'`,
  )
  const detail = { ids: rowCount ?? 0, exactExploited: rows[0]?.count ?? 0 }
  report({ figure: 'exploited_ids_to_exact_matches', value: written, unit: 'ms', runs: 1, detail })
}
