import { sql } from 'kysely'
import { roleAllows } from '../../contract/roles.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { staysHere } from '../../workspace/state.ts'
import type { Incident } from './lock-incident.ts'
import { noteAct } from './note-act.ts'
import { system } from './timeline.ts'

const incidentsAtOnce = 100

type Released = Pick<Incident, 'id' | 'reference' | 'workspace_id'> & { person: string }

/**
 * Takes open incidents from assignees who have left the workspace or can no longer work on incidents in it, so that members are asked and reminded
 * to take them: in one workspace (job `release_incidents`), or in all. Any number of processes may do it at once.
 */
export async function releaseIncidents(
  db: Db,
  now: Date,
  place: { workspaceId?: string } = {},
): Promise<void> {
  let released
  do released = await db.transaction().execute((tx) => releaseSome(tx, now, place))
  while (released === incidentsAtOnce)
}

/** In all workspaces it reads every incident; most are closed or have nobody. */
async function releaseSome(tx: Tx, now: Date, { workspaceId }: { workspaceId?: string }): Promise<number> {
  const here = workspaceId === undefined ? sql`` : sql`and i.workspace_id = ${workspaceId}`
  const { rows } = await sql<Released>`
    with left_behind as (
      select i.id, p.name as person
      from incident i
      join workspace w on w.id = i.workspace_id and w.closed_at is null and ${staysHere('w')}
      join person p on p.id = i.assignee
      where i.status = 'open' ${here} and not exists (
        select from member m
        where m.workspace_id = i.workspace_id and m.person_id = i.assignee and m.removed_at is null
          and m.role = any(${[...roleAllows.work_on_incidents]}::text[])
      )
      order by i.id
      limit ${incidentsAtOnce}
      for no key update of i
    )
    update incident i set assignee = null, untaken_since = ${now}, untaken_told = 0
    from left_behind l where i.id = l.id
    returning i.id, i.reference, i.workspace_id, l.person`.execute(tx)
  for (const { person, ...incident } of rows) {
    const data = { person: null, left: person }
    await noteAct(tx, incident, { actor: system, now, kind: 'assigned', data, after: data })
  }
  return rows.length
}
