import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { migrateBefore, upgrade } from './earlier-release.ts'

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Two statements of one CSAF document as stored before carriers existed: one on a component, one whose product names nothing readable. */
const documentsOfBefore = `
insert into workspace (id, slug, company_name, security_contact_email, plan, created_at)
  values ('${id(1)}', 'acme', 'Acme', 's@acme.example', 'core', now());
insert into family (id, workspace_id, name, created_at) values ('${id(2)}', '${id(1)}', 'Pump', now());
insert into vex_document (id, workspace_id, family_id, sha256, format, format_label, source, sent_by,
    statement_count, finding_count, unbound_count, hints, size_bytes, raw, raw_encoding, received_at)
  values ('${id(3)}', '${id(1)}', '${id(2)}', sha256('{}'), 'csaf', 'CSAF 2.0', 'api', 'ci', 2, 0, 0, '[]', 2, '{}', 'identity', now());
insert into vex_statement (workspace_id, family_id, document_id, number, kind, vulnerability_ids, verdict, responses, pointer, product_label)
  select '${id(1)}', '${id(2)}', '${id(3)}', number, 'statement', '{CVE-2024-1}', 'fixed', '{}', '/vulnerabilities/0', 'left'
  from generate_series(1, 2) number;
insert into vex_target (workspace_id, family_id, document_id, number, place, kind, purl, purl_key, carrier) values
  ('${id(1)}', '${id(2)}', '${id(3)}', 1, 1, 'component', 'pkg:npm/left@1.0.0', 'npm//left', '{"purl":"pkg:generic/pump@1.0","cpe":null}'),
  ('${id(1)}', '${id(2)}', '${id(3)}', 2, 1, 'component', 'pkg:', null, null);
`

let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(() => database.drop())

it('a database with documents from before carriers is migrated with its statements and verdicts', async () => {
  await migrateBefore(database, '0015')
  await database.pool.query(documentsOfBefore)

  await upgrade(database)

  const rows = async (statement: string) => (await database.pool.query(statement)).rows as unknown[]
  expect(await rows('select number, carriers from vex_target order by number')).toEqual([
    { number: 1, carriers: [{ purl: 'pkg:generic/pump@1.0', cpe: null }] },
    { number: 2, carriers: null },
  ])
  expect(await rows('select number, unbound_reason from vex_statement order by number')).toEqual([
    { number: 1, unbound_reason: null },
    { number: 2, unbound_reason: 'unreadable_identifier' },
  ])
  expect(await rows('select unbound_count from vex_document')).toEqual([{ unbound_count: 1 }])
  expect(await rows('select kind, key, state from job')).toEqual([
    { kind: 'refresh_findings', key: id(2), state: 'waiting' },
  ])
})

it('the verdicts of documents in force are worked out again where statements bind to more', async () => {
  const before = await createEmptyDatabase()
  try {
    await migrateBefore(before, '0089')
    await before.pool.query(`
      insert into workspace (id, slug, company_name, security_contact_email, plan, created_at)
        values ('${id(1)}', 'acme', 'Acme', 's@acme.example', 'core', now());
      insert into family (id, workspace_id, name, created_at)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${id(1)}', 'Pump ' || n, now() from generate_series(2, 4) n;
      insert into vex_document (id, workspace_id, family_id, sha256, format, format_label, source, sent_by,
          statement_count, finding_count, unbound_count, hints, size_bytes, raw, raw_encoding, received_at, withdrawn_at)
        select ('00000000-0000-7000-8000-' || lpad((n + 10)::text, 12, '0'))::uuid, '${id(1)}',
          ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, sha256(n::text::bytea), 'csaf', 'CSAF 2.0', 'api', 'ci',
          1, 0, 0, '[]', 2, '{}', 'identity', now(), case when n = 3 then now() end
        from generate_series(2, 3) n;`)
    await upgrade(before)
    const { rows } = await before.pool.query(`select key from job where kind = 'refresh_findings'`)
    expect(rows).toEqual([{ key: id(2) }])
  } finally {
    await before.drop()
  }
})

it('and those of documents that name something by CPE, or by a purl with qualifiers', async () => {
  const before = await createEmptyDatabase()
  try {
    await migrateBefore(before, '0090')
    const uuid = (number: string) => `('00000000-0000-7000-8000-' || lpad((${number})::text, 12, '0'))::uuid`
    await before.pool.query(`
      insert into workspace (id, slug, company_name, security_contact_email, plan, created_at)
        values ('${id(1)}', 'acme', 'Acme', 's@acme.example', 'core', now());
      insert into family (id, workspace_id, name, created_at)
        select ${uuid('n')}, '${id(1)}', 'Pump ' || n, now() from generate_series(2, 5) n;
      insert into vex_document (id, workspace_id, family_id, sha256, format, format_label, source, sent_by,
          statement_count, finding_count, unbound_count, hints, size_bytes, raw, raw_encoding, received_at, withdrawn_at)
        select ${uuid('n + 10')}, '${id(1)}', ${uuid('n')}, sha256(n::text::bytea), 'csaf', 'CSAF 2.0', 'api', 'ci',
          1, 0, 0, '[]', 2, '{}', 'identity', now(), case when n = 3 then now() end
        from generate_series(2, 5) n;
      insert into vex_statement (workspace_id, family_id, document_id, number, kind, vulnerability_ids, verdict, responses, pointer, product_label)
        select '${id(1)}', ${uuid('n')}, ${uuid('n + 10')}, 1, 'statement', '{CVE-2024-1}', 'fixed', '{}', '/vulnerabilities/0', 'left'
        from generate_series(2, 5) n;
      insert into vex_target (workspace_id, family_id, document_id, number, place, kind, purl, cpe)
        select '${id(1)}', ${uuid('n')}, ${uuid('n + 10')}, 1, 1, 'component', case n when 4 then 'pkg:npm/left' when 5 then 'pkg:npm/left?a=b' end,
          case when n < 4 then 'cpe:/a:acme:left' end
        from generate_series(2, 5) n;`)
    await upgrade(before)
    const { rows } = await before.pool.query(
      `select key from job where kind = 'refresh_findings' order by key`,
    )
    expect(rows).toEqual([{ key: id(2) }, { key: id(5) }])
  } finally {
    await before.drop()
  }
})
