import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { deleteEmptyGroups } from '../../src/vulndata/store/empty-groups.ts'
import { regroup } from '../../src/vulndata/store/groups.ts'
import { RowIds } from '../../src/vulndata/store/row-ids.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addIdentity, emptyStore, record, takeJobs, type TestRecord } from './support.ts'
import { loadRecords } from '../matching/match-support.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => emptyStore(database.db))

const load = (...records: TestRecord[]) => loadRecords(database.db, ...records)

/** Records of each group by its title. */
async function groups(): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ title: string; members: string[] }>`
    select g.title_id as title, array_agg(v.record_id order by v.record_id) as members
    from vulnerability v join vulnerability_group g on g.id = v.group_id group by g.title_id`.execute(
    database.db,
  )
  return Object.fromEntries(rows.map(({ title, members }) => [title, members]))
}

/** The members of each group, whatever the groups are called. */
async function apart(): Promise<string[][]> {
  const { rows } = await sql<{ members: string[] }>`
    select array_agg(record_id order by record_id) as members
    from vulnerability group by group_id order by min(record_id)`.execute(database.db)
  return rows.map(({ members }) => members)
}

async function groupIdOf(recordId: string): Promise<number> {
  const row = await database.db
    .selectFrom('vulnerability')
    .select('group_id')
    .where('record_id', '=', recordId)
    .executeTakeFirstOrThrow()
  return row.group_id
}

/** Rows of records and their relations read when one record's group is recomputed. */
async function rowsReadToRegroup(recordId: string): Promise<number> {
  return database.db.transaction().execute(async (tx) => {
    const { id } = await tx
      .selectFrom('vulnerability')
      .select('id')
      .where('record_id', '=', recordId)
      .executeTakeFirstOrThrow()
    const changed = new RowIds()
    changed.add(id)
    await regroup(tx, changed)
    const { rows } = await sql<{ count: number }>`
      select sum(seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables
      where relname in ('vulnerability', 'alias_assertion')`.execute(tx)
    return rows[0]?.count ?? 0
  })
}

async function groupCount(): Promise<number> {
  return (await database.db.selectFrom('vulnerability_group').select('id').execute()).length
}

const ghsa = record('GHSA-aaaa', 'PyPI/django', {
  aliases: ['CVE-2025-1000', 'PYSEC-2025-1'],
  database_specific: { severity: 'HIGH' },
})
const pysec = record('PYSEC-2025-1', 'PyPI/django', { aliases: ['CVE-2025-1000'] })
const cve = record('CVE-2025-1000', 'GIT/x', {
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
})

test('CVE, GHSA and PYSEC records of one vulnerability are one group under the CVE, in whatever order they come', async () => {
  const expected = { 'CVE-2025-1000': ['CVE-2025-1000', 'GHSA-aaaa', 'PYSEC-2025-1'] }
  for (const order of [
    [ghsa, pysec, cve],
    [cve, ghsa, pysec],
    [pysec, cve, ghsa],
  ]) {
    await emptyStore(database.db)
    for (const each of order) await load(each)
    expect(await groups()).toEqual(expected)
    expect(await database.db.selectFrom('vulnerability_group').selectAll().execute()).toMatchObject([
      { severity: 'critical', severity_source: 'CVE-2025-1000', summary: 'CVE-2025-1000 in x' },
    ])
    await emptyStore(database.db)
    await load(...order)
    expect(await groups()).toEqual(expected)
  }
})

test('records are connected through an alias that has no record itself', async () => {
  await load(
    record('GHSA-one', 'npm/x', { aliases: ['CVE-2025-2000'] }),
    record('OSV-two', 'npm/x', { aliases: ['CVE-2025-2000'] }),
  )
  expect(await groups()).toEqual({ 'CVE-2025-2000': ['GHSA-one', 'OSV-two'] })
})

test('a record on several CVEs joins none of them', async () => {
  await load(
    record('GHSA-one', 'npm/x', { aliases: ['CVE-2025-1'] }),
    record('GHSA-two', 'npm/x', { aliases: ['CVE-2025-2'] }),
    record('GO-bundle', 'Go/x', { aliases: ['CVE-2025-1', 'CVE-2025-2', 'GHSA-one'] }),
  )
  expect(await groups()).toEqual({
    'CVE-2025-1': ['GHSA-one'],
    'CVE-2025-2': ['GHSA-two'],
    'GO-bundle': ['GO-bundle'],
  })
  const bundle = await database.db
    .selectFrom('alias_assertion as a')
    .innerJoin('vulnerability as v', 'v.id', 'a.vulnerability_id')
    .select(['a.other_id', 'a.relation', 'a.bridges'])
    .where('v.record_id', '=', 'GO-bundle')
    .orderBy('a.other_id')
    .execute()
  expect(bundle.map((row) => [row.other_id, row.relation, row.bridges])).toEqual([
    ['CVE-2025-1', 'alias', false],
    ['CVE-2025-2', 'alias', false],
    ['GHSA-one', 'alias', false],
    ['GO-bundle', 'self', true],
  ])
})

