import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Tx } from '../../database/connection.ts'
import {
  insertComponents,
  selectNumberedBetween,
  selectNumbers,
  type KnownComponents,
  type NumberedComponent,
} from './component-queries.ts'
import type { ComponentRow, IdentifiedRow } from './component-rows.ts'
import type { FamilyKey } from '../../workspace/families/family-key.ts'

/**
 * Rows of one statement, and rows made between two turns of the event loop. A socket takes a fifth of a statement at a time and gets the
 * rest in later turns: with longer ones the database waits for its work while the next rows are made.
 */
const rowsPerStatement = 2_500
const rowsPerTurn = 25
const statementsAhead = 1

/** Looks up which components the family already has, outside the storing transaction. */
export async function lookUpComponents(
  db: Db,
  family: FamilyKey,
  rows: readonly ComponentRow[],
): Promise<KnownComponents> {
  return selectNumbers(db, family, hashesOf(rows))
}

type NewComponents = {
  sbomId: string
  rows: readonly ComponentRow[]
  known: KnownComponents
  /** The family's next number, read under the lock. */
  next: number
  identifyRow: (row: ComponentRow) => IdentifiedRow
}

/**
 * Numbers the components of an SBOM and inserts those that are new in the family, with their identities for the job that
 * matches; returns the number of each. The caller holds the lock of the family's row.
 *
 * Whoever deletes components must take the same lock and burn a number: the gap tells an upload that has looked before and
 * locks after that it must look again.
 */
export async function storeComponents(
  tx: Tx,
  family: FamilyKey,
  added: NewComponents,
): Promise<Map<string, number>> {
  const { rows, known, next } = added
  const numbers = await currentNumbers(tx, family, { rows, known, next })
  const missing = rows.filter((row) => !numbers.has(row.hash))
  await insertMissing(tx, family, { ...added, missing })
  const all = new Map(missing.map(({ hash }, place) => [hash, next + place]))
  for (const { hash } of rows) {
    const number = numbers.get(hash)
    if (number !== undefined) all.set(hash, number)
  }
  return all
}

async function currentNumbers(
  tx: Tx,
  family: FamilyKey,
  { rows, known, next }: { rows: readonly ComponentRow[]; known: KnownComponents; next: number },
): Promise<ReadonlyMap<string, number>> {
  if (known.next === next) return known.numbers
  const since = await selectNumberedBetween(tx, family, { first: known.next, end: next })
  if (since.size === next - known.next) return new Map([...known.numbers, ...since])
  return (await selectNumbers(tx, family, hashesOf(rows))).numbers
}

/**
 * While the database writes some thousand rows, the next ones are made and wait their turn. No statement may outlive the transaction: its
 * session would run it after the rollback.
 */
async function insertMissing(
  tx: Tx,
  family: FamilyKey,
  { missing, next, sbomId, identifyRow }: NewComponents & { missing: readonly ComponentRow[] },
): Promise<void> {
  const identities = new Set<string>()
  const statements: Promise<void>[] = []
  try {
    for (let start = 0; start < missing.length; start += rowsPerStatement) {
      const rows = await numbered(missing.slice(start, start + rowsPerStatement), {
        first: next + start,
        identifyRow,
      })
      const identified = rows.filter(
        ({ identityId }) => !identities.has(identityId) && identities.add(identityId),
      )
      const place = start / rowsPerStatement
      const after = next + start + rows.length
      await statements.at(-1 - statementsAhead)
      statements.push(
        settledLater(insertComponents(tx, family, { sbomId, rows, place, identified, next: after })),
      )
    }
    await Promise.all(statements)
  } finally {
    await Promise.allSettled(statements)
  }
}

async function numbered(
  rows: readonly ComponentRow[],
  { first, identifyRow }: { first: number; identifyRow: NewComponents['identifyRow'] },
): Promise<NumberedComponent[]> {
  const made: NumberedComponent[] = []
  for (const [place, row] of rows.entries()) {
    made.push({ ...identifyRow(row), number: first + place })
    if (place % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
  }
  return made
}

/** A promise that is awaited only rounds later; failing before that must not end the process. */
function settledLater(statement: Promise<void>): Promise<void> {
  statement.catch(() => undefined)
  return statement
}

function hashesOf(rows: readonly ComponentRow[]): string[] {
  return rows.map((row) => row.hash)
}
