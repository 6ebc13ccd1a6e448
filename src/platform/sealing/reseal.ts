import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { keyIdOf, open, seal, SealError } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'
import { canaryPlace, type Sealing } from './sealing.ts'

/** A column of sealed values; the room that owns the table declares it. The table has the columns id and workspace_id, or `owner`. */
export type SealedColumn = {
  table: string
  column: string
  purpose: string
  /** The column with the id of whose the rows are, where that is no workspace; `id`: nobody's. */
  owner?: 'person_id' | 'workspace_id' | 'id'
  /** Whether its values may be megabytes: each is then sealed again alone. */
  isLarge?: boolean
  /** Writes `to` where `from` still is. */
  replace: (db: Db, change: { id: string; from: Buffer; to: Buffer }) => Promise<unknown>
}

export type Resealed = {
  resealed: number
  /** Values whose key is missing, or that are damaged: they stay as they are. */
  unreadable: number
}

type Row = { id: string; workspace_id: string; envelope: Buffer }

const rowsAtOnce = 500

/**
 * Seals everything again that another key than the writing one has sealed, in small transactions. Once it has run, earlier keys are
 * needed by no value but the unreadable ones.
 */
export async function resealColumns(
  db: Db,
  { ring }: Sealing,
  columns: readonly SealedColumn[],
): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: 0 }
  if (ring === null) return total
  // first: whoever seals from now on has met the new key, and whoever still seals under an earlier one is waited for
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

/** A value that somebody writes meanwhile is sealed by whoever writes it. */
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

function tryOpen(opening: () => Buffer): Buffer | undefined {
  try {
    return opening()
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}
