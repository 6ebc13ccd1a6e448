import type { AdvisoryLinkKind } from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Tx } from '../../database/connection.ts'
import { addEntries } from '../../incidents/record/timeline.ts'
import type { Actor } from '../../audit/record-acts.ts'

export type AdvisoryLink = { kind: AdvisoryLinkKind; objectId: string }

type Linking = {
  workspaceId: string
  advisoryId: string
  trackingId: string
  links: readonly AdvisoryLink[]
  actor: Actor
  now: Date
}

const linkedTables = { incident: 'incident', inbox_report: 'inbox_report' } as const satisfies Record<
  AdvisoryLinkKind,
  string
>

/** Links an advisory with what it is made from; a link that is there already stays. Codes: `not_found`. */
export async function insertLinks(
  tx: Tx,
  { workspaceId, advisoryId, trackingId, links, actor, now }: Linking,
): Promise<void> {
  for (const { kind, objectId } of links) {
    const linked = await tx
      .selectFrom(linkedTables[kind])
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', objectId)
      .executeTakeFirst()
    if (linked === undefined) throw new ServiceError('not_found')
    const inserted = await tx
      .insertInto('advisory_link')
      .values({
        workspace_id: workspaceId,
        advisory_id: advisoryId,
        kind,
        object_id: objectId,
        linked_at: now,
        linked_by_name: actor.name,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('object_id')
      .executeTakeFirst()
    if (kind === 'incident' && inserted !== undefined) {
      const entry = { workspaceId, incidentId: objectId, at: now, actor }
      await addEntries(tx, [{ ...entry, kind: 'advisory_linked', data: { name: trackingId } }])
    }
  }
}

/** The incidents that an advisory is linked with. */
export async function selectLinkedIncidents(
  tx: Tx,
  { workspaceId, advisoryId }: { workspaceId: string; advisoryId: string },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('advisory_link')
    .select('object_id')
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .where('kind', '=', 'incident')
    .orderBy('object_id')
    .execute()
  return rows.map(({ object_id: id }) => id)
}
