import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { listReported } from '../../src/views/vex/list-reported.ts'
import { selectClaimedFindings } from '../../src/views/vex/claimed-findings.ts'
import { listVulnerabilities } from '../../src/vulnerabilities/list-vulnerabilities.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { recorded, rowsRead } from '../support/rows-read.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { loadRecords } from '../matching/match-support.ts'
import { record } from '../vulndata/support.ts'

/** Tables of all vulnerabilities have millions of rows: pages look up in them the few ids that they show. */

const otherVulnerabilities = 3_000

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open()
  const { db } = scene.database
  await loadRecords(
    db,
    record('GHSA-aaaa-bbbb-cccc', 'npm/left', { aliases: ['CVE-2026-1001'] }),
    record('GHSA-aaaa-bbbb-dddd', 'npm/left', { upstream: ['CVE-2026-1002', 'CVE-2026-1003'] }),
    ...Array.from({ length: otherVulnerabilities }, (_, n) =>
      record(`OSV-2025-${n}`, 'npm/other', { aliases: [`CVE-2025-${n}`] }),
    ),
  )
  await sql`insert into euvd_mapping (euvd_id, cve_id)
    select 'EUVD-2025-' || n, 'CVE-2025-' || n from generate_series(1, ${otherVulnerabilities}::int) n
    union all select 'EUVD-2026-1001', 'CVE-2026-1001'`.execute(db)
  await scene.uploaded(
    cyclonedx({ components: [{ type: 'library', name: 'x', purl: 'pkg:npm/left@1.0.0' }] }),
  )
  const components = [{ type: 'library', name: 'x', 'bom-ref': 'x', purl: 'pkg:npm/right@1.0.0' }]
  const affects = [{ ref: 'x' }]
  const vulnerabilities = [
    { id: 'EUVD-2026-1001', analysis: { state: 'not_affected' }, affects },
    { id: 'GHSA-aaaa-bbbb-cccc', affects },
  ]
  await scene.uploadedVex(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: 'urn:uuid:00000000-0000-4000-8000-000000000001',
      version: 1,
      components,
      vulnerabilities,
    }),
  )
  await drain(db, testNow)
  await sql`analyze`.execute(db)
})
afterAll(() => scene.close())

const lists: [string, (db: Db) => Promise<unknown>][] = [
  [
    'the findings that statements of a document name',
    async (db) => {
      const { id: documentId } = await db.selectFrom('vex_document').select('id').executeTakeFirstOrThrow()
      const { workspaceId, familyId } = scene.company
      const scope = { workspaceId, familyId, documentId, versionId: null, everyVersion: true }
      return selectClaimedFindings(db, scope, [0, 1])
    },
  ],
  ['what scanners report', async (db) => (await listReported(db, scene.company)).rows],
  [
    'the vulnerabilities',
    async (db) => {
      const { workspaceId } = scene.company
      return (await listVulnerabilities(db, { workspaceId, verdict: 'all', sort: 'urgency' })).rows
    },
  ],
]

it.each(lists)('%s reads few of all ids', async (_, list) => {
  const { answer, queries } = await recorded(scene.database, list)
  expect(answer).not.toEqual([])
  for (const query of queries) expect(await rowsRead(scene.database, query)).toBeLessThan(1_000)
})
