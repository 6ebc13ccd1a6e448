import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import { shownSecond } from '../../contract/shown-time.ts'
import type { Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'

/**
 * Points whoever opens a severe incident to the newest one open in one of the families or, where none is named, to the newest that names none
 * either. Otherwise two people who learn of one incident at the same moment would start its clocks twice. Drills are left out. Call it under
 * `lockOpenings`. Codes: `conflict`. Index incident_list.
 */
export async function refuseWhereSevere(
  tx: Tx,
  workspaceId: string,
  familyIds: readonly string[],
): Promise<void> {
  const named = sql`select from incident_family y where y.incident_id = i.id`
  const isSame =
    familyIds.length === 0
      ? sql`not exists (${named})`
      : sql`exists (${named} and y.family_id = any(${uuidList(familyIds)}))`
  const { rows } = await sql<{ id: string; reference: string; title: string; by: string; at: Date }>`
    select i.id, i.reference, i.title, i.opened_by_name as by, i.opened_at as at
    from incident i
    where i.workspace_id = ${workspaceId} and i.status = 'open' and i.kind = 'severe_incident' and not i.is_exercise and ${isSame}
    order by i.opened_at desc, i.id desc
    limit 1`.execute(tx)
  const [found] = rows
  if (found === undefined) return
  const where =
    familyIds.length === 0
      ? 'is open and names no product family either'
      : 'is open in one of these product families'
  throw new ServiceError('conflict', {
    message: `${found.reference} ${where}: “${found.title}”, opened by ${found.by} at ${shownSecond(found.at)}.`,
    detail: found.id,
  })
}
