import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { keyIdOf, open, seal, tryOpen } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'
import { canaryPlace, type Sealing } from './sealing.ts'

/** A column of sealed values; the room that owns the table declares it. The table has the columns id and workspace_id, or `owner`. */
export type SealedColumn = {
  table: string
  column: string
  purpose: string
  /** The column with the id of the rows' owner, where that is no workspace; `id`: they have none. */
  owner?: 'person_id' | 'workspace_id' | 'id'
  /** Whether its values may be megabytes: each is then resealed alone. */
  isLarge?: boolean
  /** Replaces `from` with `to` where it is still there. */
  replace: (db: Db, change: { id: string; from: Buffer; to: Buffer }) => Promise<unknown>
}

export type Resealed = {
  resealed: number
  /** Values with a missing key, or damaged ones: they stay as they are. */
  unreadable: number
}

type Row = { id: string; workspace_id: string; envelope: Buffer }

const rowsAtOnce = 500

/**
 * Reseals everything that is not sealed with the key that writes, in small transactions. Afterwards only unreadable values need
 * earlier keys.
 */
export async function resealColumns(
  db: Db,
  { ring }: Sealing,
  columns: readonly SealedColumn[],
): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: 0 }
  if (ring === null) return total
  // first: from now on everybody seals with the new key, and transactions that still use an earlier one are waited for
  await resealCanary(db, ring)
  for (const sealed of columns) {
    let after: string | undefined = '00000000-0000-0000-0000-000000000000'
    while (after !== undefined) {
      const rows = await selectSealed(db, sealed, { after, keyId: ring.writing.id })
      for (const row of rows) total[await resealRow(db, ring, { sealed, row })] += 1
      after = rows.at(-1)?.id
    }
  }
  return total
}

/** A value written meanwhile is sealed with the new key already. */
async function resealRow(
  db: Db,
  ring: KeyRing,
  { sealed, row }: { sealed: SealedColumn; row: Row },
): Promise<keyof Resealed> {
  const { id, workspace_id: workspaceId, envelope } = row
  const place = { purpose: sealed.purpose, workspaceId, rowId: id }
  const content = tryOpen(() => open(ring, place, envelope))
  if (content === undefined) return 'unreadable'
  await sealed.replace(db, { id, from: envelope, to: seal(ring, place, content) })
  return 'resealed'
}

async function selectSealed(
  db: Db,
  { table, column, owner = 'workspace_id', isLarge = false }: SealedColumn,
  { after, keyId }: { after: string; keyId: number },
): Promise<Row[]> {
  const id = Buffer.alloc(4)
  id.writeUInt32BE(keyId)
  const { rows } = await sql<Row>`
    select id, ${sql.ref(owner)} as workspace_id, ${sql.ref(column)} as envelope from ${sql.table(table)}
    where id > ${after} and ${sql.ref(column)} is not null and substring(${sql.ref(column)} from 2 for 4) <> ${id}
    order by id limit ${isLarge ? 1 : rowsAtOnce}`.execute(db)
  return rows
}

async function resealCanary(db: Db, ring: KeyRing): Promise<void> {
  const canary = await db.selectFrom('sealing_canary').select('envelope').executeTakeFirst()
  if (canary === undefined || keyIdOf(canary.envelope) === ring.writing.id) return
  const content = tryOpen(() => open(ring, canaryPlace, canary.envelope))
  if (content === undefined) return
  await db
    .updateTable('sealing_canary')
    .set({ envelope: seal(ring, canaryPlace, content) })
    .where('envelope', '=', canary.envelope)
    .execute()
}
