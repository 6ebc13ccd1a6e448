import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../database/connection.ts'

/** What is in memory of a long list at once. */
export const rowsAtOnce = 1_000

/**
 * Opens a read-only transaction that sees everything as it was at its first statement; it ends with `held`. `idleMs`: how long it may wait for
 * the reader of its rows before it ends by itself.
 */
export async function openSnapshot(db: Db, held: AsyncDisposableStack, idleMs: number): Promise<Tx> {
  const tx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  // nothing was written
  held.defer(async () => {
    await tx.rollback().execute()
  })
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(idleMs)}`.execute(tx)
  // all rows are wanted, not the first ones soon
  await sql`set local cursor_tuple_fraction = 1`.execute(tx)
  return tx
}

/**
 * Takes one of so many slots of a name, across all processes, until the transaction ends. False: all of them are taken. The locks belong to the
 * transaction, so none outlives it, however it ends.
 */
export async function takePlace(tx: Tx, name: string, places: number): Promise<boolean> {
  for (let place = 1; place <= places; place += 1) {
    const { rows } = await sql<{ isTaken: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${name} ${place}`}, 7412)) as "isTaken"`.execute(
      tx,
    )
    if (rows[0]?.isTaken === true) return true
  }
  return false
}

/** All rows of a statement in its order, by a cursor; one at a time in a transaction. */
export async function* readAll<Row>(tx: Tx, statement: RawBuilder<Row>): AsyncGenerator<Row[]> {
  await sql`declare whole_list no scroll cursor for ${statement}`.execute(tx)
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(rowsAtOnce)} from whole_list`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) break
  }
  await sql`close whole_list`.execute(tx)
}
