import type { MemberRow } from '../../contract/people/members.ts'
import type { Db } from '../../database/connection.ts'
import { membersOf } from '../../workspace/members-of.ts'

/** Who belongs to a workspace, by name. `asking`: the person who reads the list. */
export async function listMembers(
  db: Db,
  { workspaceId, asking }: { workspaceId: string; asking: string | null },
): Promise<MemberRow[]> {
  const members = await membersOf(db, workspaceId)
    .select(['p.id', 'p.name', 'p.email', 'm.role', 'm.created_at'])
    .orderBy('p.name')
    .orderBy('p.id')
    .execute()
  return members.map(({ id, name, email, role, created_at: joinedAt }) => ({
    id,
    name,
    email,
    role,
    joinedAt: joinedAt.toISOString(),
    isYou: id === asking,
  }))
}
