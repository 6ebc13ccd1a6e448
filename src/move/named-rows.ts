import type { Client } from 'pg'
import { selectPersonColumns } from './schema.ts'
import { movedNames } from './tables.ts'

export const personColumns = ['id', 'email', 'name', 'created_at', 'time_zone'] as const

/** The accounts that rows of the workspace name: its members, also those of the past. Of an account its address, name and time zone travel. */
export async function selectPeople(session: Client, workspaceId: string): Promise<string> {
  const named = (await selectPersonColumns(session))
    .filter(({ table }) => movedNames.includes(table))
    .map(({ table, column }) => `SELECT ${column} FROM ${table} WHERE workspace_id = '${workspaceId}'`)
  return `SELECT ${personColumns.join(', ')} FROM person WHERE id IN (${named.join(' UNION ')}) ORDER BY id`
}

export const groupColumns = ['id', 'title_id', 'severity', 'names'] as const

/** Tables whose rows name a group of records, which has another number at the target. */
export const tablesWithGroups = [
  'finding',
  'incident_affected',
  'suppressed_opening',
  'dismissed_match',
] as const

/** The groups that rows of the workspace name, with the ids by which they are found elsewhere. */
export function selectGroups(workspaceId: string): string {
  const named = tablesWithGroups.map(
    (table) => `SELECT group_id FROM ${table} WHERE workspace_id = '${workspaceId}'`,
  )
  return `
    SELECT g.id, g.title_id, g.severity, ARRAY(
      SELECT DISTINCT a.other_id FROM vulnerability v JOIN alias_assertion a ON a.vulnerability_id = v.id AND a.bridges
      WHERE v.group_id = g.id ORDER BY 1) AS names
    FROM vulnerability_group g WHERE g.id IN (${named.join(' UNION ')}) ORDER BY g.id`
}