test('upstream and related never connect', async () => {
  await load(
    record('CVE-2025-1', 'npm/x'),
    record('DEBIAN-CVE-2025-1', 'Debian:12/x', { upstream: ['CVE-2025-1'] }),
    record('ALSA-2025:1', 'AlmaLinux:9/x', { related: ['CVE-2025-1', 'CVE-2025-2'] }),
  )
  expect(await apart()).toEqual([['ALSA-2025:1'], ['CVE-2025-1'], ['DEBIAN-CVE-2025-1']])
})

describe('notices of a distribution', () => {
  const about = (id: string, ...upstream: string[]) => record(id, 'Ubuntu:24.04:LTS/x', { upstream })
  const tracker = about('UBUNTU-CVE-2025-1', 'CVE-2025-1')
  const notice = about('USN-1-1', 'CVE-2025-1', 'UBUNTU-CVE-2025-1')

  it('on one CVE are one vulnerability, which is called as the CVE; in another distribution it is another one', async () => {
    const debian = record('DEBIAN-CVE-2025-1', 'Debian:12/x', { upstream: ['CVE-2025-1'] })
    const other = about('USN-2-1', 'CVE-2025-2')
    for (const order of [
      [tracker, notice, debian, other],
      [other, debian, notice, tracker],
    ]) {
      await emptyStore(database.db)
      for (const each of order) await load(each)
      expect(await apart()).toEqual([['DEBIAN-CVE-2025-1'], ['UBUNTU-CVE-2025-1', 'USN-1-1'], ['USN-2-1']])
      expect(Object.keys(await groups()).sort()).toEqual(['CVE-2025-1', 'CVE-2025-2'])
    }
  })

  it('on several are each their own, and join nothing', async () => {
    await load(tracker, notice, about('USN-3-1', 'CVE-2025-1', 'CVE-2025-2'), about('USN-4-1', 'CVE-2025-2'))
    expect(await apart()).toEqual([['UBUNTU-CVE-2025-1', 'USN-1-1'], ['USN-3-1'], ['USN-4-1']])
    expect(Object.keys(await groups()).sort()).toEqual(['CVE-2025-1', 'CVE-2025-2', 'USN-3-1'])
  })

  it('leave when they are withdrawn, or name a second CVE, and come back', async () => {
    await load(tracker, notice)
    const together = [['UBUNTU-CVE-2025-1', 'USN-1-1']]
    const alone = [['UBUNTU-CVE-2025-1'], ['USN-1-1']]
    await load({ ...notice, withdrawn: '2025-09-01T00:00:00Z' })
    expect(await apart()).toEqual(alone)
    await load(notice)
    expect(await apart()).toEqual(together)
    await load(about('USN-1-1', 'CVE-2025-1', 'CVE-2025-2'))
    expect(await apart()).toEqual(alone)
    expect(Object.keys(await groups()).sort()).toEqual(['CVE-2025-1', 'USN-1-1'])
  })

  it('may be any number', async () => {
    const many = Array.from({ length: 50 }, (_, at) => about(`USN-${100 + at}-1`, 'CVE-2025-1'))
    await load(tracker, ...many)
    expect((await apart()).map((members) => members.length)).toEqual([51])
  })

  test('are many for one CVE, and each is read a few times when they are grouped', async () => {
    const many = Array.from({ length: 400 }, (_, index) => about(`CGA-${index}`, 'CVE-2025-1'))
    await load(...many)
    expect(await apart()).toEqual([many.map(({ id }) => id).sort()])
    expect(await rowsReadToRegroup('CGA-7')).toBeLessThan(400 * 50)
  })
})

test('a retracted alias separates the group again; the part with the title keeps its id', async () => {
  await load(ghsa, pysec)
  const id = await groupIdOf('GHSA-aaaa')
  expect(await groupIdOf('PYSEC-2025-1')).toBe(id)
  await load({ ...ghsa, aliases: ['CVE-2025-1000'] }, { ...pysec, aliases: [] })
  expect(await groups()).toEqual({ 'CVE-2025-1000': ['GHSA-aaaa'], 'PYSEC-2025-1': ['PYSEC-2025-1'] })
  expect(await groupIdOf('GHSA-aaaa')).toBe(id)
  expect(await groupIdOf('PYSEC-2025-1')).not.toBe(id)
})

