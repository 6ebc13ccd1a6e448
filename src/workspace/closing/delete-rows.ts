import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { allowDeletion, deletedSlug } from './close-workspace.ts'

/** Rows removed in one transaction, so that no other act waits for long. */
const atOnce = 5_000

/**
 * Removes every row of a deleted workspace (job `delete_workspace`), in small transactions; the row of the workspace goes last. Running it twice
 * changes nothing. Which tables there are is read from the database itself, so that none is forgotten: those with a `workspace_id`, and those
 * whose rows belong to one of theirs. Rows of objects in the object store stay until these are erased (job `erase_originals`).
 */
export async function deleteRows(db: Db, workspaceId: string): Promise<void> {
  const isDeleted = await sql`
    select from workspace where id = ${workspaceId} and slug = ${deletedSlug(workspaceId)}`.execute(db)
  if (isDeleted.rows.length === 0) return
  await deleteDependents(db, workspaceId)
  let waiting = await selectTables(db)
  while (waiting.length > 0) {
    const blocked = []
    for (const table of waiting) if (!(await emptied(db, table, workspaceId))) blocked.push(table)
    if (blocked.length < waiting.length) waiting = blocked
    else {
      await emptyTogether(db, blocked, workspaceId)
      waiting = []
    }
  }
  await deleteChain(db, workspaceId)
  await sql`delete from workspace where id = ${workspaceId}`.execute(db)
}

async function selectTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
    where c.relname <> 'original_object' and a.attname = 'workspace_id' and not a.attisdropped and c.relnamespace = 'public'::regnamespace
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Rows that name no workspace themselves. */
async function deleteDependents(db: Db, workspaceId: string): Promise<void> {
  const families = sql`(select id from family where workspace_id = ${workspaceId})`
  const tokens = sql`(select id from token where workspace_id = ${workspaceId})`
  await sql`delete from component_hash where family_id in ${families}`.execute(db)
  await sql`delete from finding_turn where family_id in ${families}`.execute(db)
  await sql`delete from token_use where token_id in ${tokens}`.execute(db)
  await sql`delete from expiry_notice where object_id = ${workspaceId} or object_id in ${tokens}`.execute(db)
}

/** The digests over its audit trail. */
async function deleteChain(db: Db, workspaceId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await allowDeletion(tx, workspaceId)
    await sql`delete from audit_due where chain = ${workspaceId}`.execute(tx)
    await sql`delete from audit_link where chain = ${workspaceId}`.execute(tx)
    await sql`delete from audit_chain where chain = ${workspaceId}`.execute(tx)
  })
}

/** False where rows of another table, which is emptied later, still refer to it. */
async function emptied(db: Db, table: string, workspaceId: string): Promise<boolean> {
  const name = sql.table(table)
  for (;;) {
    try {
      const removed = await db.transaction().execute(async (tx) => {
        await allowDeletion(tx, workspaceId)
        return sql`delete from ${name} where ctid = any(array(
          select ctid from ${name} where workspace_id = ${workspaceId} limit ${sql.lit(atOnce)}))`.execute(tx)
      })
      if (removed.numAffectedRows === 0n) return true
    } catch (error) {
      if (isReferredTo(error)) return false
      throw error
    }
  }
}

/**
 * A single statement removes all rows that refer to each other (a family and its current version, an advisory and its version in force), or to
 * more rows of their own table than one transaction removes: references are checked at the end of a statement.
 */
async function emptyTogether(db: Db, tables: readonly string[], workspaceId: string): Promise<void> {
  const deletions = tables.map(
    (table, place) => sql`
      ${sql.ref(`emptied_${place}`)} as (delete from ${sql.table(table)} where workspace_id = ${workspaceId})`,
  )
  await db.transaction().execute(async (tx) => {
    await allowDeletion(tx, workspaceId)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`with ${sql.join(deletions)} select`.execute(tx)
  })
}

/** `foreign_key_violation` and `restrict_violation` (PostgreSQL, Appendix A). */
function isReferredTo(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['23503', '23001'].includes(String(error.code))
}
