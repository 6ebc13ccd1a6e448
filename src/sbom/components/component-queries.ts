import { sql, type QueryCreator } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { keyGeneration } from '../../versions/ordering.ts'
import { columnOf, columnText, takenApart, unitSeparator, uuidList } from '../../platform/postgres/columns.ts'
import { oneAhead } from '../../platform/postgres/one-ahead.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import type { ComponentIdentity } from '../../identities/component-identity.ts'
import { digestsOf, type ComponentRow, type IdentifiedRow } from './component-rows.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/** What the database holds of an SBOM's components. */
export type KnownComponents = {
  /** The family's next number when the look-up began: components numbered from it on may be missing in `numbers`. */
  next: number
  numbers: ReadonlyMap<string, number>
}

/**
 * The numbers of the family's components of these hashes, and the number that its next new one will get. One list of hashes is looked up
 * while the next is made; there is one at least. In a family without components nothing is looked up, which `isEmpty` tells as soon as it is known.
 */
export async function selectNumbers(
  db: Db,
  family: FamilyKey,
  lists: (isEmpty: () => boolean) => Iterable<string[]> | AsyncIterable<string[]>,
): Promise<KnownComponents> {
  const numbers = new Map<string, number>()
  const nexts: number[] = []
  const isEmpty = () => nexts.includes(1)
  await oneAhead(lists(isEmpty), async (hashes) => {
    if (isEmpty()) return
    const { next, numbers: found } = await lookUp(db, family, hashes)
    if (next === null) throw new ServiceError('family_not_found')
    nexts.push(next)
    addFound(numbers, hashes, found ?? [])
  })
  return { next: Math.min(...nexts), numbers }
}

/**
 * Served by component (family_id, hash): looked up one by one, and in a family that the server does not see as a constant, because with
 * old statistics any other form scans the whole family.
 */
async function lookUp(
  db: Db,
  { workspaceId, familyId }: FamilyKey,
  hashes: readonly string[],
): Promise<Found> {
  const { rows } = await sql<Found>`
    with family_now as materialized (
      select next_component_number as next from family where workspace_id = ${workspaceId} and id = ${familyId}
    )
    select (select next from family_now) as next, (
      select array_agg(found.number order by asked.place)
      from unnest(${uuidList(hashes)}) with ordinality as asked (hash, place)
      left join lateral (
        select number from component
        where workspace_id = ${workspaceId} and family_id = (select ${familyId}::uuid) and hash = asked.hash limit 1
      ) as found on true
      where (select next from family_now) > 1
    ) as numbers
    ${prepared}`.execute(db)
  return rows[0] ?? { next: null, numbers: null }
}

/** A number for each hash that was asked for, in their order; one array parses much faster than a row each. */
type Found = { next: number | null; numbers: (number | null)[] | null }

function addFound(
  map: Map<string, number>,
  asked: readonly string[],
  numbers: readonly (number | null)[],
): void {
  for (const [place, hash] of asked.entries()) {
    const number = numbers[place]
    if (typeof number === 'number') map.set(hash, number)
  }
}

/** The components of a family numbered from `first` on, up to but not including `end`. */
export async function selectNumberedBetween(
  tx: Tx,
  { workspaceId, familyId }: FamilyKey,
  { first, end }: { first: number; end: number },
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('component')
    .select(['hash', 'number'])
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .where('number', '>=', first)
    .where('number', '<', end)
    .modifyEnd(prepared)
    .execute()
  return new Map(rows.map((row) => [row.hash, row.number]))
}

export type NumberedComponent = IdentifiedRow & { number: number }

type AddedComponents = {
  sbomId: string
  /** At most some thousands at a time: building and sending a statement must not stall the event loop. */
  rows: readonly NumberedComponent[]
  /** Tells the statements of an SBOM apart. */
  place: number
  /** Those of `rows` whose identity no statement of the SBOM has kept. */
  identified: readonly IdentifiedRow[]
  /** The family's next number after them. */
  next: number
}

