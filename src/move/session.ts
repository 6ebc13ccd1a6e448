import { Kysely, PostgresDialect } from 'kysely'
import type { Client, ClientConfig } from 'pg'
import type { Tx } from '../database/connection.ts'
import type { Tables } from '../database/tables.ts'
import { columnTypes } from '../platform/postgres/column-types.ts'
import { asLongAsItTakes } from '../platform/postgres/limits.ts'
import { openSession } from '../platform/postgres/session.ts'

/** One transaction with both: the query builder, and the session below it, for COPY. */
export type MoveSession = { tx: Tx; session: Client }

/**
 * Runs `act` in one transaction on a session of its own: what it wrote is there as a whole or not at all, even when the process is killed. It may
 * take as long as it takes.
 */
export async function inOneTransaction<T>(
  connection: ClientConfig,
  { name, isSnapshot = false }: { name: string; isSnapshot?: boolean },
  act: (session: MoveSession) => Promise<T>,
): Promise<T> {
  const withTypes = { ...connection, types: columnTypes }
  const { client: session } = await openSession(withTypes, { applicationName: `sbom-monitor ${name}` })
  const lent = Object.assign(session, { release: () => undefined })
  const pool = { connect: () => Promise.resolve(lent), end: () => Promise.resolve(), options: {} }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const transaction = db.transaction()
    return await transaction
      .setIsolationLevel(isSnapshot ? 'repeatable read' : 'read committed')
      .execute(async (tx) => {
        await session.query(asLongAsItTakes)
        return act({ tx, session })
      })
  } finally {
    await session.end()
  }
}
