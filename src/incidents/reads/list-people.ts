import { roleAllows } from '../../contract/roles.ts'
import type { Db } from '../../database/connection.ts'

const maxPeople = 500

/** The members who may work on incidents, by name. */
export async function listPeople(db: Db, workspaceId: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('member as m')
    .innerJoin('person as p', 'p.id', 'm.person_id')
    .select(['p.id', 'p.name'])
    .where('m.workspace_id', '=', workspaceId)
    .where('m.removed_at', 'is', null)
    .where('m.role', 'in', roleAllows.work_on_incidents)
    .orderBy('p.name')
    .orderBy('p.id')
    .limit(maxPeople)
    .execute()
}
