import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Db } from '../../database/connection.ts'
import { RefusedData } from '../documents/refused-data.ts'
import { inImportTransaction } from '../ledger/import-lock.ts'
import { recordFailure, recordSuccess, selectSource } from '../ledger/source-rows.ts'
import type { ImportReport, OneFileReport } from '../records/record-import.ts'
import type { FileWork } from '../sources/source.ts'
import type { OneFile, TakenOver } from './taking.ts'

/** Takes over a file that an operator gave, and notes it where it is refused. */
export async function importOneFile(file: OneFile, work: FileWork): Promise<ImportReport[]> {
  try {
    return await takeOverFile(file, work)
  } catch (error) {
    if (error instanceof RefusedData) {
      const { db, from: address, now } = work
      await recordFailure(db, { name: file.id, address, now, message: error.message })
    }
    throw error
  }
}

/** Takes over one file, and what else it holds. Nothing while another import runs for which this one does not wait. */
export async function takeOverFile(file: OneFile, work: FileWork): Promise<ImportReport[]> {
  const report = await work.locked('catalogues', (session) => replaceAll(session, file, work))
  const more = file.besides === undefined ? [] : await file.besides(work)
  return report === undefined ? more : [report, ...more]
}

/** In one transaction, or, when anything is broken, nothing of it (`RefusedData`). */
async function replaceAll(session: Db, file: OneFile, work: FileWork): Promise<OneFileReport> {
  const { id: name } = file
  const { path, from: address, now, onProgress } = work
  const contentHash = await hashOfFile(path)
  const before = await selectSource(session, name)
  onProgress({ label: name, done: 0, total: null })
  const report = await inImportTransaction(session, async (tx) => {
    const isSame = before !== undefined && before.lastSuccessAt !== null && before.contentHash === contentHash
    const recordsBefore = before?.recordCount ?? 0
    const taken = isSame
      ? unchanged(recordsBefore)
      : await file.takeOver(tx, { path, now, recordsBefore, onProgress })
    if (taken.records === 0) throw new RefusedData('expected entries, found none')
    await recordSuccess(tx, { name, address, now, recordCount: taken.records, contentHash, isWhole: true })
    return { source: name, ...taken }
  })
  onProgress({ label: name, done: report.records, total: report.records })
  return report
}

function unchanged(records: number): TakenOver {
  return { records, added: 0, changed: 0, withdrawn: 0 }
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}
