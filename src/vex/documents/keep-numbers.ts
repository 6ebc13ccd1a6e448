import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import type { DocumentRows } from './document-rows.ts'

type Numbered = { number: number; pointer: string }

/** The rows of a document that is read again, with the numbers under which its statements are stored; one that is new has a new one. */
export async function keepNumbers(
  tx: Tx,
  { workspaceId, familyId, documentId }: FamilyKey & { documentId: string },
  rows: DocumentRows,
): Promise<DocumentRows> {
  const { rows: stored } = await sql<Numbered>`
    select number, pointer from vex_statement
    where workspace_id = ${workspaceId} and family_id = ${familyId} and document_id = ${documentId}
    order by number`.execute(tx)
  const numberOf = matchNumbers(stored, rows)
  const kept = <Row extends { number: number }>(row: Row): Row => ({
    ...row,
    number: numberOf.get(row.number) ?? row.number,
  })
  return {
    ...rows,
    statements: rows.statements.map(kept),
    claims: rows.claims.map(kept),
    targets: rows.targets.map(kept),
  }
}

/** By the place of a statement in the file; in their order where several have the same. */
function matchNumbers(stored: readonly Numbered[], { statements }: DocumentRows): Map<number, number> {
  const known = Map.groupBy(stored, ({ pointer }) => pointer)
  const turns = new Map<string, number>()
  let last = stored.at(-1)?.number ?? 0
  return new Map(
    statements.map(({ number, pointer }) => {
      const turn = turns.get(pointer) ?? 0
      turns.set(pointer, turn + 1)
      return [number, known.get(pointer)?.[turn]?.number ?? (last += 1)]
    }),
  )
}
