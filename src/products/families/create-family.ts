import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { newId } from '../../platform/random.ts'
import { readName } from '../../platform/input-reader.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { refuseFamilyOverCeiling } from '../../workspace/ceilings.ts'

type NewFamily = { workspaceId: string; name: string; actor: Actor; now: Date }

/** Makes a product family. Names are unique among a workspace's families without regard to case. Codes: `invalid_request`. */
export async function createFamily(
  db: Db,
  { workspaceId, name, actor, now }: NewFamily,
): Promise<{ id: string }> {
  const cleanName = familyName(name)
  return transact(db, async (tx) => {
    await refuseFamilyOverCeiling(tx, workspaceId)
    const id = newId(now)
    const made = await tx
      .insertInto('family')
      .values({
        id,
        workspace_id: workspaceId,
        name: cleanName,
        current_version_id: null,
        created_at: now,
        archived_at: null,
        deleted_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows !== 1n) throw nameTaken()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'family.created',
      object: { kind: 'family', id, name: cleanName },
    })
    return { id }
  })
}

/** Trims and bounds a family's name: 1 to 120 characters, all visible. */
export function familyName(name: string): string {
  return readName(name, 120)
}

export function nameTaken(): ServiceError {
  return new ServiceError('invalid_request', {
    fields: { name: 'Another family of this workspace has this name. It may be archived.' },
  })
}
