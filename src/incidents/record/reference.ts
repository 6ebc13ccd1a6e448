import { sql } from 'kysely'
import type { IncidentReference } from '../../contract/incidents/reference.ts'
import type { Tx } from '../../database/connection.ts'

/**
 * The next references of a workspace, in order: `INC-2026-0001`, counted per year of opening (UTC) and never given twice. They belong to
 * the transaction: one that fails gives its numbers back.
 */
export async function takeReferences(
  tx: Tx,
  { workspaceId, count, now }: { workspaceId: string; count: number; now: Date },
): Promise<IncidentReference[]> {
  if (count === 0) return []
  const year = now.getUTCFullYear()
  const { last } = await tx
    .insertInto('incident_number')
    .values({ workspace_id: workspaceId, year, last: count })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'year'])
        .doUpdateSet({ last: sql<number>`incident_number.last + excluded.last` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return Array.from({ length: count }, (_, index) => referenceOf(year, last - count + index + 1))
}

/** At least four digits. */
function referenceOf(year: number, number: number): IncidentReference {
  return `INC-${year}-${String(number).padStart(4, '0')}`
}
