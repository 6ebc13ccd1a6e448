import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { RefusedData } from '../../source-files/refused-data.ts'
import { inImportTransaction } from '../ledger/import-lock.ts'
import { recordError, recordNewData, recordUnchanged, type Ended } from '../ledger/outcomes.ts'
import { selectSource, type SourceRow } from '../ledger/source-rows.ts'
import type { ImportReport, OneFileReport } from '../reading/record-import.ts'
import type { FileWork } from '../sources/source.ts'
import { refuseOlder } from './refuse-older.ts'
import type { OneFile, TakenOver } from './taking.ts'

/** Takes over an operator's file, and records a refusal. */
export async function importOneFile(file: OneFile, work: FileWork): Promise<ImportReport[]> {
  try {
    return (await takeOverFile(file, work)).reports
  } catch (error) {
    if (error instanceof RefusedData) {
      const { db, from: address, now } = work
      await recordError(db, { name: file.id, address, now }, error.message)
    }
    throw error
  }
}

/** Takes over one file and everything in it. Waits for any other import of a catalogue. */
export async function takeOverFile(
  file: OneFile,
  work: FileWork,
): Promise<{ reports: ImportReport[]; ended: Ended }> {
  const { report, ended } = await replaceAll(file, work)
  const more = file.besides === undefined ? [] : await file.besides(work)
  return { reports: [report, ...more], ended }
}

/** In one transaction, or, when anything is broken, nothing of it (`RefusedData`). */
async function replaceAll(file: OneFile, work: FileWork): Promise<{ report: OneFileReport; ended: Ended }> {
  const { id: name } = file
  const { db, path, from: address, now, onProgress, waiting } = work
  const contentHash = await hashOfFile(path)
  onProgress({ label: name, done: 0, total: null })
  const { taken, ended } = await inImportTransaction(db, { lock: 'catalogues', waiting }, async (tx) => {
    const before = await selectSource(tx, name)
    const isSame = before !== undefined && before.lastSuccessAt !== null && before.contentHash === contentHash
    const recordsBefore = before?.recordCount ?? 0
    const taken = isSame
      ? unchanged(recordsBefore)
      : await file.takeOver(tx, { path, now, recordsBefore, onProgress })
    if (taken.records === 0) throw new RefusedData('expected entries, found none')
    const { releasedAt } = taken
    if (releasedAt !== undefined) refuseOlder({ releasedAt, releasedBefore: releasedBefore(before, address) })
    const watermark =
      releasedAt === undefined ? {} : { watermark: isPast(releasedAt, now) ? releasedAt : null }
    const record = isSame ? recordUnchanged : recordNewData
    const has = { recordCount: taken.records, contentHash, isWhole: true, ...watermark } as const
    return { taken, ended: await record(tx, { name, address, now }, has) }
  })
  onProgress({ label: name, done: taken.records, total: taken.records })
  const { releasedAt: _told, ...changes } = taken
  return { report: { source: name, ...changes }, ended }
}

/** The release that was read last at this address. Another one has its own, and so has a file that an operator imports. */
function releasedBefore(before: SourceRow | undefined, address: string): Date | null {
  if (before === undefined || before.address !== address || before.contentHash === null) return null
  return before.watermark
}

/** One that is dated ahead of time would keep the next ones out. */
function isPast(at: Date | null, now: Date): boolean {
  return at !== null && at <= now
}

function unchanged(records: number): TakenOver {
  return { records, added: 0, changed: 0, withdrawn: 0 }
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}
