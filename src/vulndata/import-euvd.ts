import { basename } from 'node:path'
import type { Db } from '../database/connection.ts'
import { compileScore, euvdScores, statesScore } from './euvd/compile-score.ts'
import { entriesOf, euvdDocuments } from './euvd/score-documents.ts'
import { importRecords, type RecordReport } from './import-records.ts'
import { parseDocument, readBounded } from './osv/documents.ts'
import type { OnProgress } from './progress.ts'
import { readHere } from './reading/record-reading.ts'
import { countLiveRecords } from './queries.ts'

type ScoreImport = {
  path: string
  /** The address kept with the source. */
  from: string
  now: Date
  onProgress: OnProgress
}

/**
 * Takes over the severities that EUVD records, or the entries of its dump, state. A file only adds and changes. The session holds the import
 * lock `records`.
 */
export async function importScores(
  session: Db,
  { path, from, now, onProgress }: ScoreImport,
): Promise<RecordReport> {
  return importRecords(session, {
    reading: readHere(euvdDocuments(path), (document) => compileScore(parseDocument(document).value)),
    mayBeEmpty: true,
    label: basename(from),
    address: from,
    ecosystem: null,
    extent: 'part',
    now,
    onProgress,
  })
}

/** Whether a dump says anything of severities, or has said: known ones do not, and then there is nothing to take over. */
export async function hasScores(db: Db, path: string): Promise<boolean> {
  const { value } = parseDocument({ name: 'the dump', bytes: await readBounded(path) })
  return entriesOf(value).some(statesScore) || (await countLiveRecords(db, euvdScores)) > 0
}
