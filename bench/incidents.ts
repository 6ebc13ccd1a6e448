import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../src/database/connection.ts'
import type { Tables } from '../src/database/tables.ts'
import { tellOfOverdue, warnOfDeadlines } from '../src/incidents/reports/warn-of-deadlines.ts'
import { createPool, createQueries } from '../src/platform/postgres/pool.ts'
import { cpuTimes } from './cpu.ts'
import type { Laboratory } from './laboratory.ts'
import { median, report, round, say } from './report.ts'

/** `BENCH_SCALE=0.01` tries everything at a hundredth of its size. */
const scale = Number(process.env['BENCH_SCALE'] ?? '1')
const sized = (count: number) => Math.max(1, Math.round(count * scale))

const workspaces = 50
const newEntries = 2_000
const hitEntries = 300
const expectedIncidents = () => sized(1_000)
const openReports = () => sized(100_000)
/** Components with a finding each that the catalogue does not concern, twice as many in the second turn. */
const others = Number(process.env['BENCH_MEMBERSHIPS'] ?? 500_000)
const copies = 10

/**
 * A catalogue of 2 000 entries is imported whose 300 are exact matches in 1 000 families of 50 workspaces: from the moment it can be seen
 * until the last of 1 000 incidents, by the service's own worker; twice, the second time with twice as many findings and components that it
 * does not concern. Then the pass over the deadlines of 100 000 open reports. BENCH_MEMBERSHIPS=2500000 begins with so many instead of 500 000.
 */
export async function benchIncidents(laboratory: Laboratory): Promise<void> {
  const { sql } = laboratory
  say('storing families whose components will be listed')
  await sql.query(familiesOf, [expectedIncidents(), workspaces])
  for (const [round, label] of ['first', 'doubled'].entries()) {
    await addOthers(sql, round)
    await addListed(sql, round)
    await sql.query('checkpoint')
    await sql.query('analyze')
    await importCatalogue(laboratory, { round, label })
  }
  await benchDeadlines(laboratory)
}

const familiesOf = `
  with w as (
    insert into workspace (id, slug, company_name, security_contact_email, plan, created_at)
    select gen_random_uuid(), 'incidents-' || n, 'Bench', 'bench@example.com', 'plus', now() from generate_series(1, $2::int) n
    returning id, slug
  )
  insert into family (id, workspace_id, name, created_at)
  select gen_random_uuid(), w.id, 'Listed ' || n, now()
  from generate_series(1, $1::int) n join w on w.slug = 'incidents-' || (1 + n % $2::int)`

const identityColumns = `id, ecosystem, package_key, subject, version, release, stream, scheme, version_key, key_generation, decidability,
  basis, created_at, matched_at`

/** Findings on vulnerabilities that no catalogue lists, and their components: so many more each time. */
async function addOthers(sql: Laboratory['sql'], round: number): Promise<void> {
  say('storing findings that are not concerned')
  await addRecords(sql, { label: `other${round}`, count: sized(others / copies) })
  await sql.query(
    `with f as (
       select id, workspace_id, row_number() over (order by id) as n from family where name like 'Listed %'
     ), i as (
       select id, row_number() over (order by id) as n from component_identity where subject like $1
     ), pairs as (
       select f.id as family_id, f.workspace_id, i.id as identity_id, i.n
       from generate_series(1, $2::int) copy
       cross join i
       join f on f.n = 1 + (i.n * 7 + copy * 13) % (select count(*) from f)
     ), stored as (
       insert into component (workspace_id, family_id, number, hash, identity_id, type, name, version, purl, hashes)
       select workspace_id, family_id, 1000000 * ($3::int + 1) + row_number() over (partition by family_id), gen_random_uuid(), identity_id,
         'library', 'other', '1.0.0', 'pkg:npm/other@1.0.0', '{}'
       from pairs
     )
     insert into finding (id, workspace_id, family_id, identity_id, group_id, grade, exploited_by, first_seen_at)
     select distinct on (p.family_id, p.identity_id) gen_random_uuid(), p.workspace_id, p.family_id, p.identity_id, v.group_id, 'exact', '{}', now()
     from pairs p
     join identity_match m on m.identity_id = p.identity_id
     join vulnerability v on v.id = m.vulnerability_id`,
    [`other${round}-%`, copies, round],
  )
}

/** One finding in every family, on one of the vulnerabilities that will be listed. */
async function addListed(sql: Laboratory['sql'], round: number): Promise<void> {
  await addRecords(sql, { label: `listed${round}`, count: hitEntries })
  await sql.query(
    `insert into finding (id, workspace_id, family_id, identity_id, group_id, grade, exploited_by, first_seen_at)
     select gen_random_uuid(), f.workspace_id, f.id, i.id, v.group_id, 'exact', '{}', now()
     from (select *, row_number() over (order by id) as n from family where name like 'Listed %') f
     join (select *, row_number() over (order by id) as n from component_identity where subject like $1) i on i.n = 1 + f.n % $2::int
     join identity_match m on m.identity_id = i.id
     join vulnerability v on v.id = m.vulnerability_id`,
    [`listed${round}-%`, hitEntries],
  )
}

