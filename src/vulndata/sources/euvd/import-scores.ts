import { basename } from 'node:path'
import type { Db } from '../../../database/connection.ts'
import { parseDocument, readBounded } from '../../../source-files/documents.ts'
import { countLiveRecords } from '../../ledger/in-store.ts'
import { readHere } from '../../reading/record-reading.ts'
import type { ImportReport } from '../../reading/record-import.ts'
import type { FileWork } from '../source.ts'
import { compileScore, euvdScores, statesScore } from './compile-score.ts'
import { entriesOf, euvdDocuments } from './score-documents.ts'

/** Takes over the severities that EUVD records, or the entries of its dump, state. A file only adds and changes. */
export async function importScores(work: FileWork): Promise<ImportReport[]> {
  const { db, path, from, now, onProgress, tools, waiting } = work
  const { report } = await tools.importRecords(db, {
    reading: readHere(euvdDocuments(path), (document) => compileScore(parseDocument(document).value)),
    mayBeEmpty: true,
    label: basename(from),
    address: from,
    ecosystem: null,
    extent: 'part',
    waiting,
    now,
    onProgress,
  })
  return [report]
}

/** As `importScores`, of a dump that has any. */
export async function importDumpScores(work: FileWork): Promise<ImportReport[]> {
  return (await hasScores(work.db, work.path)) ? importScores(work) : []
}

/** Whether a dump says anything of severities, or has said: known ones do not, and then there is nothing to take over. */
async function hasScores(db: Db, path: string): Promise<boolean> {
  const { value } = parseDocument({ name: 'the dump', bytes: await readBounded(path) })
  return entriesOf(value).some(statesScore) || (await countLiveRecords(db, euvdScores)) > 0
}
