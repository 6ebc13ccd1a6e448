import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isOrderable, versionKey, type VersionScheme } from '../../src/versions/ordering.ts'
import { isInside } from '../../src/versions/range.ts'
import { compileRecord } from '../../src/records/osv/compile-record.ts'
import type { TestDatabase } from '../support/database.ts'
import { createSampleDatabase } from '../support/sample-database.ts'
import { isAffected, Undecided, type PackageOfRelease, type RawRecord } from './osv-evaluator.ts'

const samples = resolve('../shared/data/osv')

let database: TestDatabase

beforeAll(async () => {
  database = await createSampleDatabase()
})
afterAll(() => database.drop())

type Pair = PackageOfRelease & { scheme: VersionScheme; version: string; key: Buffer }

/** Versions at, just around and between the bounds of a package's ranges. */
function versionsAround(bounds: readonly string[]): string[] {
  const versions = new Set<string>(['0.0.1', '1.0.0', '99999.0.0'])
  for (const bound of bounds)
    for (const tail of ['', '.1', '-1', '-rc1', '.0', '+x', '0']) versions.add(bound + tail)
  return [...versions]
}

type PackageRow = PackageOfRelease & { scheme: VersionScheme; bounds: string[] }

async function samplePairs(ecosystem: string): Promise<Pair[]> {
  const { rows } = await sql<PackageRow>`
    select package_key as "packageKey", release, stream, scheme,
      coalesce((array_agg(distinct upper_text) filter (where upper_text is not null))[1:4], '{}')
        || coalesce((array_agg(distinct introduced) filter (where introduced <> '0'))[1:4], '{}') as bounds
    from affected_range
    where starts_with(package_key, ${ecosystem} || chr(31)) and stream <> 'module'
    group by package_key, release, stream, scheme
    order by md5(package_key || release)
    limit 150`.execute(database.db)
  return rows.flatMap(({ bounds, ...place }) =>
    versionsAround(bounds).flatMap((version) => {
      const key = versionKey(place.scheme, version)
      return key === null ? [] : [{ ...place, version, key: Buffer.from(key) }]
    }),
  )
}

/** Record ids by the number of the pair, decided by the stored keys. */
async function decideByKeys(pairs: readonly Pair[]): Promise<Map<number, Set<string>>> {
  const { rows } = await sql<{ pair: number; record_id: string }>`
    select distinct p.pair, v.record_id
    from unnest(${pairs.map((pair) => pair.packageKey)}::text[], ${pairs.map((pair) => pair.release)}::text[],
      ${pairs.map((pair) => pair.stream)}::text[], ${pairs.map((pair) => pair.key)}::bytea[])
      with ordinality as p (package_key, release, stream, version_key, pair)
    join affected_range r on r.package_key = p.package_key and r.release = p.release and r.stream = p.stream
    join vulnerability v on v.id = r.vulnerability_id
    where r.lower_key <= p.version_key
      and (r.upper_key is null or p.version_key < r.upper_key or (r.upper_included and p.version_key = r.upper_key))`.execute(
    database.db,
  )
  const found = new Map<number, Set<string>>()
  for (const row of rows) found.set(row.pair - 1, (found.get(row.pair - 1) ?? new Set()).add(row.record_id))
  return found
}

async function recordsOf(places: readonly PackageOfRelease[]): Promise<Map<string, RawRecord[]>> {
  const { rows } = await sql<{ package_key: string; document: string }>`
    select distinct r.package_key, v.document
    from affected_range r join vulnerability v on v.id = r.vulnerability_id
    where r.package_key = any(${[...new Set(places.map((place) => place.packageKey))]}::text[])`.execute(
    database.db,
  )
  const records = new Map<string, RawRecord[]>()
  for (const row of rows) {
    const list = records.get(row.package_key) ?? []
    list.push(JSON.parse(row.document) as RawRecord)
    records.set(row.package_key, list)
  }
  return records
}

