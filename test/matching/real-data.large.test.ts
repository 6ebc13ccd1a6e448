import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSbom } from '../../src/formats/sbom/read-sbom.ts'
import { matchIdentities } from '../../src/matching/match-identities.ts'
import {
  distinctComponents,
  identifierOf,
  type IdentifiedRow,
} from '../../src/sbom/components/component-rows.ts'
import type { TestDatabase } from '../support/database.ts'
import { createSampleDatabase } from '../support/sample-database.ts'
import { isAffected, type RawRecord } from '../vulndata/osv-evaluator.ts'
import { storeIdentities } from '../support/parts.ts'
import { testNow } from '../support/clock.ts'

const samples = resolve('../shared/data')

let database: TestDatabase

beforeAll(async () => {
  database = await createSampleDatabase()
})
afterAll(() => database.drop())

/** The distinct identities of every readable sample SBOM. */
function sampleComponents(): IdentifiedRow[] {
  const rows = new Map<string, IdentifiedRow>()
  for (const folder of ['cyclonedx', 'spdx', 'containers']) {
    for (const file of readdirSync(join(samples, 'sbom', folder))) {
      const document = readSbom(readFileSync(join(samples, 'sbom', folder, file)))
      for (const row of [...distinctComponents(document)].map(identifierOf(document)))
        rows.set(row.identityId, row)
    }
  }
  return [...rows.values()]
}

type StoredIdentity = { id: string; packageKey: string; release: string; stream: string; version: string }

async function recordsByPackage(): Promise<Map<string, RawRecord[]>> {
  const { rows } = await sql<{ package_key: string; document: string }>`
    select distinct r.package_key, v.document
    from affected_range r
    join vulnerability v on v.id = r.vulnerability_id
    join component_identity i on i.package_key = r.package_key`.execute(database.db)
  const grouped = Map.groupBy(rows, (row) => row.package_key)
  return new Map(
    [...grouped].map(([key, list]) => [key, list.map((row) => JSON.parse(row.document) as RawRecord)]),
  )
}

test.skipIf(!existsSync(join(samples, 'osv')))(
  'the components of the sample SBOMs match the sample records exactly where the slow evaluator says so (needs the sample data)',
  async () => {
    await storeIdentities(database.db, sampleComponents())
    const identities = await database.db
      .selectFrom('component_identity')
      .select(['id', 'package_key as packageKey', 'release', 'stream', 'version'])
      .where('decidability', '=', 'covered')
      .$narrowType<StoredIdentity>()
      .execute()
    await matchIdentities(
      database.db,
      identities.map((identity) => identity.id),
      { now: testNow },
    )
    const { rows } = await sql<{ match: string }>`
      select m.identity_id || ' ' || v.record_id as match
      from identity_match m join vulnerability v on v.id = m.vulnerability_id`.execute(database.db)
    const records = await recordsByPackage()
    const expected = identities.flatMap((identity) =>
      (records.get(identity.packageKey) ?? [])
        .filter((record) => isAffected(record, identity, identity.version))
        .map((record) => `${identity.id} ${record.id}`),
    )
    expect(rows.map((row) => row.match).sort()).toEqual(expected.sort())
    expect(expected.length).toBeGreaterThan(200)
  },
  120_000,
)
