import type { ClientBase } from 'pg'
import { selectConstraints, selectIndexes, selectTriggers } from '../schema/schema-catalog.ts'

/**
 * Runs `load` without foreign keys, without indexes other than keys and without triggers, and then recreates them from their definitions: tables do not arrive in
 * an order that references allow, building an index is faster than filling it, and the rows include what triggers added. Must
 * run inside a transaction.
 */
export async function withoutIndexes(session: ClientBase, load: () => Promise<void>): Promise<void> {
  const references = (await selectConstraints(session)).filter(({ definition }) =>
    definition.startsWith('FOREIGN KEY'),
  )
  const indexes = await selectIndexes(session)
  for (const { table, name } of references)
    await session.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const { name } of indexes) await session.query(`DROP INDEX ${name}`)
  const guarded = new Set((await selectTriggers(session)).map(({ table }) => table))
  for (const table of guarded) await session.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await load()
  for (const table of guarded) await session.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  for (const { definition } of indexes) await session.query(definition)
  for (const { table, name, definition } of references)
    await session.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
}
