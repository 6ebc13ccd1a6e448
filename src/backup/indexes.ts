import type { ClientBase } from 'pg'
import { selectConstraints, selectIndexes, selectTriggers } from '../schema/schema-catalog.ts'

/**
 * Runs `load` while no foreign key and no index beside the keys exists and no trigger fires, and creates them again from their own definitions:
 * rows arrive table by table in no order that references could follow, an index is built faster than it is filled, and what a trigger adds is among the rows. Must
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
