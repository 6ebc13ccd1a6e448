import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { matchIdentities } from '../../src/matching/match-identities.ts'
import { nameSeveritySource } from '../../src/vulnerabilities/evidence/severity-source.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { importFile, emptyStore, importDeps, record, serve, storedRecords, addIdentity } from './support.ts'
import { feedFiles } from './nvd-feed.ts'
import { testNow } from '../support/clock.ts'
import { listIn } from '../support/read-as.ts'

const samples = resolve('../shared/data')
const cve = 'CVE-2025-1000'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(() => emptyStore(database.db))
afterAll(() => database.drop())

const vectors = {
  low: 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N',
  medium: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N',
  high: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  critical: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
} as const
type Grave = keyof typeof vectors

const osv = (id: string, severity: Grave | null, parts: Record<string, unknown> = {}) =>
  JSON.stringify(
    record(id, 'npm/pump', {
      aliases: [cve],
      ...(severity === null ? {} : { severity: [{ type: 'CVSS_V3', score: vectors[severity] }] }),
      ...parts,
    }),
  )

const nvd = (severity: Grave) =>
  JSON.stringify({
    resultsPerPage: 1,
    format: 'NVD_CVE',
    version: '2.0',
    vulnerabilities: [
      {
        cve: {
          id: cve,
          lastModified: '2025-05-01T00:00:00.000',
          metrics: { cvssMetricV31: [{ type: 'Primary', cvssData: { vectorString: vectors[severity] } }] },
        },
      },
    ],
  })

const metrics = (severity: Grave | null) =>
  severity === null ? [] : [{ format: 'CVSS', cvssV3_1: { vectorString: vectors[severity] } }]

const vulnrichment = (cisa: Grave | null, cna: Grave | null) =>
  JSON.stringify({
    dataType: 'CVE_RECORD',
    dataVersion: '5.1',
    cveMetadata: { cveId: cve, state: 'PUBLISHED', dateUpdated: '2025-04-03T20:53:22.977Z' },
    containers: {
      cna: { providerMetadata: { shortName: 'acme' }, affected: [], metrics: metrics(cna) },
      adp: [
        {
          providerMetadata: { shortName: 'CISA-ADP' },
          metrics: [{ other: { type: 'ssvc', content: {} } }, ...metrics(cisa)],
        },
      ],
    },
  })

const euvdRecord = (severity: Grave | null, parts: Record<string, unknown> = {}) => ({
  id: 'EUVD-2025-7',
  aliases: `${cve}\nGHSA-zzzz-zzzz-zzzz\n`,
  dateUpdated: 'Apr 16, 2025, 7:00:16 AM',
  description: 'A pump stops',
  ...(severity === null
    ? { baseScore: -1 }
    : { baseScoreVersion: '3.1', baseScoreVector: vectors[severity] }),
  ...parts,
})
const euvd = (severity: Grave | null, parts: Record<string, unknown> = {}) =>
  JSON.stringify({ items: [euvdRecord(severity, parts)], total: 1 })

const euvdDump = (parts: Record<string, unknown>) =>
  JSON.stringify([
    { cveId: cve, euvdId: 'EUVD-2025-7', dateAdded: '2025-04-01', sources: ['eu_kev'], ...parts },
  ])

const load = (text: string) => importFile(database.db, ['one.json', text])

async function severities(): Promise<Record<string, [string, string | null]>> {
  const { rows } = await sql<{ title: string; severity: string; source: string | null }>`
    select case when g.cves is null then g.title_id else min(v.record_id) end as title, g.severity, g.severity_source as source
    from vulnerability_group g join vulnerability v on v.group_id = g.id
    group by g.id
    order by 1`.execute(database.db)
  const words = new Map<string | null, string | null>()
  for (const { source } of rows)
    if (!words.has(source)) words.set(source, await nameSeveritySource(database.db, source))
  return Object.fromEntries(
    rows.map(({ title, severity, source }) => [title, [severity, words.get(source) ?? null]]),
  )
}

