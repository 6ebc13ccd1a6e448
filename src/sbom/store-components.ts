import type { Db, Tx } from '../database/connection.ts'
import {
  insertComponents,
  insertIdentities,
  selectIdentityIds,
  selectNumberedBetween,
  selectNumbers,
  type NumberedComponent,
} from './component-queries.ts'
import type { ComponentRow } from './component-rows.ts'
import { selectNextComponentNumber, updateNextComponentNumber } from './queries.ts'

type Family = { workspaceId: string; familyId: string }

/** What the store holds of an SBOM's components before its family is locked. */
export type KnownComponents = {
  /** The family's next number when the look began: components numbered from it on may be missing in `numbers`. */
  next: number
  numbers: ReadonlyMap<string, number>
  /** Ids of the identities of those components that have no number. */
  identityIds: ReadonlyMap<string, number>
}

/**
 * Looks up which components the family already has and makes sure that the identities of the others exist. It happens outside
 * the storing transaction: identities are shared by all workspaces, and nobody waits for an upload of somebody else.
 */
export async function lookUpComponents(
  db: Db,
  family: Family,
  { rows, now }: { rows: readonly ComponentRow[]; now: Date },
): Promise<KnownComponents> {
  const next = await selectNextComponentNumber(db, family)
  const numbers = next === 1 ? new Map<string, number>() : await selectNumbers(db, family, hashesOf(rows))
  const missing = rows.filter((row) => !numbers.has(row.hash))
  return { next, numbers, identityIds: await selectOrInsertIdentities(db, missing, now) }
}

/**
 * Numbers the components of an SBOM and inserts those that are new in the family; answers all numbers, ascending.
 * The caller holds the lock of the family's row and read `next` from it under the lock.
 *
 * Whoever deletes components must take the same lock and burn a number: the gap tells an upload that has looked before and
 * locks after that it must look again.
 */
export async function storeComponents(
  tx: Tx,
  family: Family,
  {
    rows,
    known,
    next,
    now,
  }: { rows: readonly ComponentRow[]; known: KnownComponents; next: number; now: Date },
): Promise<number[]> {
  const numbers = await currentNumbers(tx, family, { rows, known, next })
  const added = await numberMissing(tx, { rows, numbers, known, next, now })
  await insertComponents(tx, family, added)
  if (added.length > 0) await updateNextComponentNumber(tx, family, next + added.length)
  const all = rows.map((row) => numbers.get(row.hash)).filter((number) => number !== undefined)
  return [...all, ...added.map((entry) => entry.number)].sort((one, other) => one - other)
}

async function currentNumbers(
  tx: Tx,
  family: Family,
  { rows, known, next }: { rows: readonly ComponentRow[]; known: KnownComponents; next: number },
): Promise<ReadonlyMap<string, number>> {
  if (known.next === next) return known.numbers
  const since = await selectNumberedBetween(tx, family, { first: known.next, end: next })
  if (since.size === next - known.next) return new Map([...known.numbers, ...since])
  return selectNumbers(tx, family, hashesOf(rows))
}

async function numberMissing(
  tx: Tx,
  order: {
    rows: readonly ComponentRow[]
    numbers: ReadonlyMap<string, number>
    known: KnownComponents
    next: number
    now: Date
  },
): Promise<NumberedComponent[]> {
  const missing = order.rows.filter((row) => !order.numbers.has(row.hash))
  const unprepared = missing.filter((row) => !order.known.identityIds.has(row.identityHash))
  const lateIds = await selectOrInsertIdentities(tx, unprepared, order.now)
  return missing.map((row, place) => {
    const identityId = order.known.identityIds.get(row.identityHash) ?? lateIds.get(row.identityHash)
    if (identityId === undefined) throw new Error(`the identity ${row.identityHash} was not stored`)
    return { row, number: order.next + place, identityId }
  })
}

/** Identities are inserted in the order of their hashes everywhere, so that two uploads never wait for each other in a ring. */
async function selectOrInsertIdentities(
  db: Db,
  rows: readonly ComponentRow[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const byHash = new Map(rows.map((row) => [row.identityHash, row]))
  const hashes = [...byHash.keys()].sort()
  const known = await selectIdentityIds(db, hashes)
  const unknown = hashes.filter((hash) => !known.has(hash))
  const newRows = unknown.flatMap((hash) => byHash.get(hash) ?? [])
  const inserted = await insertIdentities(db, newRows, now)
  const overtaken = unknown.filter((hash) => !inserted.has(hash))
  return new Map([...known, ...inserted, ...(await selectIdentityIds(db, overtaken))])
}

function hashesOf(rows: readonly ComponentRow[]): string[] {
  return rows.map((row) => row.hash)
}
