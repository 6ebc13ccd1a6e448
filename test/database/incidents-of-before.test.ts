import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { migrateBefore, upgrade } from './earlier-release.ts'

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Two families with a component that has a vulnerability listed by CISA, and a third whose finding is closed. */
const findingsOfBefore = `
insert into workspace (id, slug, company_name, security_contact_email, plan, created_at)
  values ('${id(1)}', 'acme', 'Acme', 's@acme.example', 'core', now());
insert into family (id, workspace_id, name, created_at)
  select ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, '${id(1)}', 'Pump ' || number, now()
  from generate_series(2, 4) number;
insert into component_identity (id, ecosystem, package_key, subject, version, release, stream, scheme, version_key, key_generation,
    decidability, basis, created_at, matched_at)
  values ('${id(9)}', 'npm', 'npm' || chr(31) || 'lib', 'lib', '1.0.0', '', '', 'semver', '\\x01', 1, 'covered', 'purl', now(), now());
insert into vulnerability_group (title_id, summary, severity) values ('GHSA-1', 'Summary', 'high');
insert into vulnerability (record_id, source, group_id, class, summary, severity, modified_at, content_hash, document, imported_at)
  values ('GHSA-1', 'osv:npm', 1, 'vulnerability', 'Summary', 'high', now(), 'x', '{}', now());
insert into alias_assertion (vulnerability_id, other_id, relation, bridges)
  values (1, 'GHSA-1', 'self', true), (1, 'CVE-2026-1', 'alias', true);
insert into affected_range (vulnerability_id, package_key, release, stream, scheme, lower_key, upper_included, kind, introduced)
  values (1, 'npm' || chr(31) || 'lib', '', '', 'semver', '', true, 'range', '0');
insert into identity_match (identity_id, vulnerability_id, grade, range_id, matched_at) values ('${id(9)}', 1, 'exact', 1, now());
insert into exploited (source, cve_id, name, listed_on, first_seen_at, entry) values ('kev', 'CVE-2026-1', 'x', '2026-01-01', now(), '{}');
insert into finding (id, workspace_id, family_id, identity_id, group_id, grade, exploited_by, first_seen_at, closed_at)
  select gen_random_uuid(), '${id(1)}', f.id, '${id(9)}', 1, 'exact', '{kev}', now(), case when f.id = '${id(4)}' then now() end
  from family f;
`

/** An incident on the first family with two components: one is declared not affected, the other is no longer in the SBOM. */
const incidentOfBefore = `
insert into component_identity (id, ecosystem, package_key, subject, version, release, stream, scheme, version_key, key_generation,
    decidability, basis, created_at, matched_at)
  select '${id(10)}', ecosystem, package_key, subject, '1.1.0', release, stream, scheme, '\\x02', key_generation, decidability, basis,
    created_at, matched_at
  from component_identity;
insert into person (id, email, name, created_at) values ('${id(11)}', 'o@acme.example', 'Olga', now());
insert into verdict_decision (id, workspace_id, family_id, every_version, package_key, vulnerability_id, verdict, comment, decided_at,
    decided_by, decided_by_name)
  values ('${id(12)}', '${id(1)}', '${id(2)}', false, 'npm' || chr(31) || 'lib', 'CVE-2026-1', 'not_affected', 'x', now(), '${id(11)}', 'Olga');
update finding set verdict = 'not_affected', verdict_since = now(), verdict_decision_id = '${id(12)}' where family_id = '${id(2)}';
insert into incident (id, workspace_id, reference, kind, title, vuln_key, aliases, source, listed_by, severity, is_exercise, status,
    opened_at, opened_by_kind, opened_by_name, aware_at)
  values ('${id(13)}', '${id(1)}', 'INC-2026-0001', 'vulnerability', 'x', 'CVE-2026-1', '{}', 'kev', '{kev}', 'high', false, 'open',
    now(), 'system', 'SBOM Monitor', now());
insert into incident_number (workspace_id, year, last) values ('${id(1)}', 2026, 1);
insert into incident_family (workspace_id, incident_id, family_id, vuln_key, is_open, is_exercise)
  values ('${id(1)}', '${id(13)}', '${id(2)}', 'CVE-2026-1', true, false);
insert into incident_affected (incident_id, workspace_id, family_id, identity_id, group_id, vuln_key, component, listed_by, added_at)
  select '${id(13)}', '${id(1)}', '${id(2)}', i.id, 1, 'CVE-2026-1', 'lib', '{kev}', now() from component_identity i;
`