test.each<[rule: string, files: string[], severity: string, source: string | null]>([
  [
    'a record before NVD, graver or not',
    [osv('OSV-1', 'low'), nvd('critical'), vulnrichment('high', null)],
    'low',
    'OSV-1',
  ],
  [
    'of the records of the group the gravest',
    [osv('OSV-1', 'low'), osv('GHSA-x', 'medium')],
    'medium',
    'GHSA-x',
  ],
  ['any record of the group', [osv('OSV-1', null), osv('GHSA-x', 'medium')], 'medium', 'GHSA-x'],
  ['NVD before CISA', [osv('OSV-1', null), nvd('low'), vulnrichment('critical', 'critical')], 'low', 'NVD'],
  ['CISA before the CNA', [osv('OSV-1', null), vulnrichment('low', 'high')], 'low', 'CISA vulnrichment'],
  [
    'the CNA last',
    [osv('OSV-1', null), vulnrichment(null, 'high')],
    'high',
    'acme (CNA), in CISA vulnrichment',
  ],
  [
    'who assigned the CVE before EUVD',
    [osv('OSV-1', null), vulnrichment(null, 'low'), euvd('critical')],
    'low',
    'acme (CNA), in CISA vulnrichment',
  ],
  ['NVD before EUVD', [osv('OSV-1', null), nvd('low'), euvd('critical')], 'low', 'NVD'],
  ['EUVD alone', [osv('OSV-1', null), euvd('high'), vulnrichment(null, null)], 'high', 'EUVD (ENISA)'],
  [
    'one record of EUVD',
    [osv('OSV-1', null), JSON.stringify(euvdRecord('medium'))],
    'medium',
    'EUVD (ENISA)',
  ],
  [
    'a record of EUVD before its dump',
    [osv('OSV-1', null), euvdDump({ baseScore: 9.8, baseScoreVersion: '3.1' }), euvd('low')],
    'low',
    'EUVD (ENISA)',
  ],
  [
    'the dump of EUVD, where it has scores',
    [osv('OSV-1', null), euvdDump({ baseScore: 9.8, baseScoreVersion: '3.1' })],
    'critical',
    'EUVD (ENISA)',
  ],
  ['nobody', [osv('OSV-1', null), vulnrichment(null, null), euvd(null), euvdDump({})], 'unknown', null],
])('whose severity counts: %s, in every order of imports', async (_, files, severity, source) => {
  for (const text of files) await load(text)
  expect(await severities()).toEqual({ [cve]: [severity, source] })
  const once = await storedRecords(database.db)
  for (const order of [files.toReversed(), [...files.slice(1), ...files.slice(0, 1)]]) {
    await emptyStore(database.db)
    for (const text of order) await load(text)
    expect(await severities()).toEqual({ [cve]: [severity, source] })
    expect(await storedRecords(database.db)).toEqual(once)
  }
})

test('a notice that is about a CVE has its own severity, else that of the CVE, in either order', async () => {
  const notice = (id: string, packageName: string, parts: Record<string, unknown>) =>
    JSON.stringify(record(id, packageName, { upstream: [cve], ...parts }))
  const files = [
    notice('DSA-1', 'Debian:12/pump', {}),
    notice('ALSA-1', 'AlmaLinux:9/pump', { summary: 'Low: pump security update' }),
    vulnrichment('critical', 'high'),
  ]
  const expected = {
    'ALSA-1': ['low', 'ALSA-1'],
    [cve]: ['critical', 'CISA vulnrichment'],
    'DSA-1': ['critical', 'CISA vulnrichment'],
  }
  for (const order of [files, files.toReversed()]) {
    await emptyStore(database.db)
    for (const text of order) await load(text)
    expect(await severities()).toEqual(expected)
  }
})

test('a score that changes or is withdrawn changes the severity', async () => {
  await load(osv('OSV-1', null))
  await load(vulnrichment('high', null))
  expect(await severities()).toEqual({ [cve]: ['high', 'CISA vulnrichment'] })
  await load(vulnrichment('low', null))
  expect(await severities()).toEqual({ [cve]: ['low', 'CISA vulnrichment'] })
  await load(vulnrichment(null, null))
  expect(await severities()).toEqual({ [cve]: ['unknown', null] })
})

test('EUVD loses a score it takes back, and a dump that is fetched says what it says', async () => {
  await load(osv('OSV-1', null))
  await load(euvd('high'))
  expect(await severities()).toEqual({ [cve]: ['high', 'EUVD (ENISA)'] })
  await load(euvd(null))
  expect(await severities()).toEqual({ [cve]: ['unknown', null] })
  const server = await serve({ dump: euvdDump({ baseScore: '7.5', baseScoreVersion: '3.1' }) })
  try {
    const deps = importDeps(database.db, { euvd: `${server.url}/dump` })
    await refreshSource(deps, { source: 'euvd', now: testNow })
    expect(await severities()).toEqual({ [cve]: ['high', 'EUVD (ENISA)'] })
    const sources = await listSources(database.db)
    expect(sources.map(({ name, recordCount, lastError }) => [name, recordCount, lastError])).toEqual([
      ['euvd', 1, null],
      ['euvd-scores', 2, null],
      ['osv:npm', 1, null],
    ])
    server.files.set('dump', euvdDump({}))
    await refreshSource(deps, { source: 'euvd', now: testNow })
    expect(await severities()).toEqual({ [cve]: ['unknown', null] })
  } finally {
    server.close()
  }
})

