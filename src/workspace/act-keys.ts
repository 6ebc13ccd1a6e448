import type { Db, Tx } from '../database/connection.ts'

/** An act of a member, under the key that their browser gave it. `act`: a digest of what it is. */
export type ActKey = { workspaceId: string; personId: string; key: string; act: Buffer; now: Date }

/** What is known of an act that was done. `answer`: null where it has none, or none is kept. */
export type DoneAct = { act: Buffer; answer: unknown }

/** The act that was done under the key; undefined: none was. */
export async function selectDoneAct(
  db: Db,
  { workspaceId, personId, key }: ActKey,
): Promise<DoneAct | undefined> {
  return db
    .selectFrom('act_key')
    .select(['act', 'answer'])
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .where('key', '=', key)
    .executeTakeFirst()
}

/**
 * Takes the key in the transaction of the act: both are there, or neither. The same act at the same moment waits for this one. False: it was done.
 */
export async function takeActKey(tx: Tx, { workspaceId, personId, key, act, now }: ActKey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('act_key')
    .values({ workspace_id: workspaceId, person_id: personId, key, act, answer: null, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Keeps what the act answered, as JSON. */
export async function keepAnswer(
  db: Db,
  { workspaceId, personId, key }: ActKey,
  answer: string,
): Promise<void> {
  await db
    .updateTable('act_key')
    .set({ answer })
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .where('key', '=', key)
    .execute()
}

/** Of an act whose second part failed: it can be sent again. */
export async function giveBackActKey(db: Db, { workspaceId, personId, key }: ActKey): Promise<void> {
  await db
    .deleteFrom('act_key')
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .where('key', '=', key)
    .execute()
}
