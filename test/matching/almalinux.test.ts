import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSbom } from '../../src/formats/sbom/read-sbom.ts'
import { matchIdentities } from '../../src/matching/match-identities.ts'
import {
  distinctComponents,
  identifierOf,
  type IdentifiedRow,
} from '../../src/sbom/components/component-rows.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { importDeps } from '../vulndata/support.ts'
import { addRecord } from '../support/records.ts'
import { addIdentity, storeIdentities } from '../support/parts.ts'
import { testNow } from '../support/clock.ts'

const samples = resolve('../shared/data')
const container = join(samples, 'sbom/containers/spdx-syft-percona_percona-server-mongodb.spdx.json')

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** The RPM packages of the Oracle Linux 8.7 container, but for those of Percona, after changing its text. */
function rpmPackages(change: (text: string) => string): IdentifiedRow[] {
  const document = readSbom(Buffer.from(change(readFileSync(container, 'utf8'))))
  return [...distinctComponents(document)]
    .filter(({ component }) => component.purl?.startsWith('pkg:rpm/') === true)
    .filter(({ component }) => !component.name.startsWith('percona-'))
    .map(identifierOf(document))
}

/** The same packages as built by another distribution. */
const asAlmaLinux = (release: '8' | '9') =>
  rpmPackages((text) =>
    text
      .replaceAll('pkg:rpm/ol/', 'pkg:rpm/almalinux/')
      .replaceAll('distro=ol-8.7', `distro=almalinux-${release}.1`)
      .replaceAll('.el8', `.el${release}`),
  )

type Match = { record: string; grade: string; places: string[] }

/** Records that affect the packages, with the ecosystems (`AlmaLinux:8`) each names. */
async function matchesOf(rows: readonly IdentifiedRow[]): Promise<Match[]> {
  await storeIdentities(database.db, rows)
  const ids = rows.map((row) => row.identityId)
  await matchIdentities(database.db, ids, { now: testNow })
  const found = await sql<Match>`
    select distinct v.record_id as record, m.grade,
      array(select distinct p->'package'->>'ecosystem' from jsonb_array_elements(v.document::jsonb->'affected') as p) as places
    from identity_match m join vulnerability v on v.id = m.vulnerability_id
    where m.identity_id = any(${ids}::uuid[])`.execute(database.db)
  return found.rows
}

describe.skipIf(!existsSync(container))('packages of the sample container (needs the sample data)', () => {
  beforeAll(async () => {
    const from = join(samples, 'osv/AlmaLinux')
    await importVulnerabilityData(importDeps(database.db), { from, now: testNow })
  })

  it('as Oracle Linux are met by no advisory of another distribution', async () => {
    const rows = rpmPackages((text) => text)
    expect(rows.length).toBeGreaterThan(150)
    expect(new Set(rows.map((row) => row.identity.ecosystem))).toEqual(new Set(['Oracle Linux']))
    expect(await matchesOf(rows)).toEqual([])
  })

  it.each(['8', '9'] as const)(
    'as AlmaLinux %s get the advisories of that release and no other',
    async (release) => {
      const rows = asAlmaLinux(release)
      expect(new Set(rows.map((row) => row.identity.release))).toEqual(new Set([release]))
      const matches = await matchesOf(rows)
      expect(matches.length).toBeGreaterThan(20)
      expect(matches.filter((match) => !match.places.includes(`AlmaLinux:${release}`))).toEqual([])
      expect(new Set(matches.map((match) => match.grade))).toEqual(new Set(['exact']))
    },
  )
})

it('a module build meets an erratum that names no stream as possible, and one of another stream not at all', async () => {
  const affected = {
    ecosystem: 'AlmaLinux',
    name: 'nodejs',
    scheme: 'rpm',
    release: '8',
    ranges: [['0', '9']],
  } as const
  await addRecord(database.db, { id: 'ALSA-TEST:1', affected: [{ ...affected, stream: 'module' }] })
  await addRecord(database.db, { id: 'ALSA-TEST:2', affected: [{ ...affected, stream: 'nodejs:18' }] })
  await addRecord(database.db, { id: 'ALSA-TEST:3', affected: [{ ...affected, stream: 'nodejs:20' }] })
  await addRecord(database.db, { id: 'ALSA-TEST:4', affected: [affected] })
  const part = {
    ecosystem: 'AlmaLinux',
    name: 'nodejs',
    version: '8-1.module_el8',
    scheme: 'rpm',
    release: '8',
  } as const
  const id = await addIdentity(database.db, { ...part, stream: 'nodejs:18' })
  await matchIdentities(database.db, [id], { now: testNow })
  const { rows } = await sql<{ match: string }>`
    select concat_ws(' ', v.record_id, m.grade, m.grade_reason) as match
    from identity_match m join vulnerability v on v.id = m.vulnerability_id
    where m.identity_id = ${id} and v.record_id like 'ALSA-TEST:%' order by 1`.execute(database.db)
  expect(rows.map((row) => row.match)).toEqual(['ALSA-TEST:1 possible module_unknown', 'ALSA-TEST:2 exact'])
})
