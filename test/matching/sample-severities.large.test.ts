import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { createFamilyToken } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { importDeps } from '../vulndata/support.ts'
import { testNow } from '../support/clock.ts'
import { readAs } from '../support/read-as.ts'

const samples = resolve('../shared/data')
const folders = ['cyclonedx', 'spdx', 'containers'].map((name) => join(samples, 'sbom', name))

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open()
})
afterAll(() => scene.close())

async function load(from: string): Promise<void> {
  const { db } = scene.database
  await importVulnerabilityData(importDeps(db), { from: join(samples, from), now: testNow })
  await drain(db, testNow)
}

/** The number of findings and of those with unknown severity, from the results of the SBOMs. */
async function countResults(sbomIds: readonly string[]): Promise<{ total: number; unknown: number }> {
  const { secret } = await createFamilyToken(scene.database.db, scene.company, { kind: 'results' })
  const sums = { total: 0, unknown: 0 }
  for (const id of sbomIds) {
    const answer = await call(`${scene.http.url}/api/v1/sboms/${id}`, { token: secret })
    const { matches } = readAs(SbomResult, answer.body)
    sums.total += matches.total
    sums.unknown += matches.bySeverity.unknown
  }
  return sums
}

/** Findings of unknown severity whose record names a CVE scored by vulnrichment. */
async function missedFindings(): Promise<string[]> {
  const { rows } = await sql<{ finding: string }>`
    select distinct g.title_id || ' on ' || i.subject as finding
    from finding f
    join vulnerability_group g on g.id = f.group_id
    join component_identity i on i.id = f.identity_id
    join vulnerability v on v.group_id = f.group_id
    join alias_assertion a on a.vulnerability_id = v.id and a.relation <> 'related'
    join vulnerability s on s.record_id = 'CISA-VULNRICHMENT:' || a.other_id
    where f.closed_at is null and g.severity = 'unknown' and s.severity <> 'unknown' and s.withdrawn_at is null
    order by 1`.execute(scene.database.db)
  return rows.map(({ finding }) => finding)
}

test.skipIf(!existsSync(join(samples, 'vulnrichment.zip')))(
  'no finding of the sample SBOMs with Go data is of unknown severity when vulnrichment scores its CVE (needs the sample data)',
  async () => {
    const ids: string[] = []
    for (const folder of folders) {
      for (const file of readdirSync(folder)) {
        const body = readFileSync(join(folder, file))
        ids.push((await scene.uploaded(body, { query: `?version=${encodeURIComponent(file)}` })).id)
      }
    }
    await load('osv/Go')
    const before = await countResults(ids)
    expect(before.unknown).toBeGreaterThan(900)
    await load('vulnrichment.zip')
    const after = await countResults(ids)
    expect(await missedFindings()).toEqual([])
    // the sample has one in eight of the CVEs in Go's records
    expect(after.total).toBe(before.total)
    expect(before.unknown - after.unknown).toBeGreaterThan(50)
    console.info(
      `findings of unknown severity: ${before.unknown} before, ${after.unknown} after, of ${after.total}`,
    )
  },
  600_000,
)
