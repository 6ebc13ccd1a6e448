import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'

type Listed = { path: string; first_released_at: Date; released_at: Date }

/** The documents of a feed: the version in force of every advisory that is TLP:WHITE. */
async function selectListed(db: Db, workspaceId: string): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select a.year || '/' || a.file_name as path, a.first_released_at, v.released_at
    from advisory a
    join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal
    where a.workspace_id = ${workspaceId} and v.tlp = 'WHITE'
    order by a.year || '/' || a.file_name collate "C"`.execute(db)
  return rows
}

/** `index.txt`: one path a line, by the day of the first publication, the newest first. */
export async function writeIndex(db: Db, workspaceId: string): Promise<string> {
  const listed = await selectListed(db, workspaceId)
  listed.sort((a, b) => b.first_released_at.getTime() - a.first_released_at.getTime())
  return listed.map(({ path }) => `${path}\n`).join('')
}

/** `changes.csv`: path and `current_release_date`, the newest change first. */
export async function writeChanges(db: Db, workspaceId: string): Promise<string> {
  const listed = await selectListed(db, workspaceId)
  listed.sort((a, b) => b.released_at.getTime() - a.released_at.getTime())
  return listed.map(({ path, released_at: at }) => `"${path}","${at.toISOString()}"\n`).join('')
}
