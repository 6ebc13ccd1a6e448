import { sql } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import { isAllowed, type Permission, type Role } from '../contract/roles.ts'
import type { Actor } from '../audit/record-acts.ts'
import type { Tx } from '../database/connection.ts'
import { deletedSlug } from './closing/close-workspace.ts'
import { uuidList } from '../platform/postgres/columns.ts'

type Acting = { workspaceId: string; actor: Pick<Actor, 'id'> }

/** Of a member's role. Those who hold a row in common let others in before one who waits to change it; here everybody waits in turn. */
const gateOf = (workspaceId: string) => sql`hashtextextended(${workspaceId} || person_id::text, 7405)`

/**
 * The role that the acting member has now, locked until the transaction ends: whoever takes it away waits. It may have ended since the request was let in. Several
 * permissions: any of them suffices. Codes: `forbidden`; `not_found` where the workspace was deleted meanwhile.
 */
export async function lockRole(
  tx: Tx,
  { workspaceId, actor }: Acting,
  permission: Permission | readonly Permission[],
): Promise<Role> {
  // the row is locked behind the gate, and then read as it is by then
  const { rows } = await sql<{ role: Role }>`
    with gate as materialized (
      select pg_advisory_xact_lock_shared(${gateOf(workspaceId)}) from (select ${actor.id}::uuid as person_id) acting)
    select m.role from gate, member m
    where m.workspace_id = ${workspaceId} and m.person_id = ${actor.id} and m.removed_at is null
    for share of m`.execute(tx)
  const [member] = rows
  const needed = typeof permission === 'string' ? [permission] : permission
  if (member !== undefined && needed.some((one) => isAllowed(member.role, one))) return member.role
  throw new ServiceError((await isDeleted(tx, workspaceId)) ? 'not_found' : 'forbidden')
}

async function isDeleted(tx: Tx, workspaceId: string): Promise<boolean> {
  const workspace = await tx
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', workspaceId)
    .where('slug', '!=', deletedSlug(workspaceId))
    .executeTakeFirst()
  return workspace === undefined
}

/**
 * Waits for the acts in progress of some people and of every owner; their later acts wait for the transaction. To be called before their roles are locked.
 * The owners always: whether a member is one is certain only once their role is locked, and locking gates in two steps could deadlock.
 */
export async function lockGates(
  tx: Tx,
  workspaceId: string,
  personIds: readonly (string | null)[],
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${gateOf(workspaceId)}) from (
      select person_id from member
      where workspace_id = ${workspaceId} and removed_at is null
        and (role = 'owner' or person_id = any(${uuidList(personIds.filter((id) => id !== null))}))
      order by person_id offset 0) held`.execute(tx)
}
