import type { AdvisoryContent } from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Actor } from '../../audit/record-acts.ts'

export type AdvisoryAct = { workspaceId: string; advisoryId: string; actor: Actor; clock: Clock }

/** The advisory's row; the feed is locked. Codes: `not_found`. */
export async function lockedAdvisory(tx: Tx, { workspaceId, advisoryId }: AdvisoryAct) {
  const advisory = await tx
    .selectFrom('advisory')
    .select(['tracking_id', 'file_name', 'current_ordinal', 'year', 'first_released_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', advisoryId)
    .executeTakeFirst()
  if (advisory === undefined) throw new ServiceError('not_found')
  return advisory
}

/** The advisory's draft; the feed is locked. Codes: `conflict` (there is none, or it has been saved since). */
export async function lockedDraft(tx: Tx, { workspaceId, advisoryId }: AdvisoryAct, revision: number) {
  const draft = await tx
    .selectFrom('advisory_draft')
    .select(['revision', 'state', 'content', 'edited_by', 'edited_by_name'])
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .executeTakeFirst()
  if (draft === undefined) {
    throw new ServiceError('conflict', {
      message: 'The draft has been published or deleted in the meantime.',
    })
  }
  if (draft.revision !== revision) {
    throw new ServiceError('conflict', {
      message: `${draft.edited_by_name} has changed the draft since you opened it.`,
    })
  }
  return draft
}

type Saving = { revision: number; content: AdvisoryContent; actor: Actor; now: Date }

/** What a save writes: whatever the draft's state was, it is a draft again. */
export function savedDraft({ revision, content, actor, now }: Saving) {
  return {
    revision,
    state: 'draft' as const,
    content: JSON.stringify(content),
    edited_at: now,
    edited_by: actor.id,
    edited_by_name: actor.name,
  }
}

/** The number of the next save; no other save of the advisory has it. The feed is locked. */
export async function nextRevision(
  tx: Tx,
  { workspaceId, advisoryId }: Pick<AdvisoryAct, 'workspaceId' | 'advisoryId'>,
): Promise<number> {
  const { last_revision: revision } = await tx
    .updateTable('advisory')
    .set(({ eb }) => ({ last_revision: eb('last_revision', '+', 1) }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', advisoryId)
    .returning('last_revision')
    .executeTakeFirstOrThrow()
  return revision
}

/** Every published version, in the order of publication. */
export async function selectHistory(tx: Tx, { workspaceId, advisoryId }: AdvisoryAct) {
  return tx
    .selectFrom('advisory_version')
    .select(['ordinal', 'number', 'summary', 'released_at', 'tlp'])
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .orderBy('ordinal')
    .execute()
}

/** What the version in force was made of. Codes: `conflict` (nothing is published). */
export async function publishedContent(
  tx: Tx,
  act: Pick<AdvisoryAct, 'workspaceId' | 'advisoryId'>,
): Promise<AdvisoryContent> {
  const content = await selectPublished(tx, act)
  if (content === undefined) throw new ServiceError('conflict', { message: 'Nothing is published yet.' })
  return content
}

/** The same; undefined where nothing is published. */
export async function selectPublished(
  db: Db,
  { workspaceId, advisoryId }: Pick<AdvisoryAct, 'workspaceId' | 'advisoryId'>,
): Promise<AdvisoryContent | undefined> {
  const version = await db
    .selectFrom('advisory_version')
    .select('content')
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst()
  return version?.content
}
