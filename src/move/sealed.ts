import type { Client } from 'pg'
import { destinationSealedColumns } from '../alerts/destinations/sealed-places.ts'
import { inboxSealedColumns } from '../disclosure/sealed-places.ts'
import { companySealedColumns } from '../people/company-sign-in/company-settings.ts'
import { open, seal, SealError } from '../platform/sealing/envelope.ts'
import type { KeyRing } from '../platform/sealing/key-ring.ts'
import { MoveError } from './move-error.ts'

/** The sealed values that move; those of people stay behind with what they are for. */
export const movedSealedColumns = [
  ...destinationSealedColumns,
  ...inboxSealedColumns,
  ...companySealedColumns,
]

type Resealing = {
  table: string
  staged: string
  from: KeyRing | null
  to: KeyRing | null
  workspaceId: string
}

/**
 * Opens every sealed value of rows that are on their way and seals it with another key, one value in memory at a time. The place it is sealed for stays
 * the same: workspace and row keep their ids. Throws MoveError `wrong_key`.
 */
export async function resealStaged(session: Client, resealing: Resealing): Promise<number> {
  const { table, staged } = resealing
  const columns = movedSealedColumns.filter((sealed) => sealed.table === table)
  if (columns.length === 0) return 0
  await session.query(`CREATE INDEX ON ${staged} (id)`)
  let resealed = 0
  for (const { column, purpose } of columns)
    resealed += await resealColumn(session, { ...resealing, column, purpose })
  return resealed
}

async function resealColumn(
  session: Client,
  { table, staged, from, to, workspaceId, column, purpose }: Resealing & { column: string; purpose: string },
): Promise<number> {
  const next = `SELECT id, ${column} AS envelope FROM ${staged} WHERE id > $1 AND ${column} IS NOT NULL ORDER BY id LIMIT 1`
  let after = '00000000-0000-0000-0000-000000000000'
  for (let resealed = 0; ; resealed += 1) {
    const { rows } = await session.query<{ id: string; envelope: Buffer }>(next, [after])
    const [row] = rows
    if (row === undefined) return resealed
    if (from === null || to === null) throw noKey(table)
    const place = { purpose, workspaceId, rowId: row.id }
    const content = openOr(() => open(from, place, row.envelope), table)
    await session.query(`UPDATE ${staged} SET ${column} = $1 WHERE id = $2`, [
      seal(to, place, content),
      row.id,
    ])
    after = row.id
  }
}

/** Throws MoveError `wrong_key`. */
export function openOr(opening: () => Buffer, table: string): Buffer {
  try {
    return opening()
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new MoveError(
      'wrong_key',
      `A sealed value of "${table}" cannot be opened: ${error.message}. "keys state" says what is missing. Nothing was written.`,
      { cause: error },
    )
  }
}

export function noKey(table: string): MoveError {
  return new MoveError(
    'wrong_key',
    `"${table}" has sealed values, and this installation has no encryption key: set ENCRYPTION_KEYS. Nothing was written.`,
  )
}
