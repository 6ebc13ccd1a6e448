import { sql } from 'kysely'
import type { Db } from '../../src/database/connection.ts'
import { movedSealedColumns } from '../../src/move/sealed.ts'
import { conditionOf, movedTables } from '../../src/move/tables.ts'
import { open } from '../../src/platform/sealing/envelope.ts'
import type { Sealing } from '../../src/platform/sealing/sealing.ts'

type Row = Record<string, unknown>
export type ComparedRows = Record<string, string[]>

/** Columns that differ at the target for every workspace: numbers assigned by the installation. */
const ownNumbers: Record<string, string[]> = {
  workspace: ['moving_at', 'moved_to'],
  audit_event: ['id', 'original_id'],
  audit_link: ['event_id'],
  component_identity: ['matched_at', 'is_named'],
}

/**
 * Every row that moves with a workspace, comparable between two installations: sealed values opened, record groups by name, without what
 * the list of tables says arrives differently.
 */
export async function readMovedRows(
  { db, sealing }: { db: Db; sealing: Sealing },
  workspaceId: string,
): Promise<ComparedRows> {
  const compared: ComparedRows = {}
  for (const table of movedTables.flat()) {
    const { rows } = await sql<{ row: Row; group: string | null }>`
      select to_jsonb(t) as row,
        (select g.title_id from vulnerability_group g where g.id = (to_jsonb(t) ->> 'group_id')::bigint) as group
      from ${sql.table(table.name)} t where ${sql.raw(conditionOf(table, workspaceId))}`.execute(db)
    const own = [
      ...(ownNumbers[table.name] ?? []),
      ...Object.keys(table.arrives ?? {}),
      ...(table.renumbered === undefined ? [] : [table.renumbered]),
    ]
    compared[table.name] = rows
      .map(({ row, group }) => {
        for (const column of own) Reflect.deleteProperty(row, column)
        openSealed(sealing, { table: table.name, row, workspaceId })
        return JSON.stringify('group_id' in row ? { ...row, group_id: group } : row)
      })
      .sort()
  }
  return compared
}

function openSealed(
  { ring }: Sealing,
  { table, row, workspaceId }: { table: string; row: Row; workspaceId: string },
): void {
  for (const { column, purpose } of movedSealedColumns.filter((sealed) => sealed.table === table)) {
    const hex = row[column]
    if (typeof hex !== 'string' || ring === null) continue
    const place = { purpose, workspaceId, rowId: String(row['id']) }
    row[column] = open(ring, place, Buffer.from(hex.replace(/^\\x/, ''), 'hex')).toString('hex')
  }
}
