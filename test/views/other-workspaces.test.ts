import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { searchWorkspace } from '../../src/views/search-workspace.ts'
import { prefillAdvisory } from '../../src/advisories/reads/prefill-advisory.ts'
import { searchComponents } from '../../src/inventory/components/search-components.ts'
import { selectWorkspaceCoverage } from '../../src/inventory/coverage/workspace-coverage.ts'
import { listReview } from '../../src/incidents/reads/list-review.ts'
import { describeMetrics } from '../../src/metrics/reads/describe-metrics.ts'
import { describeVulnerability } from '../../src/vulnerabilities/describe-vulnerability.ts'
import { listExploited } from '../../src/vulnerabilities/list-exploited.ts'
import { listVulnerabilities } from '../../src/vulnerabilities/list-vulnerabilities.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { testSealing } from '../support/http.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { npm } from '../support/parts.ts'
import { addFamily, addSbom, addWorkspace } from '../support/rows.ts'
import { recorded, rowsRead } from '../support/rows-read.ts'

const parts = Array.from({ length: 40 }, (_, number) => npm(`part-${number}`, '1.0.0'))
const otherWorkspaces = 30

let store: TestDatabase
let workspaceId: string
/** The result of each list and the rows it read, before and after other workspaces have the same data. */
const before = new Map<string, Reading>()
const after = new Map<string, Reading>()

const lists: [string, (db: Db) => Promise<unknown>][] = [
  [
    'the search over everything',
    (db) => {
      const owner = { role: 'owner', person: { personId: workspaceId }, now: testNow } as const
      return searchWorkspace({ ...owner, workspaceId, deps: { db, sealing: testSealing } }, 'part-12')
    },
  ],
  ['the vulnerabilities', (db) => listVulnerabilities(db, open())],
  ['the vulnerabilities of a component', (db) => listVulnerabilities(db, open('part-12'))],
  ['the vulnerabilities of an alias', (db) => listVulnerabilities(db, open('GHSA-1'))],
  ['one vulnerability', (db) => describeVulnerability(db, workspaceId, 'CVE-2024-0012', testNow)],
  ['what is exploited', (db) => listExploited(db, workspaceId)],
  ['the components of a name', (db) => searchComponents(db, { workspaceId, search: 'part-1' })],
  ['what to put into an advisory', (db) => prefillAdvisory(db, workspaceId, 'CVE-2024-0012')],
  ['the review of matches', (db) => listReview(db, { workspaceId })],
  [
    'the metrics',
    (db) => describeMetrics(db, { workspaceId, familyId: null, days: 90, timeZone: 'UTC' }, testNow),
  ],
  ['the coverage', (db) => selectWorkspaceCoverage(db, workspaceId, testNow)],
]

function open(search?: string) {
  return { workspaceId, search, verdict: 'open', sort: 'urgency' } as const
}

beforeAll(async () => {
  store = await createTestDatabase({ isNew: true })
  for (let number = 0; number < parts.length; number += 4) {
    const cve = `CVE-2024-00${String(number).padStart(2, '0')}`
    const affected = [
      { ecosystem: 'npm', name: `part-${number}`, scheme: 'semver', ranges: [['0', '2.0.0']] },
    ] as const
    await addRecord(store.db, { id: `GHSA-${number}`, group: cve, aliases: [cve], affected })
    await addExploited(store.db, { source: 'kev', cveId: cve })
  }
  workspaceId = await addWorkspace(store.db, 'acme')
  for (const name of ['Pump', 'Valve']) {
    const sbomId = await addSbom(store.db, await addFamily(store.db, workspaceId, name), { parts })
    await matchSbom(store.db, { workspaceId, sbomId, now: testNow })
  }
  await readAll(before)
  await copyWorkspace()
  await readAll(after)
})
afterAll(() => store.drop())

it.each(lists.map(([name]) => name))('%s reads nothing of what other workspaces have', (name) => {
  expect(before.get(name)?.rows).toBeGreaterThan(0)
  expect(after.get(name)?.answer).toEqual(before.get(name)?.answer)
  // another plan may read a few rows more; those of 30 workspaces are far more
  expect(after.get(name)?.rows).toBeLessThan(3 * (before.get(name)?.rows ?? 0))
})

type Reading = { answer: unknown; rows: number }

async function readAll(readings: Map<string, Reading>): Promise<void> {
  await sql`analyze`.execute(store.db)
  for (const [name, list] of lists) {
    const { answer, queries } = await recorded(store, list)
    let rows = 0
    for (const query of queries) rows += await rowsRead(store, query)
    readings.set(name, { answer, rows })
  }
}

/** Copies of the workspace, with ids derived from the original's. */
async function copyWorkspace(): Promise<void> {
  const tables = [
    ...['workspace', 'family', 'sbom', 'sbom_inventory', 'finding'],
    ...['component', 'component_name', 'component_text', 'component_search'],
  ]
  for (const table of tables) {
    const own = table === 'workspace' ? 'id' : 'workspace_id'
    await sql`
      insert into ${sql.table(table)}
      select c.*
      from ${sql.table(table)} o
      cross join generate_series(1, ${otherWorkspaces}::int) n
      cross join lateral jsonb_populate_record(o, (
        select jsonb_object_agg(key, case when key = 'slug' then value || n::text else md5(value || n)::uuid::text end)
        from jsonb_each_text(to_jsonb(o)) where key in ('id', 'slug', 'workspace_id', 'family_id', 'sbom_id')
      )) c
      where o.${sql.ref(own)} = ${workspaceId}`.execute(store.db)
  }
}
