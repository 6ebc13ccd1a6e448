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
 * The numbers of the family's components of these hashes. Served by component (family_id, hash); written with `any`, so that
 * a plan made from old statistics stays linear too.
 */
export async function selectNumbers(
  db: Db,
  { workspaceId, familyId }: Family,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (const chunk of chunksOf(hashes, lookUpChunk)) {
    const result = await sql<Pairs>`
      select array_agg(hash::text) as hashes, array_agg(number) as numbers from component
      where workspace_id = ${workspaceId} and family_id = ${familyId} and hash = any(${chunk}::uuid[])`.execute(
      db,
    )
    addPairs(numbers, result.rows)
  }
  return numbers
}

/** One row of two arrays of equal length; both null when nothing was found. It parses much faster than a row each. */
type Pairs = { hashes: string[] | null; numbers: number[] | null }

function addPairs(map: Map<string, number>, rows: readonly Pairs[]): void {
  for (const { hashes, numbers } of rows) {
    for (const [place, hash] of (hashes ?? []).entries()) map.set(hash, numbers?.[place] ?? 0)
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

/** The ids of the identities of these hashes. Served by the unique index on component_identity.hash. */
export async function selectIdentityIds(db: Db, hashes: readonly string[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const chunk of chunksOf(hashes, lookUpChunk)) {
    const result = await sql<Pairs>`
      select array_agg(hash::text) as hashes, array_agg(id) as numbers from component_identity
      where hash = any(${chunk}::uuid[])`.execute(db)
    addPairs(ids, result.rows)
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
    const result = await sql<Pairs>`
      with inserted as (insert into component_identity (hash, ecosystem, package_key, subject, version, release, stream, scheme, version_key,
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
      on conflict (hash) do nothing returning hash, id)
      select array_agg(hash::text) as hashes, array_agg(id) as numbers from inserted`.execute(db)
    addPairs(ids, result.rows)
  }
  return ids
}