/** Inserts new components of a family, keeps their identities for the job that matches the SBOM, and moves the family's next number on. */
export async function insertComponents(
  tx: Tx,
  family: FamilyKey,
  { sbomId, rows, place, identified, next }: AddedComponents,
): Promise<void> {
  const { workspaceId, familyId } = family
  // Most columns have no value in any of the rows: of such a one nothing is sent, and unnest fills it up with nulls.
  const text = (value: (row: ComponentRow['component']) => string | null) => {
    const isStated = rows.some(({ component }) => value(component) !== null)
    return takenApart(sql`${isStated ? columnText(rows, ({ component }) => value(component)) : null}`, 'text')
  }
  await sql`
    with kept as (
      ${insertOfIdentities(tx, { ...family, sbomId }, { place, rows: identified })}
    ),
    numbered as (
      update family set next_component_number = ${next} where workspace_id = ${workspaceId} and id = ${familyId}
    )
    insert into component (workspace_id, family_id, number, hash, identity_id, type, group_name, name, version, purl, cpe,
      licence, supplier, hashes, scope, resolves, other_names, concluded_cpes)
    select ${workspaceId}::uuid, ${familyId}::uuid, number, hash, identity_id, type, group_name, name, version, purl, cpe,
      licence, supplier, coalesce(string_to_array(hashes, ${unitSeparator}), '{}'), scope, string_to_array(resolves, ${unitSeparator}),
      string_to_array(other_names, ${unitSeparator}), string_to_array(concluded_cpes, ${unitSeparator})
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
      ${text((component) => digestsOf(component).join(unitSeparator) || null)},
      ${text(({ scope = null }) => scope)},
      ${text(({ resolves }) => resolves?.join(unitSeparator) ?? null)},
      ${text(otherNamesOf)},
      ${text(({ concludedCpes }) => concludedCpes?.join(unitSeparator) ?? null)}
    ) as given (number, hash, identity_id, type, group_name, name, version, purl, cpe, licence, supplier, hashes, scope, resolves,
      other_names, concluded_cpes)
    ${prepared}`.execute(tx)
}

function otherNamesOf({ otherPurls, otherCpes }: ComponentRow['component']): string | null {
  if (otherPurls.length === 0 && otherCpes === undefined) return null
  return [...otherPurls, ...(otherCpes ?? [])].join(unitSeparator) || null
}

/** Stores identities for the job that matches the SBOM; `place` distinguishes the batches of an SBOM. */
export function insertOfIdentities(
  db: QueryCreator<Tables>,
  { workspaceId, familyId, sbomId }: FamilyKey & { sbomId: string },
  { place, rows }: { place: number; rows: readonly IdentifiedRow[] },
) {
  const text = (value: (row: IdentifiedRow['identity']) => string | Uint8Array | null) =>
    columnText(rows, ({ identity }) => value(identity))
  return db.insertInto('identity_batch').values({
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
    other_ecosystems: text(otherEcosystems),
    further_keys: JSON.stringify(
      rows.filter(({ identity }) => identity.further.length > 0).flatMap(furtherKeyRows),
    ),
  })
}

/** null where no further key can ever be covered by data on another ecosystem, and no record can add one. */
function otherEcosystems({ ecosystem: own, further, mayBeBuilt }: ComponentIdentity): string | null {
  if (further.length === 0) return mayBeBuilt ? '' : null
  const deciding = further.filter(({ origin }) => origin !== 'name')
  const others = deciding.filter(({ ecosystem, needsRecord }) => needsRecord || ecosystem !== own)
  const covered = others.filter(({ decidability, needsRecord }) => decidability === 'covered' && !needsRecord)
  const names = new Set(covered.map(({ ecosystem }) => ecosystem))
  return others.length === 0 && !mayBeBuilt ? null : [...names].sort().join(unitSeparator)
}

/** The columns of `identity_key` in the order in which `writeIdentities` reads them. */
function furtherKeyRows({ identityId, identity }: IdentifiedRow): unknown[][] {
  return identity.further.map((key, place) => [
    identityId,
    place + 1,
    key.origin,
    key.ecosystem,
    key.packageKey,
    key.version,
    key.release,
    key.stream,
    key.scheme,
    key.versionKey === null ? null : Buffer.from(key.versionKey).toString('hex'),
    key.decidability,
    key.basis,
    key.needsRecord ? false : null,
  ])
}
