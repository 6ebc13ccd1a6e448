import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { ecosystems, osvEcosystems } from '../../identities/ecosystems.ts'
import { keptDigits, knownHashes, type KnownHashes } from '../records/known-hashes.ts'

/** Records that were not withdrawn, of one source; index vulnerability_source. */
export async function countLiveRecords(db: Db, source: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from vulnerability where source = ${source} and withdrawn_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Stored times of records, by record id. */
export async function selectModifiedTimes(db: Db, recordIds: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ record_id: string; modified_at: Date }>`
    select record_id, modified_at from vulnerability where record_id = any(${recordIds}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.record_id, row.modified_at]))
}

/**
 * The deciding hash of every record of a source (`contentHash` in records/record-rows.ts), in one text, since a million rows would be as many
 * objects; index vulnerability_source.
 */
export async function selectDecidingHashes(db: Db, source: string): Promise<KnownHashes> {
  const { rows } = await sql<{ beginnings: string | null }>`
    select string_agg(left(content_hash, ${keptDigits}::int), '') as beginnings from vulnerability
    where source = ${source} and content_hash like '% %'`.execute(db)
  return knownHashes(rows[0]?.beginnings ?? '')
}

/** The ecosystems of all components, by a few index look-ups (component_identity_package and identity_key_package). */
const used = sql`
  recursive ${ecosystemsIn('component_identity', 'own')},
  ${ecosystemsIn('identity_key', 'further')},
  used as (select ecosystem from own union select ecosystem from further)`

function ecosystemsIn(table: 'component_identity' | 'identity_key', name: string): RawBuilder<unknown> {
  const found = sql.id(name)
  return sql`
  ${found} (ecosystem, package_key) as (
    (select ecosystem, package_key from ${sql.table(table)} where package_key is not null order by package_key limit 1)
    union all
    select n.ecosystem, n.package_key
    from ${found} u
    cross join lateral (
      select i.ecosystem, i.package_key from ${sql.table(table)} i
      -- past every key of this ecosystem: U+0020 follows the separator U+001F
      where i.package_key >= split_part(u.package_key, chr(31), 1) || ' '
      order by i.package_key limit 1
    ) n
  )`
}

/** `wanted`: those of OSV that some component is of, and those whose records are filed under their keys. */
const wanted = sql`
  ${used},
  wanted as (
    select ecosystem from used where ecosystem = any(${sql.val([...osvEcosystems])}::text[])
    union
    select f.ecosystem from used u join (values ${filings()}) as f (key_of, ecosystem) on f.key_of = u.ecosystem
  )`

function filings(): RawBuilder<unknown> {
  const pairs = ecosystems.flatMap(({ name, filedUnder }) =>
    filedUnder === undefined ? [] : [sql`(${sql.lit(filedUnder)}, ${sql.lit(name)})`],
  )
  return sql.join(pairs)
}

/** Ecosystems of OSV whose data some component needs, those never loaded first. */
export async function selectUsedEcosystems(db: Db): Promise<string[]> {
  const { rows } = await sql<{ ecosystem: string }>`
    with ${wanted}
    select u.ecosystem
    from wanted u
    left join data_source d on d.name = 'osv:' || u.ecosystem
    order by d.last_success_at nulls first, u.ecosystem`.execute(db)
  return rows.map((row) => row.ecosystem)
}

/** Those of them whose data was neither asked for nor imported yet. */
export async function selectUnaskedEcosystems(db: Db): Promise<string[]> {
  const { rows } = await sql<{ ecosystem: string }>`
    with ${wanted}
    select u.ecosystem
    from wanted u
    where not exists (select from data_source d where d.name = 'osv:' || u.ecosystem)`.execute(db)
  return rows.map((row) => row.ecosystem)
}

/** Whether there is some component. */
export async function hasIdentities(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from component_identity) as found`.execute(db)
  return rows[0]?.found === true
}

/** Whether some component is named by CPE. */
export function hasCpeIdentities(db: Db): Promise<boolean> {
  return usesEcosystem(db, 'cpe')
}

/** Whether some component is of an ecosystem, by its own key or a further one; indexes component_identity_package, identity_key_package. */
export async function usesEcosystem(db: Db, ecosystem: string): Promise<boolean> {
  // U+0020 follows the separator U+001F
  const isOfEcosystem = sql`package_key >= ${ecosystem}::text || chr(31) and package_key < ${ecosystem}::text || ' '`
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from component_identity where ${isOfEcosystem})
      or exists (select from identity_key where ${isOfEcosystem}) as found`.execute(db)
  return rows[0]?.found === true
}

/** Whether a source whose last refresh was waiting for a component of the ecosystem has one now. */
export async function isFirstComponentOf(
  db: Db,
  { source, ecosystem }: { source: string; ecosystem: string },
): Promise<boolean> {
  return (await waitsForComponents(db, source)) && (await usesEcosystem(db, ecosystem))
}

/** Whether a source whose last refresh was waiting for any component has one now. */
export async function isFirstComponent(db: Db, source: string): Promise<boolean> {
  return (await waitsForComponents(db, source)) && (await hasIdentities(db))
}

/** Only a refresh that found no component to load records for ends `unchanged` before the first success. */
async function waitsForComponents(db: Db, source: string): Promise<boolean> {
  const row = await db
    .selectFrom('data_source')
    .select(['last_success_at', 'last_outcome'])
    .where('name', '=', source)
    .executeTakeFirst()
  return row === undefined || (row.last_success_at === null && row.last_outcome === 'unchanged')
}
