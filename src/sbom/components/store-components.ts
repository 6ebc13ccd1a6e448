import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connection.ts'
import {
  insertComponents,
  selectNumberedBetween,
  selectNumbers,
  type KnownComponents,
  type NumberedComponent,
} from './component-queries.ts'
import { chunksOf } from '../../platform/postgres/columns.ts'
import { oneAhead } from '../../platform/postgres/one-ahead.ts'
import type { ComponentRow, IdentifiedRow } from './component-rows.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/**
 * Rows of one statement, and rows made between two turns of the event loop. A socket takes a fifth of a statement at a time and gets the
 * rest in later turns: with larger numbers the database sits idle while the next rows are made, and more rows live long enough to
 * become garbage of the old generation.
 */
const rowsPerStatement = 1_000
const rowsPerTurn = 25

/** Hashes in one look-up, and hashes made between two turns of the event loop. */
const rowsPerLookUp = 10_000
const hashesPerTurn = 500

/**
 * Collects the components of an SBOM and looks up which of them the family already has, outside the storing transaction. The database
 * looks for some while the hashes of the next are made.
 */
export async function lookUpComponents(
  db: Db,
  family: FamilyKey,
  components: Iterable<ComponentRow>,
): Promise<{ rows: ComponentRow[]; known: KnownComponents }> {
  const rows: ComponentRow[] = []
  const known = await selectNumbers(db, family, hashesInTurns(components, rows))
  return { rows, known }
}

/** The hashes in lists for a look-up each, one at least; the rows are added to `rows`. */
async function* hashesInTurns(
  components: Iterable<ComponentRow>,
  rows: ComponentRow[],
): AsyncGenerator<string[]> {
  let hashes: string[] = []
  for (const row of components) {
    rows.push(row)
    hashes.push(row.hash)
    if (hashes.length === rowsPerLookUp) {
      yield hashes
      hashes = []
    }
    if (rows.length % hashesPerTurn === 0) await nextTurn()
  }
  if (hashes.length > 0 || rows.length === 0) yield hashes
}

type Numbering = {
  rows: readonly ComponentRow[]
  known: KnownComponents
  /** The family's next number, read under the lock. */
  next: number
}

type NumberedComponents = {
  numberOf: Map<string, number>
  /** Those that are new in the family, in the order of their numbers. */
  missing: ComponentRow[]
}

/**
 * Numbers the components of an SBOM. The caller holds the lock of the family's row and has to insert those that are missing.
 *
 * Anything that deletes components must take the same lock and burn a number: the gap tells an upload that looked before
 * and locks after that it must look again.
 */
export async function numberComponents(
  tx: Tx,
  family: FamilyKey,
  { rows, known, next }: Numbering,
): Promise<NumberedComponents> {
  const numbers = await currentNumbers(tx, family, { rows, known, next })
  const missing = rows.filter((row) => !numbers.has(row.hash))
  const all = new Map<string, number>()
  for (const { hash } of missing) all.set(hash, next + all.size)
  for (const { hash } of rows) {
    const number = numbers.get(hash)
    if (number !== undefined) all.set(hash, number)
  }
  return { numberOf: all, missing }
}

async function currentNumbers(
  tx: Tx,
  family: FamilyKey,
  { rows, known, next }: Numbering,
): Promise<ReadonlyMap<string, number>> {
  if (known.next === next) return known.numbers
  const since = await selectNumberedBetween(tx, family, { first: known.next, end: next })
  if (since.size === next - known.next) return new Map([...known.numbers, ...since])
  const hashes = rows.map(({ hash }) => hash)
  return (await selectNumbers(tx, family, chunksOf(hashes, rowsPerLookUp))).numbers
}

type NewComponents = {
  sbomId: string
  missing: readonly ComponentRow[]
  /** The number of the first. */
  next: number
  identifyRow: (row: ComponentRow) => IdentifiedRow
}

/** Inserts components that are new in the family, with their identities for the job that matches. */
export async function insertMissing(
  tx: Tx,
  family: FamilyKey,
  { missing, next, sbomId, identifyRow }: NewComponents,
): Promise<void> {
  const statements = statementsOf(missing, { first: next, identifyRow })
  await oneAhead(statements, (statement) => insertComponents(tx, family, { sbomId, ...statement }))
}

type Identifying = { first: number; identifyRow: NewComponents['identifyRow'] }

/** The rows of one statement after the other; an identity goes with the first component that has it. */
async function* statementsOf(missing: readonly ComponentRow[], { first, identifyRow }: Identifying) {
  const identities = new Set<string>()
  let place = 0
  let next = first
  for (const chunk of chunksOf(missing, rowsPerStatement)) {
    const rows = await numbered(chunk, { first: next, identifyRow })
    const identified = rows.filter(({ identityId }) => identities.size < identities.add(identityId).size)
    next += rows.length
    yield { rows, place, identified, next }
    place += 1
  }
}

async function numbered(
  rows: readonly ComponentRow[],
  { first, identifyRow }: Identifying,
): Promise<NumberedComponent[]> {
  const made: NumberedComponent[] = []
  for (const [place, row] of rows.entries()) {
    made.push({ ...identifyRow(row), number: first + place })
    if (place % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
  }
  return made
}

/** With fewer, a scan of the whole family is too quick to matter. */
const manyComponents = 1_000

/**
 * A database that analyses a table while a large SBOM is being stored sees its pages but not its rows. Until the next analysis, a minute
 * later, it would look for each component of the next upload by scanning the whole family: a minute for two thousand among fifty thousand. A
 * page has at least one row, which reveals such a count.
 */
export async function correctCount(db: Db, lookUps: number): Promise<void> {
  if (lookUps < manyComponents) return
  const { rows } = await sql<{ isWrong: boolean }>`
    select reltuples between 0 and relpages - 1 as "isWrong" from pg_class
    where oid = 'component'::regclass`.execute(db)
  if (rows[0]?.isWrong === true) await sql`analyze (skip_locked) component`.execute(db)
}