/** Records with one identity each that they match exactly. The CVE of number 7 of `listed0` is CVE-2020-01000007. */
async function addRecords(
  sql: Laboratory['sql'],
  { label, count }: { label: string; count: number },
): Promise<void> {
  await sql.query(
    `with g as (
       insert into vulnerability_group (title_id, summary, severity)
       select 'GHSA-' || $1 || '-' || n, 'Generated', 'high' from generate_series(1, $2::int) n
       returning id, title_id
     ), v as (
       insert into vulnerability (record_id, source, group_id, class, summary, severity, modified_at, content_hash, document, imported_at)
       select title_id, 'osv:npm', id, 'vulnerability', 'Generated', 'high', now(), title_id, '{}', now() from g
       returning id, record_id
     ), a as (
       insert into alias_assertion (vulnerability_id, other_id, relation, bridges)
       select id, record_id, 'self', true from v
       union all
       select id, case when $1 like 'listed%' then 'CVE-2020-' else 'CVE-2018-' end || right($1, 1) || (1000000 + split_part(record_id, '-', 3)::int), 'alias', true from v
     ), i as (
       insert into component_identity (${identityColumns})
       select gen_random_uuid(), 'npm', 'npm' || chr(31) || record_id, $1 || '-' || record_id, '1.0.0', '', '', 'semver', '\\x01', 1, 'covered',
         'purl', now(), now()
       from v returning id, subject
     )
     insert into identity_match (identity_id, vulnerability_id, grade, range_id, matched_at)
     select i.id, v.id, 'exact', 1, now() from i join v on i.subject = $1 || '-' || v.record_id`,
    [label, count],
  )
}

async function importCatalogue(
  laboratory: Laboratory,
  { round: turn, label }: { round: number; label: string },
): Promise<void> {
  const { service, sql, folder } = laboratory
  const cves = Array.from({ length: newEntries * (turn + 1) }, (_, index) => {
    const of = Math.floor(index / newEntries)
    const number = 1 + (index % newEntries)
    return number <= hitEntries
      ? `CVE-2020-${of}${1_000_000 + number}`
      : `CVE-2019-${of}${1_000_000 + number}`
  })
  const file = join(folder, `kev-${turn}.json`)
  await writeFile(file, JSON.stringify(catalogueOf(cves, turn)))
  const before = await cpuTimes(laboratory)
  const imported = service.cli(['vulnerabilities', 'import', file])
  const seenAt = await until(async () => (await count(sql, 'exploited')) >= cves.length)
  const wanted = expectedIncidents() * (turn + 1)
  const openedAt = await until(async () => (await count(sql, 'incident')) >= wanted)
  const after = await cpuTimes(laboratory)
  await imported
  const detail = {
    entries: newEntries,
    incidents: expectedIncidents(),
    findings: await count(sql, 'finding'),
    components: await count(sql, 'component'),
    storeCpuMs: round(after.store - before.store),
    serviceCpuMs: round(after.service - before.service),
  }
  report({ figure: `catalogue_to_incidents_${label}`, value: openedAt - seenAt, unit: 'ms', runs: 1, detail })
  await until(async () => (await count(sql, 'job', `where state in ('waiting', 'running')`)) === 0)
}

function catalogueOf(cves: string[], turn: number): unknown {
  const vulnerabilities = cves.map((cveID) => ({
    cveID,
    vendorProject: 'Acme',
    product: 'Pump',
    vulnerabilityName: cveID,
    dateAdded: '2025-03-01',
    knownRansomwareCampaignUse: 'Unknown',
  }))
  return { title: 'KEV', catalogVersion: `2026.1.${turn}`, count: cves.length, vulnerabilities }
}

async function count(sql: Laboratory['sql'], table: string, where = ''): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(`select count(*)::int as count from ${table} ${where}`)
  return rows[0]?.count ?? 0
}

const maxMs = 300_000

/** Answers when it first was so. */
async function until(isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startedAt > maxMs) throw new Error('it did not happen in five minutes')
    await delay(20)
  }
  return performance.now()
}

/** With nothing to warn of, as at almost every pass. */
async function benchDeadlines({ service, sql }: Laboratory): Promise<void> {
  say('storing open reports')
  await sql.query(
    `insert into regime_report (id, workspace_id, incident_id, regime, report, cycle, state, due_at, lead_hours, created_at)
     select gen_random_uuid(), i.workspace_id, i.id, 'cra', 'notification', 1 + n, 'open', now() + interval '30 days', 4, now()
     from (select * from incident order by id limit 1000) i cross join generate_series(1, $1::int) n`,
    [Math.ceil(openReports() / Math.min(1_000, expectedIncidents()))],
  )
  await sql.query('analyze regime_report')
  const { databaseUrl } = await service.cli<{ databaseUrl: string }>(['store'])
  const pool = createPool(
    { connectionString: databaseUrl },
    { max: 2, applicationName: 'bench', log: console, statementTimeoutMs: 60_000 },
  )
  const db: Db = createQueries<Tables>(pool)
  try {
    const times: number[] = []
    for (let run = 0; run < 7; run += 1) {
      const startedAt = performance.now()
      await warnOfDeadlines(db, new Date())
      await tellOfOverdue(db, new Date())
      times.push(performance.now() - startedAt)
    }
    const detail = { openReports: await count(sql, 'regime_report', `where state = 'open'`) }
    report({ figure: 'deadline_pass', value: median(times), unit: 'ms', runs: times.length, detail })
  } finally {
    await db.destroy()
  }
}
