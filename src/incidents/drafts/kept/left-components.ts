import { sql } from 'kysely'
import type { KeptValue } from '../../../contract/incidents/kept-values.ts'
import type { DraftValues } from '../../../contract/incidents/report-drafts.ts'
import type { Db } from '../../../database/connection.ts'
import type { Incident } from '../../record/lock-incident.ts'

type Subject = { family: string; version: string | null; component: string; isGone: boolean }

/**
 * The versions and components that the draft of a report under the CRA names as affected and that have left the active SBOM of their version since
 * the incident became about them. They were affected all the same: the draft is not told to leave them out. Index incident_affected_subject.
 */
export async function selectLeft(db: Db, incident: Incident, said: DraftValues): Promise<KeptValue[]> {
  const { rows } = await sql<Subject>`
    select y.name as family, a.version, concat_ws(' ', a.component, a.component_version) as component, a.noted_gone as "isGone"
    from incident_affected a
    join family y on y.id = a.family_id
    where a.workspace_id = ${incident.workspace_id} and a.incident_id = ${incident.id}
    order by a.added_at, a.component`.execute(db)
  if (!rows.some(({ isGone }) => isGone)) return []
  const leftAt = await selectLeftAt(db, incident)
  if (leftAt === null) return []
  const named: Record<string, (row: Subject) => string[]> = {
    '7': ({ family, version }) => (version === null ? [] : [version, `${family} ${version}`]),
    '12': ({ component }) => [component],
  }
  return Object.entries(named).flatMap(([field, names]): KeptValue[] => {
    const value = said[field]
    if (typeof value !== 'string') return []
    const present = new Set(rows.filter(({ isGone }) => !isGone).flatMap(names))
    const items = new Set(value.split(/[,;\n]/).map((item) => item.trim()))
    const gone = rows.flatMap(names).filter((name) => items.has(name) && !present.has(name))
    if (gone.length === 0) return []
    const left = [...new Set(gone)].join(', ')
    return [{ field, value, with: 'incident', changedAt: leftAt.toISOString(), left }]
  })
}

async function selectLeftAt(db: Db, { workspace_id: workspaceId, id }: Incident): Promise<Date | null> {
  const entry = await db
    .selectFrom('incident_entry')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', id)
    .where('kind', '=', 'left_sbom')
    .executeTakeFirstOrThrow()
  return entry.at
}
