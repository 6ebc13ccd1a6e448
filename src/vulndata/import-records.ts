import type { Db, Tx } from '../database/connection.ts'
import { selectPackageKeys } from './store/range-queries.ts'
import { countLiveRecords, selectDecidingHashes } from './ledger/in-store.ts'
import { RefusedData, Superseded } from '../source-files/refused-data.ts'
import { inImportTransaction } from './ledger/import-lock.ts'
import {
  recordNewData,
  recordPart,
  recordUnchanged,
  type Attempt,
  type Ended,
  type Taken,
} from './ledger/outcomes.ts'
import { selectSource } from './ledger/source-rows.ts'
import { notePassedOver, type PassedOver } from './ledger/passed-over.ts'
import { noneKnown, type KnownHashes } from './records/known-hashes.ts'
import type { RecordImport, RecordReport, RecordsTaken } from './reading/record-import.ts'
import { ecosystemOfSource, reconcileName, sourceName } from '../records/ecosystem-source.ts'
import { regroup, type Regrouping } from './store/groups.ts'
import { RowIds } from './store/row-ids.ts'
import { enqueueMatching } from './store/enqueue-matching.ts'
import { selectBorrowers } from './store/upstream-severity.ts'
import { noRecordChanges, storeRecords, type RecordChanges } from './store/store-records.ts'
import { withdrawGone } from './store/withdraw-gone.ts'
import { enqueueDigests, selectDigests } from './store/write-digests.ts'
import type { PreparedRecord } from './records/prepared-record.ts'

/**
 * Takes over a set of records in one transaction: all of them, or, when anything is broken, none (`RefusedData`). Where its reading passes over
 * what cannot be read, that is noted instead, and nothing counts as gone. Waits for any other import of records.
 */
export async function importRecords(db: Db, importing: RecordImport): Promise<RecordsTaken> {
  return inImportTransaction(db, { lock: 'records', waiting: importing.waiting }, async (tx) => {
    await refuseSuperseded(tx, importing)
    const changes = noRecordChanges()
    const seen = await readAndStore(tx, importing, changes)
    importing.onRead?.()
    Object.assign(seen, await notePassedOver(tx, importing, seen.count))
    if (seen.count === 0 && importing.mayBeEmpty !== true)
      throw new RefusedData(`expected records, found none in ${importing.label}`)
    // what could not be read may be what seems to be gone
    if (importing.extent === 'whole' && seen.unread === 0) {
      const ecosystems = importing.ecosystem === null ? [...seen.ecosystems].sort() : [importing.ecosystem]
      const sources = [
        ...ecosystems.map(sourceName),
        ...(importing.wholeOf === undefined ? [] : [importing.wholeOf]),
      ]
      for (const source of sources) await withdrawGone(tx, { source, now: importing.now }, changes)
    }
    await addBorrowers(tx, changes)
    const groups = await regroup(tx, changes.regroup, {
      fresh: changes.freshGroups,
      onProgress: (done) =>
        importing.onProgress({ label: `${importing.label}, groups`, done, total: changes.regroup.size }),
    })
    for (const key of await selectPackageKeys(tx, groups.movedRecords)) changes.packageKeys.add(key)
    for (const digest of await selectDigests(tx, groups.movedRecords)) changes.digests.add(digest)
    await enqueueDigests(tx, changes.digests, importing.now)
    const { packageKeys } = changes
    const matchJobs = await enqueueMatching(tx, { packageKeys, merged: groups.merged, now: importing.now })
    const { added, changed, edited, gone } = changes
    const endings = await noteOutcomes(tx, importing, {
      seen,
      isChanged: added + changed + edited + gone > 0,
    })
    return { report: report(importing, changes, { groups, matchJobs, sources: seen.sources }), endings }
  })
}

const askedAtOnce = 10_000

/** Records that take their severity from those that were written. */
async function addBorrowers(tx: Tx, { regroup: changed, settled }: RecordChanges): Promise<void> {
  const borrowers = new RowIds()
  for (const written of [changed, settled]) {
    for (const ids of written.inRuns(askedAtOnce))
      for (const id of await selectBorrowers(tx, ids)) borrowers.add(id)
  }
  for (const id of borrowers) changed.add(id)
}

async function refuseSuperseded(tx: Tx, { ecosystem, fetchedAfter }: RecordImport): Promise<void> {
  if (ecosystem === null || fetchedAfter === undefined) return
  const row = await selectSource(tx, sourceName(ecosystem))
  if ((row?.lastSuccessAt?.getTime() ?? null) !== (fetchedAfter?.getTime() ?? null))
    throw new Superseded('another import took over the same data meanwhile')
}

