import { basename } from 'node:path'
import type { Db } from '../../../database/connection.ts'
import type { Extent, ImportReport, RecordsTaken } from '../../reading/record-import.ts'
import type { FileWork, Tools } from '../source.ts'
import { compileCve, idPrefixes } from '../../../records/nvd/compile-cve.ts'
import { nvdDocuments } from '../../../records/nvd/feed-documents.ts'
import { parseDocument } from '../../../source-files/documents.ts'
import type { OnProgress } from '../../../source-files/progress.ts'
import type { Waiting } from '../../ledger/import-lock.ts'
import { readHere } from '../../reading/record-reading.ts'

type FeedImport = {
  path: string
  /** The address kept with the source. */
  from: string
  /** Of a part of the feeds: the row that keeps it; undefined: the source as a whole is loaded. */
  noteAs?: string
  contentHash?: string
  /** `part`: a file by hand. */
  extent: Extent
  /** Entries to take over, by CVE id; undefined: all. */
  only?: ReadonlySet<string>
  waiting: Waiting
  now: Date
  onProgress: OnProgress
}

/** A file by hand is a part of the feeds, unless the operator says otherwise. */
export async function importFeed(work: FileWork): Promise<ImportReport[]> {
  const { db, path, from, now, onProgress, waiting } = work
  const extent = work.isComplete ? 'whole' : 'part'
  const { report } = await importNvd(db, work.tools, { path, from, now, onProgress, waiting, extent })
  return [report]
}

/**
 * Takes over the entries of an NVD feed file, plain or gzip. A feed only adds and changes: NVD rejects entries and never drops them.
 */
export async function importNvd(
  db: Db,
  tools: Tools,
  { path, from, only, ...importing }: FeedImport,
): Promise<RecordsTaken> {
  return tools.importRecords(db, {
    ...importing,
    reading: readHere(nvdDocuments(path), (document) => {
      const cve = compileCve(parseDocument(document).value, document.name)
      return only === undefined || only.has(cve.id.slice(idPrefixes.nvd.length)) ? cve : undefined
    }),
    mayBeEmpty: only !== undefined,
    label: importing.noteAs ?? basename(from),
    address: from,
    ecosystem: null,
  })
}
