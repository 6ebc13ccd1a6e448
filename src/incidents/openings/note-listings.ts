import { sql } from 'kysely'
import type { Catalogue } from '../../contract/findings/shapes.ts'
import type { Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { entriesOn } from '../../vulndata/catalogues/entries-on.ts'
import { selectApprovers } from '../determinations/approvers.ts'
import type { Incident } from '../record/lock-incident.ts'
import { note } from '../record/tell.ts'
import { addEntries, system } from '../record/timeline.ts'

type Listed = Pick<Incident, 'id' | 'reference' | 'title' | 'workspace_id' | 'is_exercise' | 'status'> & {
  before: Catalogue[]
  after: Catalogue[]
}

/**
 * Notes on the incidents of these families which catalogues have begun to list their vulnerability, or no longer list it. Neither opens nor closes
 * anything; of a closed one those who may reopen it are told.
 */
export async function noteListings(
  tx: Tx,
  { workspaceId, familyIds, now }: { workspaceId: string; familyIds: readonly string[]; now: Date },
): Promise<void> {
  const changed = await updateListed(tx, workspaceId, familyIds)
  await addEntries(
    tx,
    changed.flatMap(({ id, before, after }) => {
      const entry = { workspaceId, incidentId: id, at: now, actor: system }
      const added = after.filter((catalogue) => !before.includes(catalogue))
      const removed = before.filter((catalogue) => !after.includes(catalogue))
      return [
        ...added.map((catalogue) => ({ ...entry, kind: 'listed' as const, data: { catalogue } })),
        ...removed.map((catalogue) => ({ ...entry, kind: 'unlisted' as const, data: { catalogue } })),
      ]
    }),
  )
  const missed = changed.filter(
    ({ status, before, after }) => status === 'closed' && after.length > before.length,
  )
  if (missed.length === 0) return
  const to = (await selectApprovers(tx, workspaceId)).map(({ personId }) => personId)
  for (const incident of missed) {
    await note(tx, incident, { what: 'listed_after_closing', to, by: null, now })
  }
}

async function updateListed(tx: Tx, workspaceId: string, familyIds: readonly string[]): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    with concerned as materialized (
      select distinct i.id, i.listed_by, i.vuln_key, i.aliases
      from incident_family y
      join incident i on i.workspace_id = y.workspace_id and i.id = y.incident_id
      where y.workspace_id = ${workspaceId} and y.family_id = any(${uuidList(familyIds)})
        and y.vuln_key is not null and not y.is_exercise
    ),
    named as (
      select id, vuln_key as name from concerned
      union
      select c.id, a.name from concerned c cross join unnest(c.aliases) a (name) where a.name like 'CVE-%' or a.name like 'EUVD-%'
    ),
    listed as (
      select distinct n.id, e.source
      from named n
      cross join lateral ${entriesOn(sql`n.name`)} o
      join exploited e on e.id = o.id and e.removed_at is null
    ),
    now_listed as (
      select c.id, c.listed_by as before,
        array(select l.source from listed l where l.id = c.id order by l.source) as after
      from concerned c
    )
    update incident i set listed_by = n.after
    from now_listed n
    where i.id = n.id and n.before <> n.after
    returning i.id, i.reference, i.title, i.workspace_id, i.is_exercise, i.status, n.before, n.after`.execute(
    tx,
  )
  return rows
}
