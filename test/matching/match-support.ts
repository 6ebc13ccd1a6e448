import { sql } from 'kysely'
import type { Db } from '../../src/database/connection.ts'
import { readSbom } from '../../src/formats/sbom/read-sbom.ts'
import { matchIdentities } from '../../src/matching/match-identities.ts'
import { distinctComponents, identifierOf } from '../../src/sbom/components/component-rows.ts'
import type { RecordReport } from '../../src/vulndata/reading/record-import.ts'
import { importFile } from '../vulndata/support.ts'
import { storeIdentities } from '../support/parts.ts'
import { testNow } from '../support/clock.ts'

/** Imports records as lines of a file. */
export async function loadRecords(db: Db, ...records: unknown[]): Promise<RecordReport> {
  const lines = records.map((each) => JSON.stringify(each)).join('\n')
  return (await importFile(db, ['all.ndjson', lines])) as RecordReport
}

/** An OSV record on all versions of a package before one. */
export function fixedIn(id: string, ecosystem: string, name: string, fixed: string): { id: string } {
  const ranges = [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }]
  const record = {
    id,
    modified: '2026-01-01T00:00:00Z',
    affected: [{ package: { ecosystem, name }, ranges }],
  }
  return record
}

/** Imports an NVD feed with one CVE for each criterion. */
export async function loadNvd(db: Db, ...criteria: Record<string, unknown>[]): Promise<void> {
  const cpeMatch = criteria.map((match) => ({ vulnerable: true, ...match }))
  const vulnerabilities = cpeMatch.map((match, index) => ({
    cve: {
      id: `CVE-2025-${1000 + index}`,
      lastModified: '2025-05-01T00:00:00.000',
      configurations: [{ nodes: [{ operator: 'OR', cpeMatch: [match] }] }],
    },
  }))
  const feed = { resultsPerPage: vulnerabilities.length, format: 'NVD_CVE', version: '2.0', vulnerabilities }
  await importFile(db, ['feed.json', JSON.stringify(feed)])
}

/** The matches of a component, as `RECORD grade reason`. */
export async function matchesOf(db: Db, component: Record<string, unknown>): Promise<string[]> {
  return matchesIn(db, {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: [{ type: 'library', name: 'x', ...component }],
  })
}

/** The matches of a document's components. */
export async function matchesIn(db: Db, bom: unknown): Promise<string[]> {
  const document = readSbom(Buffer.from(JSON.stringify(bom)))
  const rows = [...distinctComponents(document)].map(identifierOf(document))
  await storeIdentities(db, rows)
  const ids = rows.map((row) => row.identityId)
  await matchIdentities(db, ids, { now: testNow })
  const { rows: found } = await sql<{ match: string }>`
    select concat_ws(' ', v.record_id, m.grade, m.grade_reason) as match
    from identity_match m join vulnerability v on v.id = m.vulnerability_id
    where m.identity_id = any(${ids}::uuid[]) order by 1`.execute(db)
  return found.map((row) => row.match)
}