test.skipIf(!existsSync(samples)).each(['AlmaLinux', 'Bitnami', 'Go', 'PyPI', 'crates.io'])(
  '%s (needs the sample data): the stored ranges and the slow evaluator agree on every sampled package and version',
  async (ecosystem) => {
    const pairs = await samplePairs(ecosystem)
    expect(pairs.length).toBeGreaterThan(1_500)
    const decided = await decideByKeys(pairs)
    const records = await recordsOf(pairs)
    const differences: string[] = []
    let affected = 0
    let undecided = 0
    for (const [index, pair] of pairs.entries()) {
      const stored = decided.get(index) ?? new Set()
      for (const record of records.get(pair.packageKey) ?? []) {
        const isSo = decide(() => isAffected(record, pair, pair.version))
        // Undecidable cases are stored as doubts, which have tables of their own.
        if (isSo === undefined) undecided += 1
        if (isSo === undefined) continue
        if (isSo) affected += 1
        if (isSo !== stored.has(record.id))
          differences.push(`${pair.packageKey} ${pair.version} ${record.id}: ${String(isSo)}`)
      }
    }
    expect(differences).toEqual([])
    expect(affected).toBeGreaterThan(300)
    expect(undecided).toBeLessThan(affected / 10)
  },
  120_000,
)

function decide(judge: () => boolean): boolean | undefined {
  try {
    return judge()
  } catch (error) {
    if (error instanceof Undecided) return undefined
    throw error
  }
}

const version = fc
  .tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }), fc.constantFrom('', '', '-rc1', '-alpha'))
  .map(([major, minor, tail]) => `${major}.${minor}.0${tail}`)

const kinds = fc.constantFrom('introduced', 'fixed', 'last_affected', 'introduced', 'limit')
const events = fc
  .uniqueArray(version, { maxLength: 7 })
  .chain((versions) => fc.tuple(...versions.map((each) => kinds.map((kind) => ({ [kind]: each })))))
  .chain((list) => fc.constantFrom(list, [{ introduced: '0' }, ...list], [...list, { introduced: '0' }]))

const anyRecord = fc.record(
  {
    id: fc.constantFrom('OSV-1', 'OSV-1', 'MAL-1'),
    modified: fc.constant('2025-01-01T00:00:00Z'),
    withdrawn: fc.constant('2025-01-01T00:00:00Z'),
    affected: fc.array(
      fc.record(
        {
          package: fc.record({
            ecosystem: fc.constantFrom('npm', 'PyPI', 'Maven', 'Pub'),
            name: fc.constant('pkg'),
          }),
          ranges: fc.array(fc.record({ type: fc.constantFrom('SEMVER', 'ECOSYSTEM', 'GIT'), events }), {
            maxLength: 3,
          }),
          versions: fc.array(version, { maxLength: 5 }),
        },
        { requiredKeys: ['package'] },
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['id', 'modified', 'affected'] },
)

const schemes = { npm: 'semver', PyPI: 'pep440', Maven: 'maven', Pub: 'pub' } as const

test('any record, however unsorted, compiles to what the slow evaluator says', () => {
  const tried = fc.sample(version, { numRuns: 40, seed: 7 })
  fc.assert(
    fc.property(anyRecord, (raw) => {
      const { ranges } = compileRecord(raw, JSON.stringify(raw), 'test').ranges()
      for (const [ecosystem, scheme] of Object.entries(schemes)) {
        const place = { packageKey: `${ecosystem}\u001fpkg`, release: '', stream: '' }
        for (const each of tried.filter((text) => isOrderable(scheme, text))) {
          const key = versionKey(scheme, each)
          const isCompiled = ranges.some((range) => {
            // what a record leaves open is in doubt, and nothing by the algorithm
            if (range.packageKey !== place.packageKey || range.doubt !== null) return false
            const { introduced, upperText: upper, upperIncluded } = range
            if (key === null) return isInside(scheme, each, { introduced, upper, upperIncluded }) === true
            const { lowerKey, upperKey } = range
            if (lowerKey === null || Buffer.compare(lowerKey, key) > 0) return false
            const above = upperKey === null ? -1 : Buffer.compare(key, upperKey)
            return above < 0 || (upperIncluded && above === 0)
          })
          expect([each, isCompiled]).toEqual([each, isAffected(raw as RawRecord, place, each)])
        }
      }
    }),
    { numRuns: 400 },
  )
})
