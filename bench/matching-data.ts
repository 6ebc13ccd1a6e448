import type { Client } from 'pg'
import { keyGeneration } from '../src/versions/ordering.ts'

export type Identities = { label: string; ids: string[] }

const copyDistance = 10_000_000

/**
 * Multiplies the records in the store until there are `wanted`: copies under new record ids, on packages of new names, with the ranges
 * and aliases of the original. Their documents stay empty, because matching by version keys reads none.
 */
export async function multiplyRecords(sql: Client, wanted: number): Promise<number> {
  const { rows } = await sql.query<{ count: number; last: number }>(
    'select count(*)::int as count, max(id)::int as last from vulnerability',
  )
  const { count = 0, last = 0 } = rows[0] ?? {}
  for (let copy = 1; copy < Math.ceil(wanted / count); copy += 1) {
    const values = [copy * copyDistance, `~${copy}`]
    const maxRows = Math.min(count, wanted - copy * count)
    await sql.query('begin')
    await sql.query(`create temporary table original on commit drop as
      select * from vulnerability where id <= ${last} order by id limit ${maxRows}`)
    await sql.query(
      `insert into vulnerability_group (id, title_id, summary, severity, score) overriding system value
       select id + $1::bigint, record_id || $2::text, summary, severity, score from original`,
      values,
    )
    await sql.query(
      `insert into vulnerability (id, record_id, source, group_id, class, summary, severity, score, modified_at, withdrawn_at,
         content_hash, document, imported_at) overriding system value
       select id + $1::bigint, record_id || $2::text, 'bench', id + $1::bigint, class, summary, severity, score, modified_at,
         withdrawn_at, content_hash, '{}', imported_at from original`,
      values,
    )
    await sql.query(
      `insert into affected_range (vulnerability_id, package_key, release, stream, scheme, lower_key, upper_key, upper_included,
         kind, introduced, upper_text, doubt)
       select r.vulnerability_id + $1::bigint, r.package_key || $2::text, r.release, r.stream, r.scheme, r.lower_key, r.upper_key,
         r.upper_included, r.kind, r.introduced, r.upper_text, r.doubt
       from affected_range r join original o on o.id = r.vulnerability_id`,
      values,
    )
    await sql.query(
      `insert into alias_assertion (vulnerability_id, other_id, relation, bridges)
       select a.vulnerability_id + $1::bigint, a.other_id || $2::text, a.relation, a.bridges
       from alias_assertion a join original o on o.id = a.vulnerability_id`,
      values,
    )
    await sql.query('commit')
  }
  // what was just written must not be paid for by what is measured
  await sql.query('vacuum (analyze) vulnerability, vulnerability_group, affected_range, alias_assertion')
  await sql.query('checkpoint')
  const total = await sql.query<{ count: number }>('select count(*)::int as count from vulnerability')
  return total.rows[0]?.count ?? 0
}

type Wanted = {
  count: number
  label: string
  /** Share of identities on affected packages, at versions that ranges name. */ affected: number
}

