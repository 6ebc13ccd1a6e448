import type { Db, Tx } from '../../database/connection.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { enqueue } from '../../queue/enqueue.ts'
import {
  countErasing,
  eraseSome,
  giveUpStaged,
  selectErasing,
  type Erasing as ErasingFrom,
} from '../../originals/erase.ts'
import { forgetObjects, type StoredObject } from '../../originals/object-rows.ts'
import type { Logger } from 'pino'
import { ObjectStoreError } from '../../originals/objects/object-store.ts'
import type { Originals } from '../../originals/originals.ts'

const eraser: Actor = { kind: 'system', id: null, name: 'erasure of originals' }

/**
 * Has what is due to be erased from the object store erased, each workspace by a job of its own (schedule). What was put into another bucket waits without
 * one until that is set. `bucket` is null where there is no object store.
 */
export async function enqueueErasures(
  db: Db,
  { bucket, now }: { bucket: string | null; now: Date },
): Promise<void> {
  await giveUpStaged(db)
  if (bucket === null) return
  const workspaces = await selectErasing(db, { bucket, unknown: 'here' })
  if (workspaces.length === 0) return
  await db.transaction().execute(async (tx) => {
    for (const workspaceId of workspaces) await enqueueErasure(tx, workspaceId, now)
  })
}

export async function enqueueErasure(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await enqueue(tx, { kind: 'erase_originals', key: workspaceId, payload: { workspaceId }, runAt: now })
}

type Erasing = { workspaceId: string; originals: Originals; log: Pick<Logger, 'error'>; now: Date }

/**
 * Erases from the object store what nothing of a workspace names any more (job `erase_originals`), and records which hashes it no longer finds
 * there: in the workspace's audit trail, or in that of the installation when the workspace is gone. What cannot be erased now is left to the next
 * run of the schedule.
 */
export async function eraseOriginals(db: Db, { workspaceId, originals, log, now }: Erasing): Promise<void> {
  const { store, prefix, bucket } = originals
  // readiness says when there is no store although there are objects, and when there are some in another bucket
  if (store === null) return
  try {
    await eraseDue(db, { workspaceId, store, prefix, bucket, unknown: 'here' }, now)
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error
    log.error({ err: error, workspaceId }, 'originals could not be erased from the object store')
  }
}

export type ErasedWaiting = {
  erased: number
  /** In this bucket: moved away less than an hour ago, or put by a release that did not say where. The service erases them. */
  waiting: number
  /** In another one. */
  elsewhere: number
}

/** Erases from a bucket what it is known to have and is due, of every workspace: also from one that the service does not use any more. Throws `ObjectStoreError`. */
export async function eraseWaiting(
  db: Db,
  { originals: { store, prefix, bucket }, now }: Pick<Erasing, 'originals' | 'now'>,
): Promise<ErasedWaiting> {
  if (store === null) throw new Error('there is no object store')
  let erased = 0
  const known = { bucket, unknown: 'elsewhere' } as const
  for (const workspaceId of await selectErasing(db, known))
    erased += await eraseDue(db, { workspaceId, store, prefix, ...known }, now)
  const { here, elsewhere } = await countErasing(db, bucket)
  return { erased, waiting: here, elsewhere }
}

async function eraseDue(db: Db, erasing: ErasingFrom, now: Date): Promise<number> {
  const { workspaceId } = erasing
  let count = 0
  for (let isLast = false; !isLast;) {
    const { erased, isLast: wasLast } = await eraseSome(db, erasing)
    await db.transaction().execute((tx) => recordErased(tx, { workspaceId, erased, now }))
    count += erased.length
    isLast = wasLast
  }
  return count
}

type Erased = { workspaceId: string; erased: readonly StoredObject[]; now: Date }

/** The rows go with the event. What another job has recorded meanwhile is left out. */
async function recordErased(tx: Tx, { workspaceId, erased, now }: Erased): Promise<void> {
  const gone = await forgetObjects(tx, { workspaceId, ids: erased.map(({ id }) => id) })
  if (gone.length === 0) return
  const workspace = await tx
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  await recordAct(tx, {
    workspaceId: workspace === undefined ? null : workspaceId,
    actor: eraser,
    at: now,
    action: 'workspace.originals_erased',
    object: { kind: 'workspace', id: workspaceId },
    after: {
      objects: gone.length,
      sha256: gone,
      proof: 'not found in the object store after they were removed',
    },
  })
}