test('merging keeps the oldest group, and tells matching where the findings of the other belong', async () => {
  await addIdentity(database.db, 'PyPI', 'django')
  await addIdentity(database.db, 'npm', 'other')
  await load(record('GHSA-aaaa', 'npm/other'))
  await load(record('PYSEC-2025-1', 'PyPI/django'))
  const into = await groupIdOf('GHSA-aaaa')
  const from = await groupIdOf('PYSEC-2025-1')
  await takeJobs(database.db)
  const report = await load(record('GHSA-aaaa', 'npm/other', { aliases: ['PYSEC-2025-1'] }))
  expect(report).toMatchObject({ changed: 1, mergedGroups: 1, matchJobs: 1 })
  expect(await groupIdOf('GHSA-aaaa')).toBe(into)
  expect(await groupIdOf('PYSEC-2025-1')).toBe(into)
  // the package of the moved record is matched again, although the record did not change
  expect(await takeJobs(database.db)).toEqual([
    {
      kind: 'match_packages',
      payload: { packageKeys: ['PyPI\u001fdjango', 'npm\u001fother'], mergedGroups: [{ from, into }] },
    },
  ])
})

test('merged groups are told even when no package is affected', async () => {
  await load({ ...record('GHSA-aaaa', 'npm/other'), affected: [] }, record('PYSEC-2025-1', 'PyPI/django'))
  await takeJobs(database.db)
  expect(await load(record('PYSEC-2025-1', 'PyPI/django', { aliases: ['GHSA-aaaa'] }))).toMatchObject({
    matchJobs: 1,
  })
  expect(await takeJobs(database.db)).toMatchObject([
    { payload: { packageKeys: ['PyPI\u001fdjango'], mergedGroups: [{}] } },
  ])
})

test('empty groups go when no finding refers to them', async () => {
  await load(record('GHSA-aaaa', 'npm/other'), record('PYSEC-2025-1', 'PyPI/django'))
  await load(record('PYSEC-2025-1', 'PyPI/django', { aliases: ['GHSA-aaaa'] }))
  expect(await groupCount()).toBe(2)
  await deleteEmptyGroups(database.db)
  expect(await groupCount()).toBe(1)
})

test('groups made for records that join an older group in the same import leave nothing behind', async () => {
  await load(ghsa)
  expect(await load(pysec, cve)).toMatchObject({ mergedGroups: 0 })
  expect(await groupCount()).toBe(1)
})

test('more than 32 ids are not grouped, and are reported', async () => {
  const records = Array.from({ length: 33 }, (_, index) =>
    record(`OSV-${String(index).padStart(2, '0')}`, `npm/p${index}`, {
      aliases: ['OSV-00'].filter((id) => index > 0 || id === ''),
    }),
  )
  const report = await load(...records)
  expect(report.oversizedGroups).toEqual(['OSV-00'])
  expect(Object.keys(await groups())).toHaveLength(33)
  expect(await load(record('OSV-32', 'npm/p32'))).toMatchObject({ oversizedGroups: [] })
  expect(await groups()).toMatchObject({ 'OSV-32': ['OSV-32'] })
  expect(Object.keys(await groups())).toHaveLength(2)
})

test('more than five aliases are not used for grouping', async () => {
  const aliases = ['CVE-2025-1', 'A-1', 'A-2', 'A-3', 'A-4', 'A-5']
  await load(record('GHSA-one', 'npm/x', { aliases }), record('CVE-2025-1', 'npm/x'))
  expect(await apart()).toEqual([['CVE-2025-1'], ['GHSA-one']])
})

test('a withdrawn record connects nothing any more', async () => {
  const bridge = record('GHSA-bridge', 'npm/x', { aliases: ['CVE-2025-1', 'OSV-1'] })
  await load(bridge, record('CVE-2025-1', 'npm/x'), record('OSV-1', 'npm/x'))
  expect(Object.keys(await groups())).toEqual(['CVE-2025-1'])
  await load({ ...bridge, withdrawn: '2025-09-01T00:00:00Z' })
  expect(await groups()).toEqual({
    'CVE-2025-1': ['CVE-2025-1'],
    'GHSA-bridge': ['GHSA-bridge'],
    'OSV-1': ['OSV-1'],
  })
})

test('an edited severity is shown by the group', async () => {
  await load(ghsa)
  await load({ ...ghsa, database_specific: { severity: 'CRITICAL' } })
  const [group] = await database.db.selectFrom('vulnerability_group').selectAll().execute()
  expect(group).toMatchObject({
    title_id: 'CVE-2025-1000',
    severity: 'critical',
    severity_source: 'GHSA-aaaa',
  })
})

