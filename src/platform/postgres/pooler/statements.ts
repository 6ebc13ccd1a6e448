import type { ClientConfig } from 'pg'
import { openSession } from '../session.ts'

const name = 'sbom-monitor start'

/**
 * Whether a pooler tracks the names that its clients give to statements: the pooler then uses names of its own at the server, since those of
 * two clients may be the same.
 */
export async function tracksStatements(connection: ClientConfig): Promise<boolean> {
  const { client } = await openSession(connection, { applicationName: name })
  try {
    await client.query('BEGIN')
    await client.query({ name, text: 'SELECT $1::int', values: [1] })
    const { rows } = await client.query('SELECT FROM pg_prepared_statements WHERE name = $1', [name])
    // Otherwise the name would stay in a session that a pooler lends to the next client.
    if (rows.length > 0) await client.query(`DEALLOCATE "${name}"`)
    await client.query('COMMIT')
    return rows.length === 0
  } finally {
    await client.end()
  }
}
