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
import { UploadedComponents } from './uploaded-components.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/**
 * Rows of one statement, and rows made between two turns of the event loop. A socket takes a fifth of a statement at a time and gets the
 * rest in later turns: with larger numbers the database sits idle while the next rows are made, and more rows live long enough to
 * become garbage of the old generation.
 */
const rowsPerStatement = 1_000
const rowsPerTurn = 25

/** Hashes in one look-up, in the first one, and hashes made between two turns of the event loop. */
const rowsPerLookUp = 10_000
const rowsOfFirstLookUp = 500
const hashesPerTurn = 500

/**
 * Looks up which components of an SBOM the family already has, outside the storing transaction. The database looks for some while the hashes
 * of the next are made. Where the family has none, the others are not read yet.
 */
export async function lookUpComponents(
  db: Db,
  family: FamilyKey,
  distinct: Iterable<ComponentRow>,
): Promise<{ components: UploadedComponents; known: KnownComponents }> {
  const components = new UploadedComponents(distinct)
  const known = await selectNumbers(db, family, (isEmpty) => hashesInTurns(components, isEmpty))
  return { components, known }
}

/** The hashes in lists for a look-up each, one at least. */
async function* hashesInTurns(
  components: Iterable<ComponentRow>,
  isEmpty: () => boolean,
): AsyncGenerator<string[]> {
  let hashes: string[] = []
  let asked = 0
  for (const { hash } of components) {
    hashes.push(hash)
    if (hashes.length % hashesPerTurn === 0) await nextTurn()
    if (isEmpty()) return
    if (hashes.length < (asked === 0 ? rowsOfFirstLookUp : rowsPerLookUp)) continue
    asked += hashes.length
    yield hashes
    hashes = []
  }
  if (hashes.length > 0 || asked === 0) yield hashes
}

type Numbering = {
  components: UploadedComponents
  known: KnownComponents
  /** The family's next number, read under the lock. */
  next: number
}

type NumberedComponents = {
  /** Complete once all of `missing` have been read. */
  numberOf: Map<string, number>
  /** Those that are new in the family, in the order of their numbers; to be read once. */
  missing: Iterable<ComponentRow>
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
  { components, known, next }: Numbering,
): Promise<NumberedComponents> {
  const numberOf = new Map<string, number>()
  if (next === 1) return { numberOf, missing: numbered(components, { next, numberOf }) }
  const rows = components.all()
  const numbers = await currentNumbers(tx, family, { rows, known, next })
  const missing = rows.filter((row) => !numbers.has(row.hash))
  for (const { hash } of rows) {
    const number = numbers.get(hash)
    if (number !== undefined) numberOf.set(hash, number)
  }
  return { numberOf, missing: numbered(missing, { next, numberOf }) }
}

function* numbered(
  missing: Iterable<ComponentRow>,
  { next, numberOf }: { next: number; numberOf: Map<string, number> },
): Generator<ComponentRow, void, undefined> {
  let number = next
  for (const row of missing) {
    numberOf.set(row.hash, number)
    number += 1
    yield row
  }
}

async function currentNumbers(
  tx: Tx,
  family: FamilyKey,
  { rows, known, next }: { rows: readonly ComponentRow[]; known: KnownComponents; next: number },
): Promise<ReadonlyMap<string, number>> {
  if (known.next === next) return known.numbers
  const since = await selectNumberedBetween(tx, family, { first: known.next, end: next })
  if (since.size === next - known.next) return new Map([...known.numbers, ...since])
  const hashes = rows.map(({ hash }) => hash)
  return (await selectNumbers(tx, family, () => chunksOf(hashes, rowsPerLookUp))).numbers
}

type NewComponents = {
  sbomId: string
  missing: Iterable<ComponentRow>
  /** The number of the first. */
  next: number
  identifyRow: (row: ComponentRow) => IdentifiedRow
}

/**
 * Inserts components that are new in the family, with their identities for the job that matches. `last` is a statement that is sent
 * behind them once all of them have been read.
 */
export async function insertMissing(
  tx: Tx,
  family: FamilyKey,
  { missing, next, sbomId, identifyRow }: NewComponents,
  last?: () => Promise<void>,
): Promise<void> {
  async function* statements(): AsyncGenerator<() => Promise<void>> {
    for await (const statement of statementsOf(missing, { first: next, identifyRow }))
      yield () => insertComponents(tx, family, { sbomId, ...statement })
    if (last !== undefined) yield last
  }
  await oneAhead(statements(), (run) => run())
}

type Identifying = { first: number; identifyRow: NewComponents['identifyRow'] }
type Statement = Omit<Parameters<typeof insertComponents>[2], 'sbomId'>

/** The rows of one statement after the other; an identity goes with the first component that has it. */
async function* statementsOf(
  missing: Iterable<ComponentRow>,
  { first, identifyRow }: Identifying,
): AsyncGenerator<Statement> {
  const identities = new Set<string>()
  let place = 0
  let next = first
  let rows: NumberedComponent[] = []
  const statement = (): Statement => {
    const identified = rows.filter(({ identityId }) => identities.size < identities.add(identityId).size)
    return { rows, place, identified, next }
  }
  for (const row of missing) {
    rows.push({ ...identifyRow(row), number: next })
    next += 1
    if (rows.length % rowsPerTurn === 0) await nextTurn()
    if (rows.length < rowsPerStatement) continue
    yield statement()
    place += 1
    rows = []
  }
  if (rows.length > 0) yield statement()
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
