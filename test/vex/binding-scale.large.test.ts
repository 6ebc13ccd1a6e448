import { afterAll, beforeAll, expect, it } from 'vitest'
import type { VexTarget } from '../../src/contract/vex/shapes.ts'
import { refreshVerdictsOfVersion } from '../../src/findings/verdicts/refresh-verdicts.ts'
import { addFamily, addVersion, addWorkspace, type Family } from '../support/rows.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { sendDocument } from './verdict-scene.ts'
import { later, testNow } from '../support/clock.ts'

const findings = 10_000
const statements = 50_000
/** Far above what it takes; row by row it would take minutes. */
const withinMs = 60_000

let database: TestDatabase
let workspaceId: string

beforeAll(async () => {
  database = await createTestDatabase()
  workspaceId = await addWorkspace(database.db, 'acme')
})
afterAll(() => database.drop())

/** A version whose components `p1`, `p2` … have one finding each, on separate vulnerabilities or all on the first one. */
async function fill(
  name: string,
  { isOneVulnerability }: { isOneVulnerability: boolean },
): Promise<Family & { versionId: string }> {
  const family = await addFamily(database.db, workspaceId, name)
  const versionId = await addVersion(database.db, family, '1.0')
  const { pool } = database
  const run = (text: string, values: unknown[] = []) => pool.query(text, values)
  await run(
    `insert into component_identity (id, ecosystem, package_key, subject, version, release, stream, scheme, version_key,
       key_generation, decidability, reason, basis, created_at)
     select md5('p' || n)::uuid, 'npm', 'npm' || chr(31) || 'p' || n, 'p' || n, '1.0.0', '', '', 'semver', '\\x01', 1, 'covered', null,
       'purl', $1
     from generate_series(1, ${findings}) as n on conflict do nothing`,
    [testNow],
  )
  await run(
    `insert into component (workspace_id, family_id, number, hash, identity_id, type, name, version, purl, hashes)
     select $1, $2, n, md5('c' || n)::uuid, md5('p' || n)::uuid, 'library', 'p' || n, '1.0.0', 'pkg:npm/p' || n || '@1.0.0', '{}'
     from generate_series(1, ${findings}) as n`,
    [family.workspaceId, family.familyId],
  )
  await run(
    `insert into sbom (id, workspace_id, family_id, version_id, sha256, status, active, format, spec_version, tools, hints,
       vulnerability_entries, source, sent_by, size_bytes, raw, raw_encoding, component_count, component_numbers, received_at)
     select gen_random_uuid(), $1, $2, $3, '\\x01', 'parsed', true, 'cyclonedx', '1.6', '{}', '[]', 0, 'api', 'test', 1, '{}',
       'identity', ${findings}, array_agg(n), $4
     from generate_series(1, ${findings}) as n`,
    [family.workspaceId, family.familyId, versionId, testNow],
  )
  await run(
    `insert into finding (id, workspace_id, family_id, version_id, identity_id, group_id, grade, exploited_by, first_seen_at)
     select gen_random_uuid(), $1, $2, $3, md5('p' || n)::uuid, g.id, 'exact', '{}', $4
     from generate_series(1, ${findings}) as n
     join vulnerability_group g on g.title_id = 'CVE-2024-' || ${isOneVulnerability ? '1' : 'n'}`,
    [family.workspaceId, family.familyId, versionId, testNow],
  )
  await run('analyze')
  return { ...family, versionId }
}

beforeAll(async () => {
  const { pool } = database
  await pool.query(
    `insert into vulnerability_group (title_id, summary, severity) select 'CVE-2024-' || n, '', 'high' from generate_series(1, ${findings}) as n`,
  )
  await pool.query(
    `insert into vulnerability (record_id, source, group_id, class, summary, severity, modified_at, content_hash, document, imported_at)
     select title_id, 'nvd', id, 'vulnerability', '', 'high', $1, '', '{}', $1 from vulnerability_group`,
    [testNow],
  )
  await pool.query(
    `insert into alias_assertion (vulnerability_id, other_id, relation, bridges) select id, record_id, 'self', true from vulnerability`,
  )
})

async function measured(family: Family & { versionId: string }): Promise<{ changed: number; ms: number }> {
  const started = performance.now()
  const changed = await database.db
    .transaction()
    .execute((tx) => refreshVerdictsOfVersion(tx, family, later(1)))
  return { changed, ms: performance.now() - started }
}

const send = (family: Family, said: (n: number) => { id: string; target: VexTarget }) =>
  sendDocument(database.db, family, {
    statements: Array.from({ length: statements }, (_, index) => {
      const { id, target } = said(index + 1)
      return { vulnerabilityIds: [id], verdict: 'not_affected', targets: [target] }
    }),
  })

it('50 000 statements on 10 000 findings are bound in seconds', { timeout: 300_000 }, async () => {
  const family = await fill('Many', { isOneVulnerability: false })
  await send(family, (n) => {
    const part = ((n - 1) % findings) + 1
    return {
      id: `CVE-2024-${part}`,
      target: { kind: 'component', purl: `pkg:npm/p${part}@${n > findings ? '2' : '1'}.0.0` },
    }
  })
  const { changed, ms } = await measured(family)
  expect(changed).toBe(findings)
  expect(ms).toBeLessThan(withinMs)
})

it('50 000 statements on one vulnerability of 10 000 components as well', { timeout: 300_000 }, async () => {
  const family = await fill('One', { isOneVulnerability: true })
  await send(family, (n) => ({
    id: 'CVE-2024-1',
    target: { kind: 'component', purl: `pkg:npm/p${n}@1.0.0` },
  }))
  const { changed, ms } = await measured(family)
  expect(changed).toBe(findings)
  expect(ms).toBeLessThan(withinMs)
})

it('and 50 000 on the whole product', { timeout: 300_000 }, async () => {
  const family = await fill('Product', { isOneVulnerability: true })
  await send(family, () => ({ id: 'CVE-2024-1', target: { kind: 'product', purl: 'pkg:generic/pump' } }))
  const { changed, ms } = await measured(family)
  expect(changed).toBe(findings)
  expect(ms).toBeLessThan(withinMs)
})
