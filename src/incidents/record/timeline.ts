import type { EntryKind } from '../../contract/incidents/words.ts'
import type { Tx } from '../../database/connection.ts'
import { chunksOf } from '../../platform/postgres/columns.ts'
import type { Actor } from '../../audit/record-acts.ts'

const entriesAtOnce = 1_000

export type NewEntry = {
  workspaceId: string
  incidentId: string
  at: Date
  kind: EntryKind
  actor: Pick<Actor, 'kind' | 'id' | 'name'>
  /** Nothing secret; shown to every member. */
  data?: Record<string, unknown>
}

/** Who acts when nobody does. */
export const system: Actor = { kind: 'system', id: null, name: 'SBOM Monitor' }

/** Adds lines to the timelines of incidents, in the transaction of what happened. */
export async function addEntries(tx: Tx, entries: readonly NewEntry[]): Promise<void> {
  for (const some of chunksOf(entries, entriesAtOnce)) {
    await tx
      .insertInto('incident_entry')
      .values(
        some.map(({ workspaceId, incidentId, at, kind, actor, data }) => ({
          workspace_id: workspaceId,
          incident_id: incidentId,
          at,
          kind,
          actor_kind: actor.kind,
          actor_id: actor.id,
          actor_name: actor.name,
          data: JSON.stringify(data ?? {}),
        })),
      )
      .execute()
  }
}
