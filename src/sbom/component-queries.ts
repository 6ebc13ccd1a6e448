import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'
import { keyGeneration } from '../formats/versions/ordering.ts'
import type { ComponentRow } from './component-rows.ts'

/** Hashes a look-up sends at once, and rows an insert sends at once: neither stalls the event loop over 20 ms. */
const lookUpChunk = 10_000
const insertChunk = 5_000

type Family = { workspaceId: string; familyId: string }

/** Stands between the entries of a list sent as one text; cleaned text holds no control characters. */
const unitSeparator = '\u001f'

/** Between the values of a column and for a null among them: the driver's own array notation costs ten times the CPU. */
const valueSeparator = '\u001d'
const nullMark = '\u001c'

type ColumnType = 'int' | 'bigint' | 'uuid' | 'text' | 'bytea'

/**
 * A column of values as one text that the server splits into an array. The text begins with an entry that is dropped: one
 * empty value alone would be an empty list.
 */
function columnOf<T>(
  rows: readonly T[],
  type: ColumnType,
  value: (row: T) => string | number | Uint8Array | null,
): RawBuilder<unknown> {
  const parts = [nullMark]
  for (const row of rows) {
    const given = value(row)
    if (given === null) parts.push(nullMark)
    else parts.push(given instanceof Uint8Array ? byteText(given) : String(given))
  }
  const text = parts.join(valueSeparator)
  return sql`((string_to_array(${text}, ${valueSeparator}, ${nullMark}))[2:])::${sql.raw(type)}[]`
}

function byteText(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

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
    const column = (type: ColumnType, value: (entry: NumberedComponent) => string | number | null) =>
      columnOf(chunk, type, value)
    await sql`
      insert into component (workspace_id, family_id, number, hash, identity_id, type, group_name, name, version, purl, cpe,
        licence, supplier, hashes)
      select ${workspaceId}::uuid, ${familyId}::uuid, number, hash, identity_id, type, group_name, name, version, purl, cpe,
        licence, supplier, coalesce(string_to_array(hashes, ${unitSeparator}), '{}')
      from unnest(
        ${column('int', ({ number }) => number)},
        ${column('uuid', ({ row }) => row.hash)},
        ${column('bigint', ({ identityId }) => identityId)},
        ${column('text', ({ row }) => row.component.type)},
        ${column('text', ({ row }) => row.component.group)},
        ${column('text', ({ row }) => row.component.name)},
        ${column('text', ({ row }) => row.component.version)},
        ${column('text', ({ row }) => row.component.purl)},
        ${column('text', ({ row }) => row.component.cpe)},
        ${column('text', ({ row }) => row.component.licence)},
        ${column('text', ({ row }) => row.component.supplier)},
        ${column('text', ({ row }) => row.component.hashes.join(unitSeparator) || null)}
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
  const chunks = [...chunksOf(rows, insertChunk)]
  // outside a transaction two sessions work at once: each statement takes its keys in order and holds none afterwards
  const lanes = db.isTransaction ? 1 : 2
  const work = async () => {
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
      for (const { hash, id } of await insertIdentityChunk(db, chunk, now)) ids.set(hash, id)
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return ids
}

async function insertIdentityChunk(
  db: Db,
  chunk: readonly ComponentRow[],
  now: Date,
): Promise<{ hash: string; id: number }[]> {
  const column = (type: ColumnType, value: (row: ComponentRow) => string | number | Uint8Array | null) =>
    columnOf(chunk, type, value)
  const result = await sql<{ hash: string; id: number }>`
      insert into component_identity (hash, ecosystem, package_key, subject, version, release, stream, scheme, version_key,
        key_generation, decidability, reason, basis, created_at)
      select given.*, ${now}::timestamptz
      from unnest(
        ${column('uuid', (row) => row.identityHash)},
        ${column('text', (row) => row.identity.ecosystem)},
        ${column('text', (row) => row.identity.packageKey)},
        ${column('text', (row) => row.identity.subject)},
        ${column('text', (row) => row.identity.version)},
        ${column('text', (row) => row.identity.release)},
        ${column('text', (row) => row.identity.stream)},
        ${column('text', (row) => row.identity.scheme)},
        ${column('bytea', (row) => row.identity.versionKey)},
        ${column('int', () => keyGeneration)},
        ${column('text', (row) => row.identity.decidability)},
        ${column('text', (row) => row.identity.reason)},
        ${column('text', (row) => row.identity.basis)}
      ) as given
      on conflict (hash) do nothing returning hash, id`.execute(db)
  return result.rows
}
