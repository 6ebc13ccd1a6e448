import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { followIdentities } from '../../src/incidents/openings/follow-identities.ts'
import { selectReplacedSboms } from '../../src/sbom/retention/select-replaced.ts'
import type { Db } from '../../src/database/connection.ts'
import { later } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { recorded, rowsRead } from '../support/rows-read.ts'
import { npm } from '../support/parts.ts'
import { addFamily, addSbom, addWorkspace, type Family } from '../support/rows.ts'

/** What has left an SBOM is looked for under another identity, and counts in retention: with many such components in a large family too. */

let store: TestDatabase
let family: Family
const present = 300
const gone = 100

beforeAll(async () => {
  store = await createTestDatabase()
  const { db } = store
  family = await addFamily(db, await addWorkspace(db, 'acme'), 'Pump')
  const parts = Array.from({ length: present + gone }, (_, number) => npm(`part-${number}`, '1.0.0'))
  await addSbom(db, family, { parts })
  await addSbom(db, family, { parts: parts.slice(0, present), now: later(1) })
  await addSbom(db, family, { parts: parts.slice(0, present), now: later(2) })
  const ofFamily = sql`${family.workspaceId}::uuid, ${family.familyId}::uuid`
  const incident = sql`'00000000-0000-4000-8000-000000000001'::uuid`
  await sql`
    insert into incident (id, workspace_id, reference, kind, title, aliases, source, listed_by, severity, is_exercise, status, opened_at,
      opened_by_kind, opened_by_name, aware_at)
    values (${incident}, ${family.workspaceId}, 'INC-1', 'vulnerability', 'a', '{}', 'kev', '{}', 'high', false, 'open', now(), 'system', 's', now())`.execute(
    db,
  )
  await sql`
    insert into incident_affected (incident_id, workspace_id, family_id, identity_id, group_id, vuln_key, component, listed_by, added_at)
    select ${incident}, ${ofFamily}, identity_id, 1, 'CVE-2026-1', name, '{}', now() from component where number > ${present}`.execute(
    db,
  )
  await sql`analyze component, sbom, incident_affected`.execute(db)
})
afterAll(() => store.drop())

it.each<[what: string, read: (db: Db) => Promise<unknown>]>([
  [
    'incidents are followed',
    (db) =>
      db.transaction().execute((tx) => followIdentities(tx, { ...family, familyIds: [family.familyId] })),
  ],
  ['replaced SBOMs are judged', (db) => selectReplacedSboms(db, family)],
])('%s without reading the components of a family once for each', async (_what, read) => {
  const { queries } = await recorded(store, read)
  const counts = await Promise.all(
    queries.filter(({ sql: text }) => text.includes('namesake')).map((query) => rowsRead(store, query)),
  )
  expect(counts.length).toBeGreaterThan(0)
  for (const count of counts) expect(count).toBeLessThan(5 * (present + gone))
})