/** The component of the first family, in its active SBOM. */
const listedInSbom = `
insert into component (workspace_id, family_id, number, hash, identity_id, name, hashes)
  values ('${id(1)}', '${id(2)}', 1, '${id(14)}', '${id(9)}', 'lib', '{}');
insert into sbom (id, workspace_id, family_id, sha256, status, active, format, spec_version, tools, hints, vulnerability_entries, source, sent_by,
    size_bytes, raw, raw_encoding, component_count, component_numbers, received_at)
  values ('${id(15)}', '${id(1)}', '${id(2)}', '\\x01', 'matched', true, 'cyclonedx', '1.6', '{}', '{}', 0, 'api', 'Olga',
    1, '\\x01', 'identity', 1, '{1}', now());
`

const lookAgain = `
insert into job (kind, key, workspace_id, payload, state, run_at, created_at, max_attempts)
  select 'open_incidents', id::text, workspace_id, jsonb_build_object('workspaceId', workspace_id, 'familyId', id), 'waiting', now(), now(), 5
  from family`

let database: TestDatabase
beforeEach(async () => {
  database = await createEmptyDatabase()
})
afterEach(() => database.drop())

it('a store with exploited findings from before incidents gets its incidents from the first worker, once', async () => {
  await migrateBefore(database, '0024')
  await database.pool.query(findingsOfBefore)
  await upgrade(database)

  const now = new Date('2099-10-01T08:00:00.000Z')
  await drain(database.db, now)
  const incidents = () =>
    database.db
      .selectFrom('incident')
      .innerJoin('incident_family', 'incident_family.incident_id', 'incident.id')
      .select(['incident.vuln_key', 'aware_at', 'source', 'family_id'])
      .orderBy('family_id')
      .execute()
  const opened = { vuln_key: 'CVE-2026-1', aware_at: now, source: 'kev' }
  expect(await incidents()).toEqual([
    { ...opened, family_id: id(2) },
    { ...opened, family_id: id(3) },
  ])

  // as if the process was killed after opening them, before marking the jobs done
  await database.pool.query(lookAgain)
  await drain(database.db, new Date(now.getTime() + 3_600_000))
  expect(await incidents()).toHaveLength(2)
})

it('what had become of the components of an incident before the upgrade is no event of the upgrade, what becomes of them after it is', async () => {
  await migrateBefore(database, '0048')
  await database.pool.query(findingsOfBefore + incidentOfBefore)
  await upgrade(database)
  const now = new Date('2099-10-01T08:00:00.000Z')
  const kinds = async () =>
    (
      await database.db
        .selectFrom('incident_entry')
        .select('kind')
        .where('incident_id', '=', id(13))
        .orderBy('id')
        .execute()
    ).map(({ kind }) => kind)
  await database.pool.query(lookAgain)
  await drain(database.db, now)
  expect(await kinds()).toEqual([])
  await database.pool.query(`update finding set closed_at = now(); ${lookAgain}`)
  await drain(database.db, now)
  expect(await kinds()).toEqual(['left_sbom'])
})

it('that no record named a component before the upgrade is no event of the upgrade, that one does again is', async () => {
  await migrateBefore(database, '0091')
  const ended = `
    update finding set closed_at = now(), ended_by_data = true, verdict = null, verdict_since = null, verdict_decision_id = null where family_id = '${id(2)}';
    delete from incident_affected where identity_id = '${id(10)}'`
  await database.pool.query(findingsOfBefore + incidentOfBefore + listedInSbom + ended)
  await upgrade(database)
  const now = new Date('2099-10-01T08:00:00.000Z')
  const kinds = async () => {
    await database.pool.query(lookAgain)
    await drain(database.db, now)
    const entries = database.db.selectFrom('incident_entry').select('kind').where('incident_id', '=', id(13))
    return (await entries.orderBy('id').execute()).map(({ kind }) => kind)
  }
  expect(await kinds()).toEqual([])
  await database.pool.query(
    `update finding set closed_at = null, ended_by_data = false where family_id = '${id(2)}'`,
  )
  expect(await kinds()).toEqual(['named_again'])
})
