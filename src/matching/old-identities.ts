import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import type { Decidability } from '../contract/identity.ts'
import { assessVersion } from '../identities/identity-key.ts'
import type { ComponentIdentity } from '../identities/component-identity.ts'
import { keyGeneration, type VersionScheme } from '../versions/ordering.ts'
import { columnOf, uuidList } from '../platform/postgres/columns.ts'
import { decidabilityOf } from '../vulndata/source-of-identity.ts'
import type { ChangedIdentity } from './named-identities.ts'

/** Identities of one step: some seconds of work, after which the log tells how far it is. */
const identitiesPerStep = 5_000

export type OldIdentity = {
  id: string
  ecosystem: string | null
  version: string
  release: string | null
  stream: string
  scheme: VersionScheme | null
  decidability: Decidability
  reason: string | null
}

type Assessed = { id: string } & Pick<ComponentIdentity, 'versionKey' | 'decidability' | 'reason'>

/** What no source covers has no order that could change. */
function assess({ id, scheme, decidability, reason, ...place }: OldIdentity): Assessed {
  if (scheme === null) return { id, versionKey: null, decidability, reason }
  return { id, ...assessVersion({ ...place, scheme }) }
}

/**
 * Computes version keys again and whether the identities can be compared; returns those that can be now and could not before, or the
 * other way round.
 */
export async function assessAgain(db: Db, identities: readonly OldIdentity[]): Promise<ChangedIdentity[]> {
  await assessFurtherKeys(
    db,
    identities.map(({ id }) => id),
  )
  return writeAssessed(db, identities.map(assess))
}

type OldKey = Omit<OldIdentity, 'reason'> & { number: number }

/** The further keys of identities, by the same rules. */
async function assessFurtherKeys(db: Db, identityIds: readonly string[]): Promise<void> {
  const { rows } = await sql<OldKey>`
    select identity_id as id, number, ecosystem, version, release, stream, scheme, decidability
    from identity_key
    where identity_id = any(${uuidList(identityIds)})
    order by 1, 2
    for update`.execute(db)
  const assessed = rows.map((key) => ({ ...assess({ ...key, reason: null }), number: key.number }))
  await sql`
    update identity_key k set version_key = g.version_key, decidability = g.decidability
    from unnest(
      ${columnOf(assessed, 'uuid', ({ id }) => id)}, ${columnOf(assessed, 'int', ({ number }) => number)},
      ${columnOf(assessed, 'bytea', ({ versionKey }) => versionKey)},
      ${columnOf(assessed, 'text', ({ decidability }) => decidability)}
    ) as g (id, number, version_key, decidability)
    where k.identity_id = g.id and k.number = g.number
      and (k.version_key, k.decidability) is distinct from (g.version_key, g.decidability)`.execute(db)
}

async function writeAssessed(db: Db, assessed: readonly Assessed[]): Promise<ChangedIdentity[]> {
  const { rows } = await sql<ChangedIdentity>`
    with given as (
      select * from unnest(
        ${columnOf(assessed, 'uuid', ({ id }) => id)}, ${columnOf(assessed, 'bytea', ({ versionKey }) => versionKey)},
        ${columnOf(assessed, 'text', ({ decidability }) => decidability)},
        ${columnOf(assessed, 'text', ({ reason }) => reason)}
      ) as given (id, version_key, decidability, reason)
    ),
    before as materialized (
      select i.id, i.decidability, i.reason, ${decidabilityOf('i')} = 'covered' as was_covered
      from given g join component_identity i on i.id = g.id
      order by i.id
      for update of i
    ),
    written as (
      update component_identity i
      set version_key = g.version_key, decidability = g.decidability, reason = g.reason
      from given g
      join before b on b.id = g.id
      where i.id = g.id
        and (i.version_key, i.decidability, i.reason) is distinct from (g.version_key, g.decidability, g.reason)
    )
    select g.id, b.was_covered as "wasCovered"
    from given g
    join before b on b.id = g.id
    where (b.decidability, b.reason) is distinct from (g.decidability, g.reason)`.execute(db)
  return rows
}

/** Identities whose key an earlier release computed, some of them, in the order of their ids. */
export async function selectOldAfter(db: Db, last: string | null): Promise<OldIdentity[]> {
  const { rows } = await sql<OldIdentity>`
    select id, ecosystem, version, release, stream, scheme, decidability, reason
    from component_identity
    where key_generation < ${keyGeneration} and ${last === null ? sql`true` : sql`id > ${last}`}
    order by id
    limit ${identitiesPerStep}`.execute(db)
  return rows
}

export async function markRenewed(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    with renewed as materialized (
      select id from component_identity where id = any(${uuidList(ids)}) order by id for update
    )
    update component_identity i set key_generation = ${keyGeneration}
    from renewed r
    where i.id = r.id`.execute(db)
}

export async function countOld(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('component_identity')
    .select(db.fn.countAll<number>().as('count'))
    .where('key_generation', '<', keyGeneration)
    .executeTakeFirstOrThrow()
  return count
}
