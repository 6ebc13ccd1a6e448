import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db, Tx } from '../../database/connection.ts'
import { decide, type ComponentIdentity, type Decidability } from '../../formats/identity/identify.ts'
import { keyGeneration, type VersionScheme } from '../../formats/versions/ordering.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { columnOf, uuidList } from '../../platform/postgres/columns.ts'
import { retrySerialization } from '../../platform/postgres/pool.ts'
import { readSourcesAnew } from '../../vulndata/sources.ts'
import { recountCoverage } from '../inventory/take-inventory.ts'
import { matchIdentities } from '../../matching/match-identities.ts'
import { orderStaleFamilies } from './stale-families.ts'

/** Identities of one step: some seconds of work, after which the log tells how far it is. */
const identitiesPerStep = 5_000

/** Orders the renewal of version keys when the store holds some that an earlier release computed. Reads all identities once. */
export async function orderKeyRenewal(tx: Tx, now: Date): Promise<void> {
  const old = await tx
    .selectFrom('component_identity')
    .select('id')
    .where('key_generation', '<', keyGeneration)
    .limit(1)
    .executeTakeFirst()
  if (old === undefined) return
  await enqueue(tx, { kind: 'renew_version_keys', key: 'all', payload: {}, runAt: now })
}

/**
 * After a release that orders versions otherwise (job `renew_version_keys`): computes the version keys of stored identities anew and
 * whether they can be compared, matches them, and orders a refresh of the families in which that changes a finding. The bounds of
 * ranges are computed when their records are read, so first all sources are ordered to be read anew. Identities count as renewed
 * only when they are matched: a run that was cut off goes on where it was.
 */
export async function renewVersionKeys(
  db: Db,
  { now, log }: { now: Date; log: Pick<Logger, 'info'> },
): Promise<void> {
  const total = await countOld(db)
  if (total === 0) return
  await readSourcesAnew(db)
  let done = 0
  let last: string | null = null
  for (;;) {
    const identities: OldIdentity[] = await selectOldAfter(db, last)
    if (identities.length === 0) return
    await renew(db, identities, now)
    last = identities.at(-1)?.id ?? last
    done += identities.length
    log.info({ done, total: Math.max(done, total) }, 'version keys renewed')
  }
}

async function renew(db: Db, identities: readonly OldIdentity[], now: Date): Promise<void> {
  const ids = identities.map((identity) => identity.id)
  const decided = identities.map(decideAnew)
  // in one transaction: a run that was cut off in between would not see that they changed
  await retrySerialization(() =>
    db.transaction().execute(async (tx) => recountCoverage(tx, await writeDecisions(tx, decided))),
  )
  await matchIdentities(db, ids, { now })
  await orderStaleFamilies(db, ids, now)
  await retrySerialization(() => markRenewed(db, ids))
}

type OldIdentity = {
  id: string
  ecosystem: string | null
  version: string
  release: string | null
  stream: string
  scheme: VersionScheme | null
  decidability: Decidability
  reason: string | null
}

type Decided = { id: string } & Pick<ComponentIdentity, 'versionKey' | 'decidability' | 'reason'>

/** What no source covers has no order that could change. */
function decideAnew({ id, scheme, decidability, reason, ...place }: OldIdentity): Decided {
  if (scheme === null) return { id, versionKey: null, decidability, reason }
  return { id, ...decide({ ...place, scheme }) }
}

/** Answers the identities that can be compared now and could not before, or the other way round. */
async function writeDecisions(db: Db, decided: readonly Decided[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with given as (
      select * from unnest(
        ${columnOf(decided, 'uuid', ({ id }) => id)}, ${columnOf(decided, 'bytea', ({ versionKey }) => versionKey)},
        ${columnOf(decided, 'text', ({ decidability }) => decidability)},
        ${columnOf(decided, 'text', ({ reason }) => reason)}
      ) as given (id, version_key, decidability, reason)
    ),
    before as materialized (
      select i.id, i.decidability, i.reason
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
    select g.id
    from given g
    join before b on b.id = g.id
    where (b.decidability, b.reason) is distinct from (g.decidability, g.reason)`.execute(db)
  return rows.map((row) => row.id)
}

async function selectOldAfter(db: Db, last: string | null): Promise<OldIdentity[]> {
  const { rows } = await sql<OldIdentity>`
    select id, ecosystem, version, release, stream, scheme, decidability, reason
    from component_identity
    where key_generation < ${keyGeneration} and ${last === null ? sql`true` : sql`id > ${last}`}
    order by id
    limit ${identitiesPerStep}`.execute(db)
  return rows
}

async function markRenewed(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    with renewed as materialized (
      select id from component_identity where id = any(${uuidList(ids)}) order by id for update
    )
    update component_identity i set key_generation = ${keyGeneration}
    from renewed r
    where i.id = r.id`.execute(db)
}

async function countOld(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('component_identity')
    .select(db.fn.countAll<number>().as('count'))
    .where('key_generation', '<', keyGeneration)
    .executeTakeFirstOrThrow()
  return count
}