/** Identities that have not been matched; those that are not affected are on packages of no record. */
export async function addIdentities(
  sql: Client,
  { count, label, affected: share }: Wanted,
): Promise<Identities> {
  const values = [Math.floor(count * share), label]
  const columns = `(id, ecosystem, package_key, subject, version, release, stream, scheme, version_key, key_generation,
    decidability, basis, created_at)`
  const affected = await sql.query<{ id: string }>(
    `insert into component_identity ${columns}
     select gen_random_uuid(), split_part(package_key, chr(31), 1), package_key, '', version, release, stream, scheme, key,
       ${keyGeneration}, 'covered', 'purl', now()
     from (
       select distinct on (package_key, release) package_key, release, stream, scheme, coalesce(upper_text, introduced) as version,
         coalesce(upper_key, lower_key) as key, hashtext(package_key || $2) as place
       from affected_range where coalesce(upper_key, lower_key) <> ''
       order by package_key, release, hashtext(coalesce(upper_text, introduced) || $2)
     ) r
     order by place limit $1 returning id`,
    values,
  )
  const clean = await sql.query<{ id: string }>(
    `insert into component_identity ${columns}
     select gen_random_uuid(), 'npm', 'npm' || chr(31) || $2 || n, '', '1.0.0', '', '', 'semver', '\\x0101010101'::bytea,
       ${keyGeneration}, 'covered', 'purl', now()
     from generate_series(1, $1::int) as n returning id`,
    [count - affected.rows.length, label],
  )
  const ids = [...affected.rows, ...clean.rows].map((row) => row.id)
  await sql.query(
    'create table if not exists bench_identity (label text, id uuid primary key, number serial)',
  )
  await sql.query('insert into bench_identity (label, id) select $1, unnest($2::uuid[])', [label, ids])
  await sql.query('analyze component_identity, bench_identity')
  return { label, ids }
}

const versionsPerFamily = 5

type Products = { identities: Identities; families: number; label: string; versions?: number }

/** Families of so many versions each, every version with an active SBOM of all the identities. Returns the memberships. */
export async function addProducts(
  sql: Client,
  { identities, families, label, versions = versionsPerFamily }: Products,
): Promise<number> {
  await sql.query(
    `insert into workspace (id, slug, company_name, security_contact_email, plan, created_at)
     values (gen_random_uuid(), $1, 'Bench', 'bench@example.com', 'plus', now())`,
    [label],
  )
  await sql.query(
    `insert into family (id, workspace_id, name, created_at)
     select gen_random_uuid(), w.id, 'Product ' || n, now()
     from workspace w, generate_series(1, $2::int) as n where w.slug = $1`,
    [label, families],
  )
  await sql.query(
    `insert into product_version (id, workspace_id, family_id, name, created_at)
     select gen_random_uuid(), f.workspace_id, f.id, n::text, now()
     from family f join workspace w on w.id = f.workspace_id and w.slug = $1, generate_series(1, $2::int) as n`,
    [label, versions],
  )
  await sql.query(
    `insert into component (workspace_id, family_id, number, hash, identity_id, type, name, version, hashes)
     select f.workspace_id, f.id, i.number, gen_random_uuid(), i.id, 'library',
       split_part(i.package_key, chr(31), 2), i.version, '{}'
     from family f join workspace w on w.id = f.workspace_id and w.slug = $1
     cross join (select b.number, c.* from bench_identity b join component_identity c on c.id = b.id where b.label = $2) i`,
    [label, identities.label],
  )
  const { rows } = await sql.query<{ memberships: number }>(
    `with stored as (
       insert into sbom (id, workspace_id, family_id, version_id, sha256, status, active, format, spec_version, tools, hints,
         vulnerability_entries, source, sent_by, size_bytes, raw, raw_encoding, component_count, component_numbers, received_at)
       select gen_random_uuid(), p.workspace_id, p.family_id, p.id, sha256(p.id::text::bytea), 'matched', true, 'cyclonedx', '1.6',
         '{}', '[]', 0, 'api', 'bench', 2, '{}', 'identity', c.count, c.numbers, now()
       from product_version p join workspace w on w.id = p.workspace_id and w.slug = $1
       join lateral (
         select count(*)::int as count, array_agg(number order by number) as numbers from component where family_id = p.family_id
       ) c on true
       returning id, workspace_id, component_numbers
     ), inventory as (
       insert into sbom_inventory (sbom_id, workspace_id, numbers, coverage)
       select id, workspace_id, (select range_agg(int4range(n, n, '[]')) from unnest(component_numbers) as n), '[]' from stored
     ) select sum(cardinality(component_numbers))::int as memberships from stored`,
    [label],
  )
  await sql.query('analyze component, sbom, sbom_inventory, product_version, family')
  return rows[0]?.memberships ?? 0
}
