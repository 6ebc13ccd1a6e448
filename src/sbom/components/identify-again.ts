import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connection.ts'
import { decompress } from '../../formats/decompress/decompress.ts'
import { readSbom } from '../../formats/sbom/read-sbom.ts'
import { identityGeneration } from '../../identities/identify.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Clock } from '../../platform/clock.ts'
import { enqueue } from '../../queue/enqueue.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { monitored } from '../../workspace/state.ts'
import { matchingJob } from '../matching-job.ts'
import { digestsOf, distinctComponents, identifierOf } from './component-rows.ts'
import { componentsOfSbom } from './components-of-sbom.ts'
import { numberedColumns } from './numbered-columns.ts'
import { insertMissing, lookUpComponents, numberComponents } from './store-components.ts'

type Stored = FamilyKey & { sbomId: string }
/** A stored SBOM, and how its file is compressed. */
export type IdentifiedEarlier = Stored & { encoding: string }

/**
 * Identifies the components of an SBOM that an earlier release stored, by the rules of this one, and has it matched: until then nothing would meet what only
 * its new names meet. One whose identities and digests stay the same is only marked. A second run changes nothing, nor does one for an SBOM that was replaced meanwhile,
 * or is not monitored any more. Its document was accepted when it came.
 * Codes: `too_large` when the file inflates to more than `maxFileBytes`.
 */
export async function identifyAgain(
  db: Db,
  { encoding, ...sbom }: IdentifiedEarlier,
  raw: Uint8Array,
  { maxFileBytes, clock }: { maxFileBytes: number; clock: Clock },
): Promise<null> {
  const document = readSbom(decompress(raw, encoding, 'gzip', maxFileBytes))
  const identify = identifierOf(document)
  const { components, known } = await lookUpComponents(db, sbom, distinctComponents(document))
  const rows = components.all()
  // before the family is locked: uploads wait for that
  const found = new Set(rows.flatMap((row) => [identify(row).identityId, ...digestsOf(row.component)]))
  await transact(db, async (tx) => {
    const next = await lockIdentifiedEarlier(tx, sbom, clock())
    if (next === undefined) return
    if (await isIdentifiedSo(tx, sbom, found)) return markIdentified(tx, sbom)
    const { numberOf, missing } = await numberComponents(tx, sbom, { components, known, next })
    await insertMissing(tx, sbom, { missing, next, sbomId: sbom.sbomId, identifyRow: identify })
    await tx
      .updateTable('sbom')
      .set(numberedColumns(document, rows, numberOf))
      .where('workspace_id', '=', sbom.workspaceId)
      .where('id', '=', sbom.sbomId)
      .execute()
    await enqueue(tx, matchingJob({ ...sbom, now: clock() }))
  })
  return null
}

/** The family's next number, under the lock that uploads take; undefined where the SBOM needs no more. */
async function lockIdentifiedEarlier(
  tx: Tx,
  { workspaceId, familyId, sbomId }: Stored,
  now: Date,
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('family as f')
    .innerJoin('sbom as s', 's.family_id', 'f.id')
    .innerJoin('workspace as w', 'w.id', 'f.workspace_id')
    .select('f.next_component_number')
    .where('f.workspace_id', '=', workspaceId)
    .where('f.id', '=', familyId)
    .where('f.archived_at', 'is', null)
    .where('f.deleted_at', 'is', null)
    .where(monitored('w', now))
    .where('s.id', '=', sbomId)
    .where('s.active', '=', true)
    .where('s.identity_generation', '<', identityGeneration)
    .forShare('w')
    .forNoKeyUpdate(['f', 's'])
    .executeTakeFirst()
  return row?.next_component_number
}

/** Whether it has these identities and digests: most rules concern few components, so most SBOMs stay as they are. */
async function isIdentifiedSo(
  tx: Tx,
  { workspaceId, sbomId }: Stored,
  found: ReadonlySet<string>,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with part as materialized (
      select c.identity_id, c.hashes from sbom s cross join ${componentsOfSbom('s')}
      where s.workspace_id = ${workspaceId} and s.id = ${sbomId}
    )
    select identity_id::text as id from part
    union
    select k.hash from part cross join unnest(part.hashes) as k (hash)`.execute(tx)
  const stored = new Set(rows.map(({ id }) => id))
  return stored.symmetricDifference(found).size === 0
}

async function markIdentified(tx: Tx, { workspaceId, sbomId }: Stored): Promise<void> {
  await tx
    .updateTable('sbom')
    .set({ identity_generation: identityGeneration })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sbomId)
    .execute()
}

/** SBOMs of one look-up: it reads all of them. */
const sbomsPerLookUp = 1_000

/** Active SBOMs that an earlier release identified, some of them, in the order of their ids. Families that are not monitored keep theirs. */
export async function selectIdentifiedEarlier(
  db: Db,
  { after, now }: { after: string | null; now: Date },
): Promise<Stored[]> {
  return db
    .selectFrom('sbom as s')
    .innerJoin('family as f', (join) =>
      join.onRef('f.workspace_id', '=', 's.workspace_id').onRef('f.id', '=', 's.family_id'),
    )
    .innerJoin('workspace as w', 'w.id', 's.workspace_id')
    .select(['s.workspace_id as workspaceId', 's.family_id as familyId', 's.id as sbomId'])
    .where('s.active', '=', true)
    .where('s.identity_generation', '<', identityGeneration)
    .where('f.archived_at', 'is', null)
    .where('f.deleted_at', 'is', null)
    .where(monitored('w', now))
    .$if(after !== null, (query) => query.where('s.id', '>', after ?? ''))
    .orderBy('s.id')
    .limit(sbomsPerLookUp)
    .execute()
}
