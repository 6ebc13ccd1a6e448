import type { ClientConfig } from 'pg'
import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { nameIdentities } from '../findings/changes/name-identities.ts'
import { matchIdentities } from '../matching/match-identities.ts'
import type { KeyRing } from '../platform/sealing/key-ring.ts'
import { arrive, type StagedTable } from './arrive.ts'
import { inOneTransaction } from './session.ts'
import { countForPlanner } from './write-rows.ts'

type Adopting = { file: string; transport: KeyRing; expected: readonly StagedTable[]; now: Date }

const identitiesAtOnce = 5_000

/**
 * Writes the identities of an archive that do not exist here, and matches them, so that findings worked out afterwards are complete. They are
 * shared by all workspaces and contain nothing of one, so an import that ends here leaves nothing to clean up.
 */
export async function adoptIdentities(
  { db, connection }: { db: Db; connection: ClientConfig },
  { file, transport, expected, now }: Adopting,
): Promise<void> {
  await inOneTransaction(connection, { name: 'workspace import' }, async ({ session }) => {
    await arrive(session, {
      file,
      transport,
      expected,
      isWanted: (name) => name === 'component_identity' || name === 'identity_key',
      onTable: async ({ name, columns }) => {
        const values = columns.map((column) => (fresh.has(column) ? 'NULL' : `s.${column}`))
        const known =
          name === 'identity_key' ? 'WHERE s.identity_id IN (SELECT id FROM adopted_identity)' : ''
        if (name === 'component_identity')
          await session.query(`
            CREATE TEMP TABLE adopted_identity ON COMMIT DROP AS
            SELECT id FROM arriving_component_identity s WHERE NOT EXISTS (SELECT FROM component_identity i WHERE i.id = s.id)`)
        const { rowCount } = await session.query(
          `INSERT INTO ${name} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM arriving_${name} s ${known} ON CONFLICT DO NOTHING`,
        )
        if (rowCount !== 0) await countForPlanner(session, [name])
        return name !== 'identity_key'
      },
    })
  })
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from component_identity where matched_at is null limit ${sql.lit(identitiesAtOnce)}`.execute(
      db,
    )
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    await nameIdentities(db, ids, now)
    await matchIdentities(db, ids, { now })
  }
}

/** What the data of an installation say about an identity. */
const fresh: ReadonlySet<string> = new Set(['matched_at', 'is_named', 'uncovered_at'])