const severityOf = async (recordId: string) =>
  database.db
    .selectFrom('vulnerability as v')
    .innerJoin('vulnerability_group as g', 'g.id', 'v.group_id')
    .select(['g.severity', 'g.severity_source as source'])
    .where('v.record_id', '=', recordId)
    .executeTakeFirstOrThrow()

test('a notice of a distribution has its own severity, else that of the CVE it is about, whatever comes first', async () => {
  const notice = record('ALSA-2025:1', 'AlmaLinux:8/django', { related: ['CVE-2025-1000'] })
  const bundle = record('DSA-1', 'Debian:12/django', { upstream: ['CVE-2025-1000', 'CVE-2025-9'] })
  const own = record('UBUNTU-CVE-2025-1000', 'Ubuntu:24.04:LTS/django', {
    upstream: ['CVE-2025-1000'],
    database_specific: { severity: 'LOW' },
  })
  for (const order of [
    [notice, bundle, own, ghsa],
    [ghsa, own, bundle, notice],
  ]) {
    await emptyStore(database.db)
    for (const each of order) await load(each)
    expect(await severityOf('ALSA-2025:1')).toEqual({ severity: 'high', source: 'GHSA-aaaa' })
    expect(await severityOf('DSA-1')).toEqual({ severity: 'high', source: 'GHSA-aaaa' })
    expect(await severityOf(own.id)).toEqual({ severity: 'low', source: own.id })
  }
  await load({ ...ghsa, database_specific: { severity: 'CRITICAL' } })
  expect(await severityOf('ALSA-2025:1')).toEqual({ severity: 'critical', source: 'GHSA-aaaa' })
  await load({ ...ghsa, aliases: ['PYSEC-2025-1'] })
  expect(await severityOf('ALSA-2025:1')).toEqual({ severity: 'unknown', source: null })
  expect(await severityOf('DSA-1')).toEqual({ severity: 'unknown', source: null })
})

test('the records around a changed one are found by indexes, whatever the planner believes of the store', async () => {
  const many = Array.from({ length: 400 }, (_, at) =>
    record(`GHSA-${at}`, 'PyPI/django', { aliases: [`CVE-2025-${at}`] }),
  )
  await sql`alter table alias_assertion alter other_id set (n_distinct = 1)`.execute(database.db)
  try {
    await load(ghsa)
    await sql`analyze alias_assertion`.execute(database.db)
    const before = await tuplesRead('alias_assertion')
    await load(...many)
    expect((await tuplesRead('alias_assertion')) - before).toBeLessThan(many.length * 50)
  } finally {
    await sql`alter table alias_assertion alter other_id reset (n_distinct)`.execute(database.db)
  }
})

/** Rows read from a table and by its indexes, by this session and all committed ones. */
async function tuplesRead(table: string): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(database.db)
  const { rows } = await sql<{ count: number }>`
    select (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::int as count
    from pg_stat_user_tables t left join pg_stat_user_indexes i using (relid)
    where t.relname = ${table} group by t.seq_tup_read`.execute(database.db)
  return rows[0]?.count ?? 0
}

async function malware(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('vulnerability_group as g')
    .innerJoin('vulnerability as v', 'v.group_id', 'g.id')
    .select('g.title_id')
    .distinct()
    .where('g.is_malware', '=', true)
    .orderBy('g.title_id')
    .execute()
  return rows.map((row) => row.title_id)
}

test('a group is malware while a live record of malware belongs to it, however its records come, change and go', async () => {
  const bad = record('MAL-2026-1', 'npm/evil', { aliases: ['GHSA-evil'] })
  const advisory = record('GHSA-evil', 'npm/evil', {})
  for (const order of [
    [bad, advisory],
    [advisory, bad],
  ]) {
    await emptyStore(database.db)
    for (const each of order) await load(each)
    expect(await malware()).toEqual(['GHSA-evil'])
  }
  await load(record('MAL-2026-1', 'npm/evil', { modified: '2026-02-01T00:00:00Z', aliases: [] }))
  expect(await malware()).toEqual(['MAL-2026-1'])
  await load(record('GHSA-evil', 'npm/evil', { modified: '2026-02-02T00:00:00Z', aliases: ['MAL-2026-1'] }))
  expect(await malware()).toEqual(['GHSA-evil'])
  await load(
    record('MAL-2026-1', 'npm/evil', {
      modified: '2026-02-03T00:00:00Z',
      withdrawn: '2026-02-03T00:00:00Z',
    }),
  )
  expect(await malware()).toEqual([])
})
