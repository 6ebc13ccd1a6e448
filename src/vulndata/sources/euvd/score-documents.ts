import {
  parseDocument,
  readBounded,
  type DocumentSource,
  type SourceDocument,
} from '../../../source-files/documents.ts'
import { listField } from '../../../source-files/fields.ts'

/** The entries of a file that is a list of EUVD records, a page of its search (`items`), or its dump, each as a document. */
export function euvdDocuments(path: string): DocumentSource {
  const read = () => readEntries(path)
  return { count: null, read, sample: read, close: () => Promise.resolve() }
}

async function* readEntries(path: string): AsyncGenerator<SourceDocument> {
  for (const [index, entry] of entriesOf(await readJson(path)).entries()) {
    yield { name: `/${index}`, bytes: Buffer.from(JSON.stringify(entry)) }
  }
}

/** The entries of a bare list, or of a page of the search. */
export function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : listField(value, 'items')
}

async function readJson(path: string): Promise<unknown> {
  return parseDocument({ name: 'the file', bytes: await readBounded(path) }).value
}
