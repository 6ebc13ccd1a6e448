import type { Role } from '../../src/contract/roles.ts'
import type { Db } from '../../src/database/connection.ts'
import { personOf, type PersonActor } from '../../src/incidents/record/lock-incident.ts'
import { addMember } from './rows.ts'

/** Who acts where no member does. */
export const tester = { kind: 'system', id: null, name: 'test' } as const

/** A new member of the workspace, who acts. */
export async function addActor(
  db: Db,
  workspaceId: string,
  { name = 'Olga', role = 'owner' }: { name?: string; role?: Role } = {},
): Promise<PersonActor> {
  return personOf({ kind: 'person', id: await addMember(db, workspaceId, { name, role }), name })
}
