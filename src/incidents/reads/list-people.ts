import { roleAllows } from '../../contract/roles.ts'
import type { Db } from '../../database/connection.ts'
import { membersOf } from '../../workspace/members-of.ts'

const maxPeople = 500

/** The members who may work on incidents, by name. */
export async function listPeople(db: Db, workspaceId: string): Promise<{ id: string; name: string }[]> {
  return membersOf(db, workspaceId)
    .select(['p.id', 'p.name'])
    .where('m.role', 'in', roleAllows.work_on_incidents)
    .orderBy('p.name')
    .orderBy('p.id')
    .limit(maxPeople)
    .execute()
}
