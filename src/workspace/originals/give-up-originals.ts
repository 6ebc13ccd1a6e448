import type { Db } from '../../database/connection.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { isLost, markLost, objectColumns, type KnownObject } from '../../originals/object-rows.ts'
import { UnreadableOriginal, type Originals, type UnreadableReason } from '../../originals/originals.ts'
import { ServiceError } from '../../contract/errors.ts'
import { inParallel } from '../../platform/concurrency/in-parallel.ts'
import { objectsInParallel } from '../../originals/erase.ts'

type GivingUp = {
  workspaceId: string
  originals: Originals
  /** Of the files, hexadecimal: each of them, and nothing else. */
  sha256: readonly string[]
  actor: Actor
  now: Date
}

export type GivenUp = { sha256: string; why: UnreadableReason }

/**
 * Gives up originals of a workspace that the object store has lost for good: recorded by name, so that nothing waits for them any more. The bucket is asked for
 * each first. What names them stays, and says that they are lost; one that is put back under its key is read again. Twice changes nothing. Returns
 * those that were not given up before, by hash. Codes: `not_found` (the workspace has none with this hash there), `conflict` (it is there, and can be read),
 * `not_configured` (the object store does not answer).
 */
export async function giveUpOriginals(
  db: Db,
  { workspaceId, originals, sha256, actor, now }: GivingUp,
): Promise<GivenUp[]> {
  const objects = await selectNamed(db, workspaceId, sha256)
  const lost: (GivenUp & { id: string })[] = []
  await inParallel(
    objects.filter((object) => !object.isLost),
    objectsInParallel,
    async (object) => {
      const hash = object.sha256.toString('hex')
      lost.push({ id: object.id, sha256: hash, why: await reasonOf(originals, object, hash) })
    },
  )
  lost.sort((one, other) => one.sha256.localeCompare(other.sha256) || one.id.localeCompare(other.id))
  const givenUp = lost.map(({ sha256: hash, why }) => ({ sha256: hash, why }))
  if (lost.length === 0) return givenUp
  await db.transaction().execute(async (tx) => {
    const count = await markLost(tx, { workspaceId, objectIds: lost.map(({ id }) => id) })
    if (count !== lost.length)
      throw new ServiceError('conflict', {
        message: 'Some of them were removed or given up meanwhile: run it again. Nothing was given up.',
      })
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'workspace.originals_given_up',
      object: { kind: 'workspace', id: workspaceId },
      after: { objects: lost.length, originals: givenUp },
    })
  })
  return givenUp
}

async function selectNamed(db: Db, workspaceId: string, sha256: readonly string[]): Promise<KnownObject[]> {
  const objects = await db
    .selectFrom('original_object')
    .select([...objectColumns, isLost])
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', ['kept', 'lost'])
    .where(
      'sha256',
      'in',
      sha256.map((hash) => Buffer.from(hash, 'hex')),
    )
    .execute()
  const found = new Set(objects.map((object) => object.sha256.toString('hex')))
  const unknown = sha256.filter((hash) => !found.has(hash))
  if (unknown.length > 0)
    throw new ServiceError('not_found', {
      message: `The workspace has no original in the object store with the SHA-256 ${unknown.join(', ')}. Nothing was given up.`,
    })
  return objects
}

async function reasonOf(originals: Originals, object: KnownObject, hash: string): Promise<UnreadableReason> {
  try {
    await originals.readObject(object)
  } catch (error) {
    if (error instanceof UnreadableOriginal) return error.reason
    throw error
  }
  throw new ServiceError('conflict', {
    message: `The original with the SHA-256 ${hash} is in the object store and can be read. Nothing was given up.`,
  })
}
