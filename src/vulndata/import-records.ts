import type { Db, Tx } from '../database/connection.ts'
import { regroup, type Regrouping } from './groups.ts'
import { compileRecord, type CompiledRecord } from './osv/compile-record.ts'
import { parseDocument, type DocumentSource, type SourceDocument } from './osv/documents.ts'
import type { OnProgress } from './progress.ts'
import { countLiveRecords, selectPackageKeys } from './queries.ts'
import { RefusedData } from './refused-data.ts'
import { inImportTransaction, reconcileName, recordSuccess } from './sources.ts'
import { orderMatching } from './store/order-matching.ts'
import { noRecordChanges, sourceName, storeRecords, type RecordChanges } from './store/store-records.ts'
import { withdrawGone } from './store/withdraw-gone.ts'

export type RecordImport = {
  source: DocumentSource
  /** Shown with progress, and the address kept with the source. */
  label: string
  address: string
  /** Ecosystem whose records these are; null: of any, found by their packages. */
  ecosystem: string | null
  /** The source is all there is: records it lacks are withdrawn. */
  isWhole: boolean
  /** New watermark of the ecosystem; null: the newest time among the records. undefined: unchanged. */
  watermark?: Date | null
  /** What the source says of the whole file, to recognise it unread next time. */
  contentHash?: string | null
  now: Date
  onProgress: OnProgress
}

export type RecordReport = {
  /** `osv:Go`, or `osv` for records of several ecosystems. */
  source: string
  records: number
  added: number
  changed: number
  edited: number
  withdrawn: number
  unchanged: number
  unorderedBounds: number
  mergedGroups: number
  /** A record of each set of more than 32 ids, left ungrouped. */
  oversizedGroups: string[]
  /** Jobs ordered for components on changed packages. */
  matchJobs: number
}

const recordsPerBatch = 500

/**
 * Takes over a set of OSV records in one transaction: all of them, or, when anything is broken, none (`RefusedData`). The session holds
 * the import lock `records`.
 */
export async function importRecords(session: Db, order: RecordImport): Promise<RecordReport> {
  return inImportTransaction(session, async (tx) => {
    const changes = noRecordChanges()
    const seen = await readAndStore(tx, order, changes)
    if (seen.ids.size === 0) throw new RefusedData(`expected OSV records, found none in ${order.label}`)
    const covered = order.ecosystem === null ? [...seen.ecosystems].sort() : [order.ecosystem]
    if (order.isWhole) {
      for (const ecosystem of covered)
        await withdrawGone(tx, { ecosystem, seen: seen.ids, now: order.now }, changes)
    }
    const groups = await regroup(tx, changes.regroup, {
      fresh: changes.freshGroups,
      onProgress: (done) =>
        order.onProgress({ label: `${order.label}, groups`, done, total: changes.regroup.size }),
    })
    for (const key of await selectPackageKeys(tx, groups.movedRecords)) changes.packageKeys.add(key)
    const { packageKeys } = changes
    const matchJobs = await orderMatching(tx, { packageKeys, merged: groups.merged, now: order.now })
    for (const ecosystem of covered) await noteSuccess(tx, { ...order, ecosystem, newest: seen.newest })
    return report(order, changes, { groups, matchJobs })
  })
}

type Seen = { ids: Set<string>; ecosystems: Set<string>; newest: Date | null }

async function readAndStore(tx: Tx, order: RecordImport, changes: RecordChanges): Promise<Seen> {
  const { source, label, ecosystem, now, onProgress } = order
  const seen: Seen = { ids: new Set(), ecosystems: new Set(), newest: null }
  onProgress({ label, done: 0, total: source.count })
  // while one batch is being written, the next is read
  let writing = Promise.resolve()
  try {
    for await (const records of batches(source.read())) {
      await writing
      writing = storeRecords(tx, { records, ecosystem, now }, changes)
      for (const record of records) note(seen, record)
      onProgress({ label, done: seen.ids.size, total: source.count })
    }
  } finally {
    // a refusal while reading must not leave a statement behind; what the writing itself throws is thrown below
    await Promise.allSettled([writing])
  }
  await writing
  return seen
}

function note(seen: Seen, { id, ecosystems, modifiedAt }: CompiledRecord): void {
  seen.ids.add(id)
  for (const ecosystem of ecosystems) seen.ecosystems.add(ecosystem)
  if (seen.newest === null || modifiedAt > seen.newest) seen.newest = modifiedAt
}

const longestStallMs = 20

/** Compiled records, a few hundred at a time. Lets other work of the process have its turn in between. */
async function* batches(documents: AsyncIterable<SourceDocument>): AsyncGenerator<CompiledRecord[]> {
  let batch: CompiledRecord[] = []
  let pausedAt = performance.now()
  for await (const document of documents) {
    const { text, value } = parseDocument(document)
    batch.push(compileRecord(value, text, document.name))
    if (batch.length >= recordsPerBatch) {
      yield batch
      batch = []
    }
    if (performance.now() - pausedAt < longestStallMs) continue
    await new Promise((resolve) => setImmediate(resolve))
    pausedAt = performance.now()
  }
  if (batch.length > 0) yield batch
}

type Noted = RecordImport & { ecosystem: string; newest: Date | null }

/** The ecosystem counts as loaded from now on; when it was read whole, also as compared with its whole file. */
async function noteSuccess(tx: Tx, { ecosystem, address, now, ...order }: Noted): Promise<void> {
  const name = sourceName(ecosystem)
  const recordCount = await countLiveRecords(tx, name)
  const watermark = order.watermark === null ? order.newest : order.watermark
  const marked = watermark === undefined ? {} : { watermark }
  await recordSuccess(tx, { name, address, now, recordCount, ...marked })
  if (!order.isWhole) return
  const contentHash = order.contentHash ?? null
  await recordSuccess(tx, { name: reconcileName(ecosystem), address, now, recordCount, contentHash })
}

type Outcome = { groups: Regrouping; matchJobs: number }

function report(order: RecordImport, changes: RecordChanges, { groups, matchJobs }: Outcome): RecordReport {
  const { seen, added, changed, edited, gone, unorderedBounds } = changes
  return {
    source: order.ecosystem === null ? 'osv' : sourceName(order.ecosystem),
    records: seen,
    added,
    changed,
    edited,
    withdrawn: gone,
    unchanged: seen - added - changed - edited,
    unorderedBounds,
    mergedGroups: groups.merged.length,
    oversizedGroups: groups.oversized,
    matchJobs,
  }
}
