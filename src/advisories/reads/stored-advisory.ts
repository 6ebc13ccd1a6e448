import type { Db } from '../../database/connection.ts'

export type AdvisoryKey = { workspaceId: string; advisoryId: string }

/** Every version without its bytes, in the order of publication. */
export function selectVersions(db: Db, { workspaceId, advisoryId }: AdvisoryKey) {
  return db
    .selectFrom('advisory_version')
    .select(['ordinal', 'number', 'kind', 'tlp', 'title', 'summary', 'released_at as releasedAt'])
    .select(['published_by_name as publishedBy', 'sha256', 'sha512'])
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .orderBy('ordinal')
    .execute()
}

export function selectDraft(db: Db, { workspaceId, advisoryId }: AdvisoryKey) {
  return db
    .selectFrom('advisory_draft')
    .select([
      'revision',
      'state',
      'content',
      'edited_at as editedAt',
      'edited_by',
      'edited_by_name as editedBy',
    ])
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .executeTakeFirst()
}

/** Links with incidents and inbox reports, by the ids of these and what people call them. */
export function selectLinks(db: Db, { workspaceId, advisoryId }: AdvisoryKey) {
  return db
    .selectFrom('advisory_link as l')
    .leftJoin('incident as i', (join) => join.onRef('i.id', '=', 'l.object_id').on('l.kind', '=', 'incident'))
    .leftJoin('inbox_report as r', (join) =>
      join.onRef('r.id', '=', 'l.object_id').on('l.kind', '=', 'inbox_report'),
    )
    .select(['l.kind', 'l.object_id as id', 'l.linked_at as linkedAt', 'l.linked_by_name as linkedBy'])
    .select(['i.reference', 'r.number', 'r.embargo_until as embargoUntil'])
    .where('l.workspace_id', '=', workspaceId)
    .where('l.advisory_id', '=', advisoryId)
    .orderBy('l.linked_at')
    .orderBy('l.kind')
    .orderBy('l.object_id')
    .execute()
}
