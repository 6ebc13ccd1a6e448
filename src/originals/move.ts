import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'
import { inParallel } from '../platform/concurrency/in-parallel.ts'
import { tryOpen } from '../platform/sealing/envelope.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import { objectsInParallel } from './erase.ts'
import { selectObject } from './object-rows.ts'
import { ObjectStoreError } from './objects/object-store.ts'
import { replaceOriginal, type OriginalColumn } from './original-column.ts'
import { sha256Of, UnreadableOriginal, type NewOriginal, type Originals } from './originals.ts'

export type Moving = {
  originals: Originals
  sealing: Sealing
  columns: readonly OriginalColumn[]
  /** Only those of this workspace; default: all. */
  workspaceId?: string
  now: () => Date
  onProgress?: (progress: { label: string; done: number; total: number | null }) => void
}

export type Moved = {
  moved: number
  bytes: number
  /** That cannot be opened or read: they stay where they are. */
  unreadable: number
  /** The same of those that were given up. */
  lost: number
}

type Row = { id: string; workspaceId: string; objectId: string | null }
type Step = (row: Row) => Promise<number | 'unreadable' | 'lost' | 'changed'>

const rowsAtOnce = 500

/**
 * Moves what is in the database into the object store, some at a time, while the service runs. Each is put, read back and compared before its row
 * names it there. What was moved stays moved: run again after an interruption, it goes on with the rest.
 */
export function moveToStore(db: Db, moving: Moving): Promise<Moved> {
  return moveEach(db, moving, {
    waiting: (column) => sql<boolean>`${sql.ref(column.column)} is not null`,
    stepOf: (column) => (row) => toStore(db, moving, { column, row }),
  })
}

/** The same back, each read and compared before its row contains it. Its object is erased an hour later, so that concurrent readers still find it. */
export function moveToDatabase(db: Db, moving: Moving): Promise<Moved> {
  return moveEach(db, moving, {
    waiting: () => sql<boolean>`object_id is not null`,
    stepOf: (column) => (row) => toDatabase(db, moving, { column, row }),
  })
}

/** Puts what another key than the writing one has sealed there again, under a new id. */
export function resealObjects(db: Db, moving: Moving): Promise<Moved> {
  const writing = moving.sealing.ring?.writing.id ?? 0
  return moveEach(db, moving, {
    waiting: () =>
      sql<boolean>`object_id in (select id from original_object where state = 'kept' and key_id <> ${writing})`,
    stepOf: (column) => (row) => resealed(db, moving, { column, row }),
  })
}

type Course = {
  /** The rows that are not where they should be. */
  waiting: (column: OriginalColumn) => RawBuilder<boolean>
  stepOf: (column: OriginalColumn) => Step
}

async function moveEach(
  db: Db,
  { columns, workspaceId, onProgress }: Moving,
  course: Course,
): Promise<Moved> {
  const total: Moved = { moved: 0, bytes: 0, unreadable: 0, lost: 0 }
  for (const column of columns) {
    const isOfIt = workspaceId === undefined ? sql`true` : sql`workspace_id = ${workspaceId}`
    const waiting = sql<boolean>`${course.waiting(column)} and ${isOfIt}`
    const count = await countRows(db, column, waiting)
    const step = course.stepOf(column)
    let done = 0
    await inParallel(rowsOf(db, column, waiting), objectsInParallel, async (row) => {
      const outcome = await step(row)
      if (outcome === 'unreadable' || outcome === 'lost') total[outcome] += 1
      else if (outcome !== 'changed') {
        total.moved += 1
        total.bytes += outcome
      }
      done += 1
      onProgress?.({ label: column.label, done, total: Math.max(count, done) })
    })
  }
  return total
}

async function countRows(db: Db, { table }: OriginalColumn, waiting: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${waiting}`.execute(db)
  return rows[0]?.count ?? 0
}

/** By their ids, so that one that stays is not met again. */
async function* rowsOf(db: Db, { table }: OriginalColumn, waiting: RawBuilder<boolean>): AsyncGenerator<Row> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<Row>`
      select id, workspace_id as "workspaceId", object_id as "objectId" from ${sql.table(table)}
      where id > ${after} and ${waiting} order by id limit ${sql.lit(rowsAtOnce)}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return
    after = last.id
  }
}

type One = { column: OriginalColumn; row: Row }

