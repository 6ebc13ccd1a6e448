import { inflatedChunks } from '../../source-files/inflated-chunks.ts'
import { fieldOf } from '../../source-files/fields.ts'
import type { DocumentSource, SourceDocument } from '../../source-files/documents.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import { ListSplitter } from './list-splitter.ts'

/** About ten times the largest year. */
export const maxFeedBytes = 4 * 1024 ** 3
const sampleSize = 64

/**
 * The entries of an NVD 2.0 feed file (`nvdcve-2.0-2025.json`, also gzip) or of a page of its API, one after the other. Refuses
 * (`RefusedData`), at the latest after the last entry, what is cut off, of another format, or has another number of entries than it
 * states (https://csrc.nist.gov/schema/nvd/api/2.0/cve_api_json_2.0.schema).
 */
export function nvdDocuments(path: string): DocumentSource {
  return {
    count: null,
    read: () => readEntries(path),
    sample: () => readEntries(path, sampleSize),
    close: () => Promise.resolve(),
  }
}

async function* readEntries(path: string, max = Infinity): AsyncGenerator<SourceDocument> {
  const splitter = new ListSplitter('vulnerabilities')
  let number = 0
  for await (const chunk of inflatedChunks(path, maxFeedBytes)) {
    for (const bytes of splitter.push(chunk)) {
      number += 1
      if (number > max) return
      yield { name: `entry ${number}`, bytes }
    }
  }
  checkEnvelope(splitter.finish(), number)
}

/** Of the counts one speaks of this file: `resultsPerPage`, or `totalResults` where the file is everything. */
function checkEnvelope(envelope: unknown, entries: number): void {
  const format = [fieldOf(envelope, 'format'), fieldOf(envelope, 'version')]
  if (format[0] !== 'NVD_CVE' || format[1] !== '2.0') {
    throw new RefusedData(`expected NVD data of format NVD_CVE 2.0, found ${shown(format)}`)
  }
  const counts = [fieldOf(envelope, 'resultsPerPage'), fieldOf(envelope, 'totalResults')]
  if (!counts.includes(entries)) {
    throw new RefusedData(`expected as many NVD entries as it states, ${shown(counts)}, found ${entries}`)
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 60)
}
