import type { Db } from '../database/connection.ts'

/** The members of a workspace, as `m`, with who they are, as `p`. */
export function membersOf(db: Db, workspaceId: string) {
  return db
    .selectFrom('member as m')
    .innerJoin('person as p', 'p.id', 'm.person_id')
    .where('m.workspace_id', '=', workspaceId)
    .where('m.removed_at', 'is', null)
}
