import { sql } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'
import { keyGeneration } from '../formats/versions/ordering.ts'
import { chunksOf, columnOf, columnText, unitSeparator } from '../platform/postgres/columns.ts'
import type { ComponentRow, IdentifiedRow } from './component-rows.ts'

/** Hashes a look-up sends at once. */
const lookUpChunk = 10_000

type Family = { workspaceId: string; familyId: string }

/**
 * The numbers of the family's components of these hashes. Served by component (family_id, hash): looked up one by one, and in a family
 * that the server does not see as a constant, because with old statistics any other form walks through the whole family.
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
        where workspace_id = ${workspaceId} and family_id = (select ${familyId}::uuid) and hash = asked.hash limit 1
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

export type NumberedComponent = IdentifiedRow & { number: number }

/** At most some thousands at a time: building and sending a statement must not stall the event loop. */
export async function insertComponents(
  tx: Tx,
  { workspaceId, familyId }: Family,
  rows: readonly NumberedComponent[],
): Promise<void> {
  const text = (value: (row: ComponentRow['component']) => string | null) =>
    columnOf(rows, 'text', ({ component }) => value(component))
  await sql`
    insert into component (workspace_id, family_id, number, hash, identity_id, type, group_name, name, version, purl, cpe,
      licence, supplier, hashes)
    select ${workspaceId}::uuid, ${familyId}::uuid, number, hash, identity_id, type, group_name, name, version, purl, cpe,
      licence, supplier, coalesce(string_to_array(hashes, ${unitSeparator}), '{}')
    from unnest(
      ${columnOf(rows, 'int', ({ number }) => number)},
      ${columnOf(rows, 'uuid', ({ hash }) => hash)},
      ${columnOf(rows, 'uuid', ({ identityId }) => identityId)},
      ${text(({ type }) => type)},
      ${text(({ group }) => group)},
      ${text(({ name }) => name)},
      ${text(({ version }) => version)},
      ${text(({ purl }) => purl)},
      ${text(({ cpe }) => cpe)},
      ${text(({ licence }) => licence)},
      ${text(({ supplier }) => supplier)},
      ${text(({ hashes }) => hashes.join(unitSeparator) || null)}
    ) as given (number, hash, identity_id, type, group_name, name, version, purl, cpe, licence, supplier, hashes)`.execute(
    tx,
  )
}

/** Keeps identities for the job that matches the SBOM; `place` tells the batches of an SBOM apart. */
export async function insertIdentityBatch(
  tx: Tx,
  { workspaceId, familyId, sbomId }: Family & { sbomId: string },
  { place, rows }: { place: number; rows: readonly IdentifiedRow[] },
): Promise<void> {
  const text = (value: (row: IdentifiedRow['identity']) => string | Uint8Array | null) =>
    columnText(rows, ({ identity }) => value(identity))
  await tx
    .insertInto('identity_batch')
    .values({
      workspace_id: workspaceId,
      family_id: familyId,
      sbom_id: sbomId,
      place,
      id: columnText(rows, ({ identityId }) => identityId),
      ecosystem: text(({ ecosystem }) => ecosystem),
      package_key: text(({ packageKey }) => packageKey),
      subject: text(({ subject }) => subject),
      version: text(({ version }) => version),
      release: text(({ release }) => release),
      stream: text(({ stream }) => stream),
      scheme: text(({ scheme }) => scheme),
      version_key: text(({ versionKey }) => versionKey),
      key_generation: keyGeneration,
      decidability: text(({ decidability }) => decidability),
      reason: text(({ reason }) => reason),
      basis: text(({ basis }) => basis),
    })
    .execute()
}
