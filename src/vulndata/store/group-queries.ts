import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import { copied, type CopyColumn } from '../../platform/postgres/copy-rows.ts'
import { copyInto } from '../../platform/postgres/copy.ts'
import type { GroupDisplay } from './group-display.ts'

export type GroupRow = { id: number; display: GroupDisplay }

const groupColumns: readonly CopyColumn<GroupRow>[] = [
  copied.bigint('id', ({ id }) => id),
  copied.text('title_id', ({ display }) => display.titleId),
  copied.text('summary', ({ display }) => display.summary),
  copied.text('severity', ({ display }) => display.severity),
  copied.real('score', ({ display }) => display.score),
  copied.text('severity_source', ({ display }) => display.severitySource),
  copied.boolean('is_disputed_severity', ({ display }) => display.isDisputedSeverity),
  copied.boolean('is_malware', ({ display }) => display.isMalware),
  copied.text('cves', ({ display }) => display.cves),
]

export async function insertGroups(tx: Tx, rows: readonly GroupRow[]): Promise<void> {
  if (rows.length === 0) return
  await copyInto<GroupRow>(tx, { table: 'vulnerability_group', columns: groupColumns, rows })
}

/**
 * A group for each id that stored records have or claim: of thousands of records that claim the same id, all in one group, only one is read. Looked up
 * id by id (indexes alias_assertion_other, vulnerability_pkey): while a first import fills the tables, the server would scan them each time.
 */
export async function selectGroupsOfIds(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; groupId: number }>`
    select asked.id, found."groupId"
    from unnest(${columnOf(ids, 'text', (id) => id)}) as asked (id)
    cross join lateral (
      select (select v.group_id from vulnerability v where v.id = a.vulnerability_id) as "groupId"
      from alias_assertion a
      where a.other_id = asked.id and a.bridges
      limit 1
    ) as found`.execute(tx)
  return new Map(rows.map(({ id, groupId }) => [id, groupId]))
}
