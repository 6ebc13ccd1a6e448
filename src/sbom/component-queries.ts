import { sql } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'
import { keyGeneration } from '../formats/versions/ordering.ts'
import type { ComponentRow } from './component-rows.ts'

/** Hashes a look-up sends at once, and rows an insert sends at once: neither stalls the event loop over 20 ms. */
const lookUpChunk = 10_000
const insertChunk = 5_000

type Family = { workspaceId: string; familyId: string }

/** Stands between the entries of a list sent as one text; cleaned text holds no control characters. */
const unitSeparator = '\u001f'

function* chunksOf<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}

/**
 * The numbers of the family's components of these hashes. Served by component (family_id, hash): looked up one by one, because
 * with old statistics any other form walks through the whole family.
 */
export async function selectNumbers(
  db: Db,
  { workspaceId, familyId }: Family,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (const chunk of chunksOf(hashes, lookUpChunk)) {
    const result = await sql<Found>`
      select array_agg(found.number order by asked.place) as numbers
      from unnest(${chunk}::uuid[]) with ordinality as asked (hash, place)
      left join lateral (
        select number from component
        where workspace_id = ${workspaceId} and family_id = ${familyId} and hash = asked.hash limit 1
      ) as found on true`.execute(db)
    addFound(numbers, chunk, result.rows)
  }
  return numbers
}

/** A number for each hash that was asked for, in their order; one array parses much faster than a row each. */
type Found = { numbers: (number | null)[] | null }

function addFound(map: Map<string, number>, asked: readonly string[], rows: readonly Found[]): void {
  const numbers = rows[0]?.numbers ?? []
  for (const [place, hash] of asked.entries()) {
    const number = numbers[place]
    if (typeof number === 'number') map.set(hash, number)
  }
}

/** The components of a family numbered from `first` on, up to but not including `end`. */
export async function selectNumberedBetween(
  tx: Tx,
  { workspaceId, familyId }: Family,
  { first, end }: { first: number; end: number },
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('component')
    .select(['hash', 'number'])
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .where('number', '>=', first)
    .where('number', '<', end)
    .execute()
  return new Map(rows.map((row) => [row.hash, row.number]))
}

export type NumberedComponent = { row: ComponentRow; number: number; identityId: number }

export async function insertComponents(
  tx: Tx,
  { workspaceId, familyId }: Family,
  components: readonly NumberedComponent[],
): Promise<void> {
  for (const chunk of chunksOf(components, insertChunk)) {
    const column = <T>(value: (entry: NumberedComponent) => T) => chunk.map(value)
    await sql`
      insert into component (workspace_id, family_id, number, hash, identity_id, type, group_name, name, version, purl, cpe,
        licence, supplier, hashes)
      select ${workspaceId}::uuid, ${familyId}::uuid, number, hash, identity_id, type, group_name, name, version, purl, cpe,
        licence, supplier, coalesce(string_to_array(hashes, ${unitSeparator}), '{}')
      from unnest(
        ${column(({ number }) => number)}::int[],
        ${column(({ row }) => row.hash)}::uuid[],
        ${column(({ identityId }) => identityId)}::bigint[],
        ${column(({ row }) => row.component.type)}::text[],
        ${column(({ row }) => row.component.group)}::text[],
        ${column(({ row }) => row.component.name)}::text[],
        ${column(({ row }) => row.component.version)}::text[],
        ${column(({ row }) => row.component.purl)}::text[],
        ${column(({ row }) => row.component.cpe)}::text[],
        ${column(({ row }) => row.component.licence)}::text[],
        ${column(({ row }) => row.component.supplier)}::text[],
        ${column(({ row }) => row.component.hashes.join(unitSeparator) || null)}::text[]
      ) as given (number, hash, identity_id, type, group_name, name, version, purl, cpe, licence, supplier, hashes)`.execute(
      tx,
    )
  }
}

/** The ids of the identities of these hashes. Served by the unique index on component_identity.hash, one by one as above. */
export async function selectIdentityIds(db: Db, hashes: readonly string[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const chunk of chunksOf(hashes, lookUpChunk)) {
    const result = await sql<Found>`
      select array_agg(found.id order by asked.place) as numbers
      from unnest(${chunk}::uuid[]) with ordinality as asked (hash, place)
      left join lateral (
        select id from component_identity where hash = asked.hash limit 1
      ) as found on true`.execute(db)
    addFound(ids, chunk, result.rows)
  }
  return ids
}

/**
 * Inserts identities that nobody has brought before and answers their ids; one that somebody else has just inserted is left
 * out. `rows` come in the order of their hashes.
 */
export async function insertIdentities(
  db: Db,
  rows: readonly ComponentRow[],
  now: Date,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const chunk of chunksOf(rows, insertChunk)) {
    const column = <T>(value: (row: ComponentRow) => T) => chunk.map(value)
    const result = await sql<{ hash: string; id: number }>`
      insert into component_identity (hash, ecosystem, package_key, subject, version, release, stream, scheme, version_key,
        key_generation, decidability, reason, basis, created_at)
      select given.*, ${now}::timestamptz
      from unnest(
        ${column((row) => row.identityHash)}::uuid[],
        ${column((row) => row.identity.ecosystem)}::text[],
        ${column((row) => row.identity.packageKey)}::text[],
        ${column((row) => row.identity.subject)}::text[],
        ${column((row) => row.identity.version)}::text[],
        ${column((row) => row.identity.release)}::text[],
        ${column((row) => row.identity.stream)}::text[],
        ${column((row) => row.identity.scheme)}::text[],
        ${column((row) => row.identity.versionKey)}::bytea[],
        ${column(() => keyGeneration)}::int[],
        ${column((row) => row.identity.decidability)}::text[],
        ${column((row) => row.identity.reason)}::text[],
        ${column((row) => row.identity.basis)}::text[]
      ) as given
      on conflict (hash) do nothing returning hash, id`.execute(db)
    for (const { hash, id } of result.rows) ids.set(hash, id)
  }
  return ids
}
