import { ServiceError } from '../../contract/errors.ts'
import { shownSecond } from '../../contract/shown-time.ts'
import { incidentLimits, minReasoningCharacters } from '../../contract/incidents/limits.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { newId } from '../../platform/random.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { InputReader } from '../../platform/input-reader.ts'

type Act = { workspaceId: string; findingId: string; actor: Actor; now: Date }

/**
 * Dismisses an uncertain match: the vulnerability is exploited, and a member says that it is not in the product. Codes: `invalid_request`,
 * `not_found`, `conflict` (somebody else did, or the match is sure).
 */
export async function dismissReview(db: Db, act: Act, given: string): Promise<void> {
  const { workspaceId, findingId, actor, now } = act
  const reader = new InputReader()
  const reason = reader.text('reason', given, {
    min: minReasoningCharacters,
    max: incidentLimits.openingReasonCharacters,
  })
  reader.finish()
  await transact(db, async (tx) => {
    const finding = await lockFinding(tx, act)
    const inserted = await tx
      .insertInto('dismissed_match')
      .values({
        id: newId(now),
        workspace_id: workspaceId,
        family_id: finding.family_id,
        version_id: finding.version_id,
        identity_id: finding.identity_id,
        group_id: finding.group_id,
        reason,
        dismissed_at: now,
        dismissed_by_name: actor.name,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted === undefined) throw await alreadyDismissed(tx, finding)
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'incident.match_dismissed',
      object: { kind: 'finding', id: findingId, name: finding.title_id },
    })
  })
}

/** Locked, so that it does not change until it is dismissed. */
async function lockFinding(tx: Tx, { workspaceId, findingId }: Act) {
  const finding = await tx
    .selectFrom('finding as f')
    .innerJoin('vulnerability_group as g', 'g.id', 'f.group_id')
    .select([
      'f.workspace_id',
      'f.family_id',
      'f.version_id',
      'f.identity_id',
      'f.group_id',
      'f.grade',
      'f.exploited_by',
      'g.title_id',
    ])
    .where('f.workspace_id', '=', workspaceId)
    .where('f.id', '=', findingId)
    .where('f.closed_at', 'is', null)
    .forNoKeyUpdate('f')
    .executeTakeFirst()
  if (finding === undefined) throw new ServiceError('not_found')
  if (finding.grade === 'exact' && finding.exploited_by.length > 0) {
    throw new ServiceError('conflict', {
      message: 'This match is exact: it opens an incident, where a determination is recorded.',
    })
  }
  return finding
}

async function alreadyDismissed(tx: Tx, finding: Awaited<ReturnType<typeof lockFinding>>) {
  const { dismissed_by_name: name, dismissed_at: at } = await tx
    .selectFrom('dismissed_match')
    .select(['dismissed_by_name', 'dismissed_at'])
    .where('workspace_id', '=', finding.workspace_id)
    .where('family_id', '=', finding.family_id)
    .where('version_id', 'is not distinct from', finding.version_id)
    .where('identity_id', '=', finding.identity_id)
    .where('group_id', '=', finding.group_id)
    .executeTakeFirstOrThrow()
  return new ServiceError('conflict', { message: `${name} put this aside at ${shownSecond(at)}.` })
}
