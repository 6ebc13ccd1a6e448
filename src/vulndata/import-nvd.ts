import { basename } from 'node:path'
import type { Db } from '../database/connection.ts'
import { importRecords, type Extent, type RecordReport } from './import-records.ts'
import { compileCve, idPrefixes } from './nvd/compile-cve.ts'
import { nvdDocuments } from './nvd/feed-documents.ts'
import { parseDocument } from './osv/documents.ts'
import type { OnProgress } from './progress.ts'
import { readHere } from './reading/record-reading.ts'

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
  now: Date
  onProgress: OnProgress
}

/**
 * Takes over the entries of an NVD feed file, plain or gzip. A feed only adds and changes: NVD rejects entries and never drops them. The
 * session holds the import lock `records`.
 */
export async function importNvd(
  session: Db,
  { path, from, only, ...order }: FeedImport,
): Promise<RecordReport> {
  return importRecords(session, {
    ...order,
    reading: readHere(nvdDocuments(path), (document) => {
      const cve = compileCve(parseDocument(document).value, document.name)
      return only === undefined || only.has(cve.id.slice(idPrefixes.nvd.length)) ? cve : undefined
    }),
    mayBeEmpty: only !== undefined,
    label: order.noteAs ?? basename(from),
    address: from,
    ecosystem: null,
  })
}
