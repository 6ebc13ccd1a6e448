import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rematch } from '../../src/findings/changes/rematch.ts'
import { storeEntries } from '../../src/vulndata/catalogues/store-entries.ts'
import { compilerOf } from '../../src/vulndata/reading/compile-document.ts'
import { compileCve } from '../../src/records/nvd/compile-cve.ts'
import { parseDocument } from '../../src/source-files/documents.ts'
import { archiveFamily, restoreFamily } from '../../src/products/families/change-family.ts'
import { restoreVersion, retireVersion } from '../../src/products/versions.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { byCpe, debian, maven, npm, type Part } from '../support/parts.ts'
import { addFamily, addSbom, addVersion, addWorkspace, type Family } from '../support/rows.ts'
import { importDocument } from '../support/import-document.ts'
import { enqueueMatching } from '../support/enqueue-job.ts'
import { later } from '../support/clock.ts'
import { tester } from '../support/actors.ts'

const uploadStep = fc.record({
  kind: fc.constant('upload' as const),
  family: fc.nat(2),
  version: fc.nat(2),
  parts: fc.uniqueArray(fc.nat(24), { minLength: 3, maxLength: 12 }),
  isOwned: fc.boolean(),
  tools: fc.constantFrom('author 1', 'syft 1').map((tool) => [tool]),
})
const interval = fc.record({
  place: fc.nat(4),
  introduced: fc.nat(4),
  end: fc.nat(5),
  isIncluded: fc.boolean(),
})
const rarely = fc.nat(5).map((value) => value === 0)
const recordStep = fc.record({
  kind: fc.constant('record' as const),
  record: fc.nat(4),
  affected: fc.array(interval, { minLength: 1, maxLength: 4 }),
  // More than one CVE makes a bundle, which links no groups.
  aliases: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.nat(2)) },
    fc.uniqueArray(fc.nat(4), { maxLength: 3 }),
  ),
  isWithdrawn: rarely,
  isInformational: rarely,
  listed: fc.array(fc.nat(4), { maxLength: 2 }),
})
/** An NVD entry on the product by which two components are named. */
const entryStep = fc.record({
  kind: fc.constant('entry' as const),
  cve: fc.nat(4),
  end: fc.integer({ min: 1, max: 5 }),
})
const catalogueStep = fc.record({
  kind: fc.constant('catalogue' as const),
  feed: fc.constantFrom('kev' as const, 'euvd' as const),
  ids: fc.uniqueArray(fc.nat(4), { minLength: 2, maxLength: 3 }),
})
const versionStep = fc.record({
  kind: fc.constantFrom('retire' as const, 'restore' as const),
  family: fc.nat(2),
})
const familyStep = fc.record({
  kind: fc.constantFrom('archive' as const, 'unarchive' as const),
  family: fc.nat(2),
})
const step = fc.oneof(
  { weight: 4, arbitrary: recordStep },
  { weight: 3, arbitrary: uploadStep },
  { weight: 1, arbitrary: entryStep },
  { weight: 2, arbitrary: catalogueStep },
  { weight: 1, arbitrary: versionStep },
  { weight: 1, arbitrary: familyStep },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const places = ['npm', 'npm', 'Maven', 'Debian:11', 'Debian:12'] as const
const names = ['left', 'right', 'org:middle', 'deep', 'deep'] as const
const cves = Array.from({ length: 5 }, (_, index) => `CVE-2024-${1000 + index}`)

/** Index of the first Debian part below, whose release is unknown. */
const firstDebian = 20

/** Five versions of each package above, one Debian package of an unknown release, and one product with a CPE. */
function part(index: number): Part {
  const version = `${index % 5}.0`
  switch (Math.floor(index / 5)) {
    case 0:
      return npm('left', `${version}.0`)
    case 1:
      return index === 9 ? npm('right', '', { decidability: 'no_version' }) : npm('right', `${version}.0`)
    case 2:
      return maven('org:middle', version)
    case 3:
      return byCpe('a:acme:pump', version)
    default:
      return debian('deep', version, [null, '11', '11', '12', '12'][index % 5] ?? null)
  }
}

/** By index: the first Debian package of a known release owns the component that is no Debian package. */
function ownersAmong(parts: readonly number[]): [number, number][] {
  const owner = parts.findIndex((index) => index > firstDebian)
  if (owner === -1) return []
  return parts.flatMap((index, place) => (index < firstDebian ? [[owner, place] as [number, number]] : []))
}

let database: TestDatabase
let families: Family[]
let versions: string[][]
let minute = 0

beforeAll(async () => {
  database = await createTestDatabase()
  const [first, second] = [await addWorkspace(database.db, 'acme'), await addWorkspace(database.db, 'other')]
  families = [
    await addFamily(database.db, first, 'Pump'),
    await addFamily(database.db, first, 'Valve'),
    await addFamily(database.db, second, 'Pump'),
  ]
  versions = []
  for (const family of families) {
    versions.push([await addVersion(database.db, family, '1'), await addVersion(database.db, family, '2')])
  }
})
afterAll(() => database.drop())

async function take(taken: Step, now: Date): Promise<void> {
  switch (taken.kind) {
    case 'upload':
      return upload(taken, now)
    case 'record':
      return importRecord(taken, now)
    case 'entry':
      return importEntry(taken, now)
    case 'catalogue':
      return importEntries(taken, now)
    default:
      return changeFamily(taken, now)
  }
}

function familyAt(index: number): Family {
  const family = families[index]
  if (family === undefined) throw new Error('no such family')
  return family
}

async function upload(
  taken: typeof uploadStep extends fc.Arbitrary<infer T> ? T : never,
  now: Date,
): Promise<void> {
  const family = familyAt(taken.family)
  const versionId = versions[taken.family]?.[taken.version] ?? null
  const sbomId = await addSbom(database.db, family, {
    versionId,
    parts: taken.parts.map(part),
    tools: taken.tools,
    owners: taken.isOwned ? ownersAmong(taken.parts) : [],
    now,
  })
  await enqueueMatching(database.db, { ...family, sbomId }, now)
}

async function importRecord(
  taken: typeof recordStep extends fc.Arbitrary<infer T> ? T : never,
  now: Date,
): Promise<void> {
  const document = {
    id: ['GHSA-aaaa-bbbb-cccc', 'PYSEC-2024-1', 'DSA-5000-1', 'GHSA-dddd-eeee-ffff', 'RUSTSEC-2024-0001'][
      taken.record
    ],
    modified: now.toISOString(),
    ...(taken.isWithdrawn ? { withdrawn: now.toISOString() } : {}),
    aliases: taken.aliases.map((index) => cves[index]),
    affected: taken.affected.map(({ place, introduced, end, isIncluded }) => ({
      package: { ecosystem: places[place], name: names[place] },
      ...(taken.isInformational ? { database_specific: { informational: 'notice' } } : {}),
      versions: taken.listed.map((version) => `${version}.0${place < 2 ? '.0' : ''}`),
      ranges: [
        {
          type: 'ECOSYSTEM',
          events: [
            { introduced: introduced === 0 ? '0' : `${introduced}.0` },
            ...(end === 5 ? [] : [isIncluded ? { last_affected: `${end}.0` } : { fixed: `${end}.0` }]),
          ],
        },
      ],
    })),
  }
  await importDocument(database.db, document, { compile: compilerOf('osv'), now })
}

async function importEntry({ cve, end }: { cve: number; end: number }, now: Date): Promise<void> {
  const criteria = 'cpe:2.3:a:acme:pump:*:*:*:*:*:*:*:*'
  const cpeMatch = [{ vulnerable: true, criteria, versionEndExcluding: `${end}.0` }]
  const document = {
    cve: {
      id: cves[cve],
      lastModified: now.toISOString(),
      vulnStatus: 'Analyzed',
      descriptions: [{ lang: 'en', value: 'About the pump' }],
      configurations: [{ nodes: [{ operator: 'OR', negate: false, cpeMatch }] }],
    },
  }
  await importDocument(database.db, document, {
    compile: (read) => compileCve(parseDocument(read).value, read.name),
    now,
  })
}

async function importEntries(
  { feed, ids }: typeof catalogueStep extends fc.Arbitrary<infer T> ? T : never,
  now: Date,
): Promise<void> {
  const entries = ids.map((index) => ({
    cveId: cves[index] ?? '',
    euvdId: null,
    name: 'Exploited',
    listedOn: '2025-01-01',
    raw: {},
  }))
  await database.db.transaction().execute((tx) => storeEntries(tx, { feed, catalogue: feed, entries, now }))
}

async function changeFamily(
  { kind, family: index }: { kind: 'retire' | 'restore' | 'archive' | 'unarchive'; family: number },
  now: Date,
): Promise<void> {
  const family = familyAt(index)
  const versionId = versions[index]?.[0] ?? ''
  const acts = {
    retire: () => retireVersion(database.db, { ...family, versionId, actor: tester, now }),
    restore: () => restoreVersion(database.db, { ...family, versionId, actor: tester, now }),
    archive: () => archiveFamily(database.db, { ...family, actor: tester, now }),
    unarchive: () => restoreFamily(database.db, { ...family, actor: tester, now }),
  }
  // Retiring a retired version is refused, which does not matter here.
  await acts[kind]().catch((error: unknown) => expect(error).toMatchObject({ code: 'not_found' }))
}

/** All results of matching, without times and row ids. Findings of archived families stay as they were. */
async function worked(): Promise<{ matches: unknown[]; findings: unknown[] }> {
  const matches = await sql`
    select identity_id, vulnerability_id, grade, grade_reason, range_id from identity_match order by 1, 2`.execute(
    database.db,
  )
  const findings = await sql`
    select f.family_id, f.version_id, f.identity_id, f.group_id, f.grade, f.exploited_by
    from finding f join family p on p.id = f.family_id and p.archived_at is null
    where f.closed_at is null order by 1, 2, 3, 4`.execute(database.db)
  return { matches: matches.rows, findings: findings.rows }
}

/** How many matches are answered by the owners of components: all others are findings of their version. */
async function countSuppressed(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)
    from sbom s
    join family y on y.id = s.family_id and y.archived_at is null
    left join product_version p on p.id = s.version_id
    cross join unnest(s.owned_numbers) as n (number)
    join component c on c.family_id = s.family_id and c.number = n.number
    join identity_match m on m.identity_id = c.identity_id
    join vulnerability v on v.id = m.vulnerability_id and v.withdrawn_at is null
    where s.active and p.retired_at is null and not exists (
      select from finding f
      where f.family_id = s.family_id and f.version_id is not distinct from s.version_id
        and f.identity_id = c.identity_id and f.group_id = v.group_id and f.closed_at is null
    )`.execute(database.db)
  return rows[0]?.count ?? 0
}

/** A registry record that the owner’s distribution answers, then no longer, then again. */
const owned: Step[] = [
  { kind: 'upload', family: 0, version: 0, parts: [1, 7, 21], isOwned: true, tools: ['author 1'] },
  recordOn({ record: 0, place: 0, end: 5 }),
  recordOn({ record: 2, place: 3, end: 1 }),
  recordOn({ record: 2, place: 3, end: 2 }),
  recordOn({ record: 2, place: 3, end: 1 }),
]

function recordOn({ record, place, end }: { record: number; place: number; end: number }): Step {
  return {
    kind: 'record',
    record,
    affected: [{ place, introduced: 0, end, isIncluded: false }],
    aliases: [0],
    isWithdrawn: false,
    isInformational: false,
    listed: [],
  }
}

let maxSuppressed = 0
let maxMatches = 0
let maxFindings = 0

it(
  'after every change the stored results and findings are those of a full run on empty tables',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        for (const taken of steps) {
          minute += 1
          const now = later(minute)
          await take(taken, now)
          await drain(database.db, now)
          const incremental = await worked()
          const check = await rematch(database.db, { now })
          expect(check).toMatchObject({ isConsistent: true, firstMatches: 0, pendingJobs: 0 })
          await database.db.deleteFrom('identity_match').execute()
          await database.db.updateTable('component_identity').set({ matched_at: null }).execute()
          await rematch(database.db, { now })
          expect(incremental).toEqual(await worked())
          maxSuppressed = Math.max(maxSuppressed, await countSuppressed())
          maxMatches = Math.max(maxMatches, incremental.matches.length)
          maxFindings = Math.max(maxFindings, incremental.findings.length)
        }
      }),
      // The database carries over between runs, so shrinking would show nothing.
      { numRuns: 15, endOnFailure: true, examples: [[owned]] },
    )
    // The sequences reach states worth comparing.
    expect(maxSuppressed).toBeGreaterThan(0)
    expect(maxMatches).toBeGreaterThan(5)
    expect(maxFindings).toBeGreaterThan(3)
  },
)