type Seen = PassedOver & {
  count: number
  ecosystems: Set<string>
  sources: Set<string>
  /** The newest time that has come. */
  newest: Date | null
}

async function readAndStore(tx: Tx, importing: RecordImport, changes: RecordChanges): Promise<Seen> {
  const { reading, label, ecosystem, now, onProgress } = importing
  const seen: Seen = {
    count: 0,
    ecosystems: new Set(),
    sources: new Set(),
    unread: 0,
    isCompleted: false,
    newest: null,
  }
  onProgress({ label, done: 0, total: reading.count })
  // while one batch is being written, the next is read
  let writing = Promise.resolve()
  try {
    for await (const records of reading.batches(await knownHashes(tx, importing))) {
      await writing
      writing = storeRecords(tx, { records, ecosystem, now }, changes)
      for (const record of records) note(seen, record, now)
      onProgress({ label, done: seen.count, total: reading.count })
    }
  } finally {
    // a refusal while reading must not leave a statement running; errors of writing are thrown below
    await Promise.allSettled([writing])
  }
  await writing
  return seen
}

/** The records of a whole file are mostly stored, unless it is the first. */
async function knownHashes(tx: Tx, { ecosystem, wholeOf, extent }: RecordImport): Promise<KnownHashes> {
  const source = ecosystem === null ? wholeOf : sourceName(ecosystem)
  return source === undefined || extent !== 'whole' ? noneKnown : selectDecidingHashes(tx, source)
}

function note(seen: Seen, { source, ecosystems, modifiedAt }: PreparedRecord, now: Date): void {
  seen.count += 1
  if (source !== null) seen.sources.add(source)
  else {
    for (const ecosystem of ecosystems) seen.ecosystems.add(ecosystem)
    for (const ecosystem of ecosystems) seen.sources.add(sourceName(ecosystem))
  }
  if (modifiedAt <= now && (seen.newest === null || modifiedAt > seen.newest)) seen.newest = modifiedAt
}

type Noted = { seen: Seen; isChanged: boolean }

/**
 * The sources of the records count as loaded from now on, and ecosystems that were read whole as compared with their whole file. An
 * import of only a part of its source is recorded under a name of its own.
 */
async function noteOutcomes(tx: Tx, importing: RecordImport, noted: Noted): Promise<Map<string, Ended>> {
  const { ecosystem, address, now, noteAs, extent } = importing
  const { seen, isChanged } = noted
  const record = isChanged ? recordNewData : recordUnchanged
  const endings = new Map<string, Ended>()
  const note = async (attempt: Attempt, taken: Taken) => {
    endings.set(attempt.name, await record(tx, attempt, taken))
  }
  const contentHash = importing.contentHash ?? null
  if (noteAs !== undefined) {
    await note({ name: noteAs, address, now }, { recordCount: seen.count, contentHash })
    return endings
  }
  for (const name of ecosystem === null ? [...seen.sources].sort() : [sourceName(ecosystem)]) {
    const recordCount = await countLiveRecords(tx, name)
    const attempt = { name, address, now }
    if (extent === 'part') endings.set(name, await recordPart(tx, attempt, { recordCount }))
    else await note(attempt, { recordCount, ...marksOf(importing, seen, name) })
    const ofEcosystem = ecosystemOfSource(name)
    if (extent === 'whole' && ofEcosystem !== undefined)
      await note({ ...attempt, name: reconcileName(ofEcosystem) }, { recordCount, contentHash })
  }
  return endings
}

/** What a source's row keeps beside its success. An ecosystem's hash is that of its whole file, which has a row of its own. */
function marksOf(importing: RecordImport, seen: Seen, name: string): Partial<Taken> {
  const { extent, watermark, contentHash } = importing
  const newest = watermark === null ? seen.newest : watermark
  const hasOwnHash =
    contentHash !== undefined && !(extent === 'whole' && ecosystemOfSource(name) !== undefined)
  return {
    ...(newest === undefined ? {} : { watermark: newest }),
    ...(hasOwnHash ? { contentHash } : {}),
    ...((extent === 'whole' && seen.unread === 0) || seen.isCompleted ? { isWhole: true } : {}),
  }
}

type Outcome = { groups: Regrouping; matchJobs: number; sources: ReadonlySet<string> }

function report(
  importing: RecordImport,
  changes: RecordChanges,
  { groups, matchJobs, sources }: Outcome,
): RecordReport {
  const { seen, added, changed, edited, gone, unorderedBounds } = changes
  return {
    source: importing.ecosystem === null ? mixedName(sources) : sourceName(importing.ecosystem),
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

function mixedName(sources: ReadonlySet<string>): string {
  const [first = 'osv'] = sources
  return first.startsWith('osv') ? 'osv' : first
}
