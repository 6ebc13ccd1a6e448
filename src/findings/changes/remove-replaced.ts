import { sql } from 'kysely'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { selectSbomsToRemove } from '../../sbom/retention/judge-replaced.ts'
import type { ReplacedSbom } from '../../sbom/retention/reason-to-stay.ts'
import {
  deleteSboms,
  lockArrivals,
  recordRemovedSboms,
  selectUnlisted,
} from '../../sbom/retention/remove-sboms.ts'
import { selectSbomRetention } from '../../sbom/retention/setting.ts'
import { removeReported } from '../../vex/documents/remove-reported.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { monitored } from '../../workspace/state.ts'
import { forgetNumbers } from '../inventory/forget-numbers.ts'
import { lockFindingsOfFamily } from '../locks.ts'

const schedule: Actor = { kind: 'system', id: null, name: 'retention' }

/** In one transaction, so that no upload waits for long; one SBOM at least. */
const sbomsAtOnce = 20
const componentsAtOnce = 50_000

/**
 * Removes the replaced SBOMs that families no longer keep, some in each transaction, which also records what went. An interrupted run has removed
 * only whole SBOMs, and the next run continues. A workspace that is read-only or closed keeps everything. Returns how many went.
 */
export async function removeReplacedSboms(
  db: Db,
  { now, stopping }: { now: Date; stopping?: AbortSignal | undefined },
): Promise<number> {
  let removed = 0
  for (const family of await selectFamilies(db, now)) {
    while (stopping?.aborted !== true) {
      const some = await transact(db, (tx) => removeSome(tx, family, now))
      if (some === 0) break
      removed += some
    }
  }
  return removed
}

/** How many would go now. */
export async function countReplacedSboms(db: Db, now: Date): Promise<number> {
  let count = 0
  for (const family of await selectFamilies(db, now)) {
    const setting = await selectSbomRetention(db, family)
    count += (await selectSbomsToRemove(db, { ...family, setting, now })).length
  }
  return count
}

async function selectFamilies(db: Db, now: Date): Promise<FamilyKey[]> {
  const { rows } = await sql<FamilyKey>`
    select t.workspace_id as "workspaceId", t.family_id as "familyId"
    from sbom_retention t
    join family f on f.id = t.family_id and f.deleted_at is null
    join workspace w on w.id = t.workspace_id and ${monitored('w', now)}
    where t.keep <> 'all'
    order by t.family_id`.execute(db)
  return rows
}

/**
 * The locks are taken in the order that the rest of the project keeps. The first is that of the findings, so that no finding is written on a
 * component that goes. Then comes the family, so that no upload and no activation comes between judging and deleting; then the search.
 */
async function removeSome(tx: Tx, family: FamilyKey, now: Date): Promise<number> {
  await lockFindingsOfFamily(tx, family.familyId)
  const locked = await lockArrivals(tx, family)
  if (locked === null) return 0
  const setting = await selectSbomRetention(tx, family)
  const going = firstOf(await selectSbomsToRemove(tx, { ...family, setting, now }))
  const sbomIds = await lockSboms(tx, family, going)
  if (sbomIds.length === 0) return 0
  const sha256 = await recordRemovedSboms(tx, { ...family, sbomIds, setting, now })
  const unlisted = await selectUnlisted(tx, family, sbomIds)
  await removeReported(tx, family, sbomIds)
  await forgetNumbers(tx, family, unlisted)
  const components = await deleteSboms(tx, family, { sbomIds, unlisted })
  const removed = going.filter(({ id }) => sbomIds.includes(id))
  await recordAct(tx, {
    workspaceId: family.workspaceId,
    actor: schedule,
    at: now,
    action: 'family.sboms_removed',
    object: { kind: 'family', id: family.familyId, name: locked.name },
    after: {
      keep: setting.keep,
      amount: setting.amount,
      isCraLifted: setting.isCraLifted,
      sboms: removed.length,
      sizeBytes: removed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      components,
      sha256,
    },
  })
  return removed.length
}

function firstOf(sboms: readonly ReplacedSbom[]): ReplacedSbom[] {
  const first: ReplacedSbom[] = []
  let components = 0
  for (const sbom of sboms.slice(0, sbomsAtOnce)) {
    components += sbom.components
    if (first.length > 0 && components > componentsAtOnce) break
    first.push(sbom)
  }
  return first
}

/** Except those being matched again meanwhile, which locks only the row of the SBOM. */
async function lockSboms(tx: Tx, family: FamilyKey, sboms: readonly ReplacedSbom[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from sbom
    where workspace_id = ${family.workspaceId} and family_id = ${family.familyId}
      and id = any(${uuidList(sboms.map(({ id }) => id))}) and not active and status in ('matched', 'failed')
    order by id
    for update`.execute(tx)
  return rows.map(({ id }) => id)
}