async function toStore(db: Db, { originals, sealing, now }: Moving, { column, row }: One) {
  const { workspaceId, id } = row
  const stored = await selectBytes(db, column, row)
  if (stored === undefined) return 'changed'
  const { bytes: kept, sha256 } = stored
  const bytes = tryOpen(() => column.opened?.(sealing, row, kept) ?? kept)
  if (bytes === undefined) return 'unreadable'
  return put(
    db,
    { originals, now },
    {
      original: { workspaceId, sha256: sha256 ?? sha256Of(bytes), bytes },
      name: (tx, objectId) =>
        replaceOriginal(tx, column, { workspaceId, id, from: null, to: { bytes: null, objectId } }),
    },
  )
}

async function resealed(db: Db, { originals, now }: Moving, { column, row }: One) {
  const { workspaceId, id, objectId } = row
  if (objectId === null) return 'changed'
  const read = await readObject(db, originals, { workspaceId, objectId })
  if (typeof read === 'string') return read
  return put(
    db,
    { originals, now },
    {
      original: { workspaceId, ...read },
      name: (tx, to) =>
        replaceOriginal(tx, column, { workspaceId, id, from: objectId, to: { bytes: null, objectId: to } }),
    },
  )
}

type Naming = {
  original: NewOriginal
  name: (tx: Tx, objectId: string) => Promise<boolean>
}

/** Puts an original into the object store, reads it back and compares it. It is for the caller to name it, or to release it. */
export async function putCompared(
  db: Db,
  originals: Originals,
  { original, now }: { original: NewOriginal; now: Date },
): Promise<Awaited<ReturnType<Originals['put']>>> {
  const placed = await originals.put(db, original, now)
  const { workspaceId, objectId } = placed
  const back = await originals.read(db, { workspaceId, bytes: null, objectId }).catch(asNotKept)
  if (!back.equals(original.bytes)) throw new Error(`object ${objectId} is not what was put there`)
  return placed
}

/** Nothing is lost: nothing names the object yet. */
function asNotKept(error: unknown): never {
  const reason = error instanceof UnreadableOriginal ? error.reason : null
  if (reason !== 'missing' && reason !== 'damaged') throw error
  const what = reason === 'missing' ? 'is missing from the object store' : 'was changed in the object store'
  throw new ObjectStoreError(
    'refused',
    `what was put there a moment ago ${what}; the original stays where it was`,
    error,
  )
}

/** Put, read back and compared, then named. */
async function put(
  db: Db,
  { originals, now }: Pick<Moving, 'originals' | 'now'>,
  { original, name }: Naming,
): Promise<number | 'changed'> {
  const placed = await putCompared(db, originals, { original, now: now() })
  const isNamed = await db.transaction().execute(async (tx) => {
    if (!(await name(tx, placed.objectId))) return false
    await originals.keep(tx, placed)
    return true
  })
  if (isNamed) return original.bytes.length
  await originals.release(db, placed)
  return 'changed'
}

async function toDatabase(db: Db, { originals, sealing }: Moving, { column, row }: One) {
  const { workspaceId, id, objectId } = row
  if (objectId === null) return 'changed'
  const read = await readObject(db, originals, { workspaceId, objectId })
  if (typeof read === 'string') return read
  const bytes = column.sealed?.(sealing, row, read.bytes) ?? read.bytes
  const isReplaced = await db
    .transaction()
    .execute((tx) =>
      replaceOriginal(tx, column, { workspaceId, id, from: objectId, to: { bytes, objectId: null } }),
    )
  return isReplaced ? read.bytes.length : 'changed'
}

/** A missing or damaged one stays where it is; a store that does not answer ends the run. */
async function readObject(
  db: Db,
  originals: Originals,
  { workspaceId, objectId }: { workspaceId: string; objectId: string },
): Promise<{ bytes: Buffer; sha256: Buffer } | 'unreadable' | 'lost'> {
  const object = await selectObject(db, { workspaceId, objectId })
  try {
    return { sha256: object.sha256, bytes: await originals.readObject(object) }
  } catch (error) {
    if (!(error instanceof UnreadableOriginal)) throw error
    return object.isLost ? 'lost' : 'unreadable'
  }
}

async function selectBytes(
  db: Db,
  { table, column, sha256 }: OriginalColumn,
  { workspaceId, id }: Row,
): Promise<{ bytes: Buffer; sha256: Buffer | null } | undefined> {
  const { rows } = await sql<{ bytes: Buffer; sha256: Buffer | null }>`
    select ${sql.ref(column)} as bytes, ${sha256 === null ? sql`null::bytea` : sql.ref(sha256)} as sha256
    from ${sql.table(table)}
    where workspace_id = ${workspaceId} and id = ${id} and ${sql.ref(column)} is not null`.execute(db)
  return rows[0]
}
