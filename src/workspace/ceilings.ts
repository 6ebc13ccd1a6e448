import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import type { Db, Tx } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../audit/record-acts.ts'
import { lockWorkspace, type WorkspaceRow } from './workspaces.ts'

/** How much a workspace may hold, as set by the operator; null: no limit. */
export type Ceilings = {
  families: number | null
  sboms: number | null
  /** Of SBOMs and VEX documents together, inflated. */
  bytes: number | null
  /** Bytes of the files of reports; null: `reportLimits.workspaceBytes`, as in every workspace. */
  files: number | null
}

export type Ceiling = keyof Ceilings
export const ceilingNames = ['families', 'sboms', 'bytes', 'files'] as const satisfies readonly Ceiling[]

/** A ceiling as an operator types it, where `none` lifts it; else why it is refused. */
export function readCeiling(name: Ceiling, text: string): { max: number | null } | { refused: string } {
  if (text === 'none') return { max: null }
  const number = Number(text)
  const greatest = name === 'bytes' || name === 'files' ? Number.MAX_SAFE_INTEGER : 2 ** 31 - 1
  if (/^\d+$/.test(text) && number <= greatest) return { max: number }
  return { refused: `expected a whole number up to ${greatest}, or none; found "${text}"` }
}

type StoredCeilings = Pick<WorkspaceRow, 'most_families' | 'most_sboms' | 'most_bytes' | 'most_file_bytes'>

export function ceilingsOf(row: StoredCeilings): Ceilings {
  const { most_families: families, most_sboms: sboms, most_bytes: bytes, most_file_bytes: files } = row
  return { families, sboms, bytes, files }
}

/** Sets some ceilings and keeps the others; null lifts one. What is held already stays. Codes: `not_found`. */
export async function setCeilings(
  db: Db,
  {
    workspaceId,
    ceilings,
    actor,
    now,
  }: { workspaceId: string; ceilings: Partial<Ceilings>; actor: Actor; now: Date },
): Promise<Ceilings> {
  return transact(db, async (tx) => {
    const workspace = await lockWorkspace(tx, workspaceId)
    const before = ceilingsOf(workspace)
    const after = { ...before, ...ceilings }
    if (isDeepStrictEqual(before, after)) return after
    await tx
      .updateTable('workspace')
      .set({
        most_families: after.families,
        most_sboms: after.sboms,
        most_bytes: after.bytes,
        most_file_bytes: after.files,
      })
      .where('id', '=', workspaceId)
      .execute()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      before,
      after,
      action: 'workspace.ceilings_changed',
      object: { kind: 'workspace', id: workspaceId, name: workspace.company_name },
    })
    return after
  })
}

const words: Record<Exclude<Ceiling, 'files'>, (max: number) => string> = {
  families: (max) => (max === 1 ? '1 product family' : `${max} product families`),
  sboms: (max) => (max === 1 ? '1 SBOM' : `${max} SBOMs`),
  bytes: (max) => `${max} bytes of documents`,
}

function refused(ceiling: Exclude<Ceiling, 'files'>, max: number): string {
  return `The operator of this service lets this workspace hold ${words[ceiling](max)} at most. Remove what is no longer needed, or ask the operator for more.`
}

/** Before a family is made or restored, in its transaction. Codes: `conflict`. */
export async function refuseFamilyOverCeiling(tx: Tx, workspaceId: string): Promise<void> {
  // concurrent additions wait here, where there is a ceiling at all
  const { rows } = await sql<{ max: number }>`
    select most_families as max from workspace where id = ${workspaceId} and most_families is not null for no key update`.execute(
    tx,
  )
  const [limited] = rows
  if (limited === undefined) return
  const counted = await sql<{ held: number }>`
    select count(*) as held from family where workspace_id = ${workspaceId} and deleted_at is null`.execute(
    tx,
  )
  if ((counted.rows[0]?.held ?? 0) < limited.max) return
  throw new ServiceError('conflict', { message: refused('families', limited.max) })
}

/** A new document in the transaction that stores it; `max`: as read with the locked sender. */
type Arriving = {
  workspaceId: string
  sizeBytes: number
  isSbom: boolean
  max: Pick<Ceilings, 'sboms' | 'bytes'>
}

/**
 * Refuses a document over the ceiling; known files are not counted again. A full workspace accepts no uploads, like a read-only one:
 * `billing_lapsed`, the message says why. Indexes sbom_family, vex_document_family.
 */
export async function refuseUploadOverCeiling(
  tx: Tx,
  { workspaceId, sizeBytes, isSbom, max }: Arriving,
): Promise<void> {
  if (max.sboms === null && max.bytes === null) return
  // families are locked one by one; where there is a ceiling, uploads to two of them are counted one after the other
  await sql`select pg_advisory_xact_lock(hashtextextended(${workspaceId}, 7403))`.execute(tx)
  const counted = await sql<{ sboms: number; bytes: number }>`
    select (select count(*) from sbom where workspace_id = ${workspaceId}) as sboms,
      ((select coalesce(sum(size_bytes), 0) from sbom where workspace_id = ${workspaceId})
        + (select coalesce(sum(size_bytes), 0) from vex_document where workspace_id = ${workspaceId} and sbom_id is null)
      )::bigint as bytes`.execute(tx)
  const held = counted.rows[0] ?? { sboms: 0, bytes: 0 }
  if (isSbom && max.sboms !== null && held.sboms + 1 > max.sboms)
    throw new ServiceError('billing_lapsed', { message: refused('sboms', max.sboms) })
  if (max.bytes !== null && held.bytes + sizeBytes > max.bytes)
    throw new ServiceError('billing_lapsed', { message: refused('bytes', max.bytes) })
}
