import { sql } from 'kysely'
import { ServiceError, type ErrorCode } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { newId } from '../../platform/random.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import type { TokenSender } from '../../products/tokens/lock-sender.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/** Refusals kept for each family; the oldest goes first. */
const keptRefusals = 100

export type Refusal = {
  sender: TokenSender
  at: Date
  error: ErrorCode
  detail: string | null
  group: string | null
  projectName: string | null
  projectVersion: string | null
  sizeBytes: number | null
}

/**
 * Stores a refused request for the people of the family. One that equals the newest is only counted, so that a sender over its limit
 * does not displace the others.
 */
export async function keepRefusal(db: Db, refusal: Refusal): Promise<void> {
  await transact(db, async (tx) => {
    if (await countAgain(tx, refusal)) return
    await insertRefusal(tx, refusal)
    await sql`
      delete from connector_refusal where id in (
        select id from connector_refusal where family_id = ${refusal.sender.familyId}
        order by at desc, id desc offset ${keptRefusals})`.execute(tx)
  })
}

async function countAgain(db: Db, { sender, at, error, detail, ...refusal }: Refusal): Promise<boolean> {
  const result = await sql`
    update connector_refusal as r
    set at = ${at}, times = times + 1, size_bytes = ${refusal.sizeBytes}
    where r.id = (
        select id from connector_refusal
        where workspace_id = ${sender.workspaceId} and family_id = ${sender.familyId}
        order by at desc, id desc limit 1)
      and r.resolved_at is null and r.token_id = ${sender.tokenId} and r.error = ${error}
      and (r.detail, r.notification_group, r.project_name, r.project_version) is not distinct from
        (${detail}::text, ${refusal.group}::text, ${refusal.projectName}::text, ${refusal.projectVersion}::text)`.execute(
    db,
  )
  return result.numAffectedRows === 1n
}

async function insertRefusal(db: Db, { sender, at, error, ...refusal }: Refusal): Promise<void> {
  await db
    .insertInto('connector_refusal')
    .values({
      id: newId(at),
      workspace_id: sender.workspaceId,
      family_id: sender.familyId,
      at,
      error,
      detail: refusal.detail,
      notification_group: refusal.group,
      project_name: refusal.projectName,
      project_version: refusal.projectVersion,
      size_bytes: refusal.sizeBytes,
      token_id: sender.tokenId,
      token_name: sender.name,
      resolved_at: null,
    })
    .execute()
}

/** A BOM of the project was accepted: its earlier refusals are resolved. For refusals without a project that is not known. */
export async function resolveRefusals(
  db: Db,
  { workspaceId, familyId }: FamilyKey,
  { projectName, at }: { projectName: string | null; at: Date },
): Promise<void> {
  if (projectName === null) return
  await db
    .updateTable('connector_refusal')
    .set({ resolved_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .where('resolved_at', 'is', null)
    .where('project_name', '=', projectName)
    .execute()
}

type Dismissal = FamilyKey & { refusalId: string; actor: Actor; now: Date }

/** Takes a refusal off the list, for people who know that it is dealt with. Codes: `not_found`. */
export async function dismissRefusal(db: Db, { refusalId, actor, now, ...family }: Dismissal): Promise<void> {
  const { workspaceId, familyId } = family
  await transact(db, async (tx) => {
    const gone = await tx
      .deleteFrom('connector_refusal')
      .where('workspace_id', '=', workspaceId)
      .where('family_id', '=', familyId)
      .where('id', '=', refusalId)
      .returning(['at', 'error', 'project_name'])
      .executeTakeFirst()
    if (gone === undefined) throw new ServiceError('not_found')
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'connector.refusal_dismissed',
      object: {
        kind: 'connector_refusal',
        id: refusalId,
        ...(gone.project_name === null ? {} : { name: gone.project_name }),
      },
      before: { familyId, at: gone.at, error: gone.error },
    })
  })
}

/** Records that a test notification arrived, which the platform itself does not show. */
export async function upsertTest(
  db: Db,
  { workspaceId, familyId, name }: TokenSender,
  { group, at }: { group: string; at: Date },
): Promise<void> {
  const test = { at, notification_group: group, token_name: name }
  await db
    .insertInto('connector_test')
    .values({ family_id: familyId, workspace_id: workspaceId, ...test })
    .onConflict((conflict) => conflict.column('family_id').doUpdateSet(test))
    .execute()
}
