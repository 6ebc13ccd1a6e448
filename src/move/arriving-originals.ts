import type { Client } from 'pg'
import type { Tx } from '../database/connection.ts'
import { insertLost } from '../originals/object-rows.ts'
import type { OriginalColumn } from '../originals/original-column.ts'
import { newId } from '../platform/random.ts'
import type { ArchiveSummary, LostHead } from './archive.ts'
import type { Arrivals } from './named-rows-arrive.ts'
import type { PutOriginals } from './put-originals.ts'
import { columnOf, damagedOriginal, readOriginals, type ArrivingOriginals } from './read-originals.ts'
import { noKey } from './sealed.ts'

type LostStaging = { tx: Tx; lost: readonly LostHead[]; now: Date } & Pick<
  ArrivingOriginals,
  'originalColumns'
>
type Staging = { tx: Tx; put: PutOriginals | null; summary: ArchiveSummary; now: Date }

/**
 * In the transaction that writes the rows: has every original ready for the row that names it, as the object that was put, or else with its bytes, sealed
 * where they are sealed in the database, or as lost. Throws MoveError `file_damaged`, `wrong_key`.
 */
export async function stageOriginals(
  session: Client,
  workspaceId: string,
  { tx, put, summary, now, ...arriving }: ArrivingOriginals & Staging,
): Promise<void> {
  await session.query(`
    CREATE TEMP TABLE arriving_original (named text, id uuid, sha256 bytea, bytes bytea, object_id uuid, PRIMARY KEY (named, id))
    ON COMMIT DROP`)
  // they are compressed, or cannot be
  await session.query('ALTER TABLE arriving_original ALTER COLUMN bytes SET STORAGE EXTERNAL')
  await stageLost(session, workspaceId, { tx, lost: summary.lost, now, ...arriving })
  if (put !== null) {
    for (const some of put.pages())
      await insert(
        session,
        `SELECT named, id, decode(sha256, 'hex'), NULL, object_id
         FROM unnest($1::text[], $2::uuid[], $3::text[], $4::uuid[]) AS p(named, id, sha256, object_id)`,
        { values: [some.tables, some.ids, some.sha256, some.objectIds], rows: some.ids.length },
      )
    return
  }
  const { sealing } = arriving
  for await (const { column, head, bytes } of readOriginals(workspaceId, arriving)) {
    if (column.sealed !== undefined && sealing.ring === null) throw noKey(column.table)
    const kept = column.sealed?.(sealing, { workspaceId, id: head.id }, bytes) ?? bytes
    await insert(session, `VALUES ($1, $2::uuid, decode($3, 'hex'), $4::bytea, NULL::uuid)`, {
      values: [head.table, head.id, head.sha256, kept],
      rows: 1,
    })
  }
}

/** A row is led to what says that its original is lost. */
async function stageLost(
  session: Client,
  workspaceId: string,
  { tx, lost, now, originalColumns }: LostStaging,
): Promise<void> {
  for (const head of lost) {
    const { table } = columnOf(head, originalColumns)
    const { id, sha256 } = head
    const objectId = newId(now)
    await insertLost(tx, { workspaceId, objectId, sha256: Buffer.from(sha256, 'hex') })
    await insert(session, `VALUES ($1, $2::uuid, decode($3, 'hex'), NULL, $4::uuid)`, {
      values: [table, id, sha256, objectId],
      rows: 1,
    })
  }
}

async function insert(
  session: Client,
  rows: string,
  { values, rows: expected }: { values: unknown[]; rows: number },
): Promise<void> {
  const { rowCount } = await session.query(
    `INSERT INTO arriving_original (named, id, sha256, bytes, object_id) ${rows} ON CONFLICT DO NOTHING`,
    values,
  )
  if (rowCount !== expected) throw damagedOriginal('is there twice')
}

/** What the columns of rows that name originals become. */
export function withOriginals(
  arrivals: Arrivals,
  originalColumns: readonly OriginalColumn[],
): Map<string, ReadonlyMap<string, string>> {
  const all = new Map(arrivals)
  for (const { table, column } of originalColumns) {
    const of = (value: string) =>
      `(SELECT o.${value} FROM arriving_original o WHERE o.named = '${table}' AND o.id = s.id)`
    all.set(
      table,
      new Map([...(all.get(table) ?? []), [column, of('bytes')], ['object_id', of('object_id')]]),
    )
  }
  return all
}

/** An original is of a row that came, and of the file that the row says. Throws MoveError `file_damaged`. */
export async function refuseStrangeOriginals(
  session: Client,
  table: string,
  originalColumns: readonly OriginalColumn[],
): Promise<void> {
  const column = originalColumns.find((each) => each.table === table)
  if (column === undefined) return
  const isSame = column.sha256 === null ? '' : ` AND s.${column.sha256} = o.sha256`
  const { rows } = await session.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM arriving_original o WHERE o.named = $1
       AND NOT EXISTS (SELECT FROM arriving_${table} s WHERE s.id = o.id${isSame})) AS found`,
    [table],
  )
  if (rows[0]?.found === true) throw damagedOriginal(`is of no row of "${table}"`)
}
