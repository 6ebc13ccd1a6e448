import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSbom } from '../../src/formats/sbom/read-sbom.ts'
import { compareSboms } from '../../src/vulnerabilities/compare-sboms.ts'
import { areCpesGuessed } from '../../src/findings/refresh/cpe-guesses.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { matchPackages } from '../../src/findings/changes/match-packages.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { storeSbom } from '../../src/sbom/store-sbom.ts'
import { uploadDetails } from '../../src/sbom/upload-details.ts'
import { createCompany, createFamilyToken, type Company } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addRecord, type RecordFacts } from '../support/records.ts'
import { packageKeyOf } from '../support/parts.ts'
import { testNow } from '../support/clock.ts'
import { textLike } from '../support/expected.ts'

let database: TestDatabase
let company: Company
let minute = 0

const pump: RecordFacts = {
  id: 'NVD:CVE-2025-1',
  affected: [{ ecosystem: 'cpe', name: 'a:acme:pump', scheme: 'generic', ranges: [['0', '2.0']] }],
}

beforeAll(async () => {
  database = await createTestDatabase()
  company = await createCompany(database.db, 'acme')
  await addRecord(database.db, pump)
})
afterAll(() => database.drop())

function after(minutes: number): Date {
  return new Date(testNow.getTime() + minutes * 60_000)
}

const firmware = {
  type: 'firmware',
  name: 'pump',
  version: '1.6',
  cpe: 'cpe:2.3:a:acme:pump:1.6:*:*:*:*:*:*:*',
}

/** Uploads an SBOM of the pump written by this tool, and matches it. Uploads are a minute apart. */
async function upload(tool: string, version: string, components: unknown[] = [firmware]): Promise<string> {
  minute += 1
  const now = after(minute)
  const body = Buffer.from(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: minute,
      metadata: { tools: [{ name: tool }] },
      components,
    }),
  )
  const { id: tokenId } = await createFamilyToken(database.db, company)
  const unsaid = { source: null, commit: null, branch: null, repository: null, runUrl: null }
  const sent = {
    sender: { ...company, tokenId, name: 'ci' },
    contentEncoding: undefined,
    details: uploadDetails({ ...unsaid, productVersion: version }),
    requestId: 'request',
    address: '127.0.0.1',
  }
  const file = {
    body,
    sha256: hash('sha256', body, 'buffer'),
    sizeBytes: body.length,
    document: readSbom(body),
  }
  const { id } = await storeSbom(database.db, sent, file, {
    clock: () => now,
    storeBeside: () => Promise.resolve(),
  })
  await matchSbom(database.db, { workspaceId: company.workspaceId, sbomId: id, now })
  return id
}

async function findings(version: string) {
  return database.db
    .selectFrom('finding as f')
    .innerJoin('product_version as v', 'v.id', 'f.version_id')
    .select(['f.id', 'f.identity_id', 'f.grade', 'f.first_seen_at', 'f.closed_at'])
    .where('v.name', '=', version)
    .execute()
}

async function gradeReason(findingId: string) {
  const { workspaceId } = company
  const { gradeReason: reason, records } = await explainFinding(database.db, {
    workspaceId,
    findingId,
    now: after(0),
  })
  return { reason, grades: records.map((record) => record.grade) }
}

describe('a CPE that one tool guesses and another knows', () => {
  it('is one component and one identity; the SBOM decides the grade of its finding, which stays', async () => {
    await upload('syft', '1')
    const [guessed, ...none] = await findings('1')
    expect(none).toEqual([])
    expect(guessed).toMatchObject({ grade: 'possible', first_seen_at: after(minute), closed_at: null })
    expect(await gradeReason(guessed?.id ?? '')).toEqual({
      reason: textLike(/guessed by a tool/),
      grades: ['possible'],
    })

    await upload('author', '1')
    expect(await findings('1')).toEqual([{ ...guessed, grade: 'exact' }])
    expect(await gradeReason(guessed?.id ?? '')).toEqual({ reason: null, grades: ['exact'] })

    await upload('syft', '1')
    expect(await findings('1')).toEqual([guessed])
    const { rows } = await sql`
      select from component where family_id = ${company.familyId}
      union all select from component_identity`.execute(database.db)
    expect(rows).toHaveLength(2)
  })

  it('has the grade of each version’s own SBOM, and a changed record reaches both without difference', async () => {
    await upload('syft', 'guessed')
    await upload('author', 'known')
    const grades = async () =>
      [...(await findings('guessed')), ...(await findings('known'))].map(({ grade }) => grade)
    expect(await grades()).toEqual(['possible', 'exact'])

    await addRecord(database.db, pump)
    await database.db.deleteFrom('job').execute()
    await matchPackages(database.db, {
      packageKeys: [packageKeyOf('cpe', 'a:acme:pump')],
      now: after(minute),
    })
    // The stored grades are correct, so no family has to be looked at again.
    expect(await database.db.selectFrom('job').select('kind').execute()).toEqual([])

    await database.db.updateTable('finding').set({ grade: 'exact' }).execute()
    await matchPackages(database.db, {
      packageKeys: [packageKeyOf('cpe', 'a:acme:pump')],
      now: after(minute),
    })
    expect(await database.db.selectFrom('job').select('kind').execute()).toEqual([
      { kind: 'refresh_findings' },
    ])
  })

  it('counts in a comparison with the grade of its SBOM', async () => {
    const [before, between] = [await upload('author', 'empty', []), await upload('syft', 'compared')]
    const { workspaceId } = company
    const { findings: known } = await compareSboms(database.db, { workspaceId, before, after: between })
    expect(known).toMatchObject({ added: 1, rows: [{ change: 'added', grade: 'possible' }] })
  })
})

it.each([
  [['syft 1.2.0'], true],
  [['Syft-0.64.0'], true],
  [['Trivy 0.50', 'anchore/syft 1.0'], true],
  [['buildkit-syft-scanner'], true],
  [['Trivy 0.50'], false],
  [['CycloneDX Maven plugin 2.7'], false],
  [[], false],
])('%j guesses: %j', async (tools, expected) => {
  const { rows } = await sql<{ guessed: boolean }>`
    select ${areCpesGuessed(sql`${tools}::text[]`)} as guessed`.execute(database.db)
  expect(rows).toEqual([{ guessed: expected }])
})