test('NVD is asked for CVEs in use that no advisory scores, though no component is named by CPE, and for no others', async () => {
  const server = await serve(
    feedFiles('2025', [
      listIn(JSON.parse(nvd('high')), 'vulnerabilities')[0],
      { cve: { id: 'CVE-2025-9999', lastModified: '2025-05-01T00:00:00.000' } },
    ]),
  )
  try {
    const deps = importDeps(database.db, { nvd: server.url })
    const turn = (hours: number) =>
      refreshSource(deps, { source: 'nvd', now: new Date(testNow.getTime() + hours * 3_600_000) })
    await load(osv('OSV-1', null))
    await load(vulnrichment('low', null))
    await load(euvd('low'))
    await turn(0)
    expect(server.asked).toEqual([])
    await addIdentity(database.db, 'npm', 'pump')
    const ids = await database.db.selectFrom('component_identity').select('id').execute()
    await sql`update component_identity set version_key = ''::bytea`.execute(database.db)
    await matchIdentities(
      database.db,
      ids.map(({ id }) => id),
      { now: testNow },
    )
    await turn(1)
    expect(await severities()).toEqual({ [cve]: ['high', 'NVD'] })
    const nvdSource = (await listSources(database.db)).find(({ name }) => name === 'nvd')
    expect(nvdSource).toMatchObject({ isWhole: false, recordCount: 1, lastError: null })
    const asked = server.asked.length
    await turn(2)
    expect(server.asked).toHaveLength(asked)
    await turn(30)
    expect(server.asked.slice(asked)).toEqual(['GET nvdcve-2.0-2025.meta'])
  } finally {
    server.close()
  }
})

test.skipIf(!existsSync(join(samples, 'vulnrichment.zip')))(
  'with Go data and vulnrichment no vulnerability is unknown whose CVE is scored, whichever comes first (needs the sample data)',
  async () => {
    const counts = async () => {
      const { rows } = await sql<{ title: string; severity: string; ids: string[] }>`
        select g.title_id as title, g.severity, array_agg(a.other_id) as ids
        from vulnerability v
        join vulnerability_group g on g.id = v.group_id
        join alias_assertion a on a.vulnerability_id = v.id and a.other_id like 'CVE-%' and a.relation <> 'related'
        where v.source = 'osv:Go' and v.withdrawn_at is null
        group by g.id`.execute(database.db)
      const scored = await database.db
        .selectFrom('vulnerability')
        .select('record_id')
        .where('source', '=', 'vulnrichment')
        .where('severity', '<>', 'unknown')
        .where('withdrawn_at', 'is', null)
        .execute()
      const scoredIds = new Set(scored.map((row) => row.record_id.replace(/^.*:/, '')))
      const unknown = rows.filter((row) => row.severity === 'unknown')
      const missed = unknown.filter((row) => row.ids.some((id) => scoredIds.has(id)))
      return {
        groups: rows.length,
        scored: scoredIds.size,
        unknown: unknown.length,
        missed: missed.map((row) => row.title),
      }
    }
    const sources = [join(samples, 'osv/Go'), join(samples, 'vulnrichment.zip')]
    const results = []
    for (const order of [sources, sources.toReversed()]) {
      await emptyStore(database.db)
      for (const from of order) await importVulnerabilityData(importDeps(database.db), { from, now: testNow })
      // freshly loaded tables have no statistics; without them these queries would take ten seconds
      await sql`analyze vulnerability, vulnerability_group, alias_assertion`.execute(database.db)
      results.push([await counts(), await severities()])
    }
    expect(results[0]).toEqual(results[1])
    const { missed, unknown, groups, scored } = await counts()
    expect(missed).toEqual([])
    expect(scored).toBeGreaterThan(1_500)
    expect(groups - unknown).toBeGreaterThan(300)
  },
  300_000,
)
