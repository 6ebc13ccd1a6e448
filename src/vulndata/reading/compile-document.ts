import { parseDocument } from '../../source-files/documents.ts'
import { anySource, sourceOf, sources } from '../sources/all.ts'
import type { RecordKind } from '../sources/source.ts'
import type { Compile } from './record-reading.ts'

/** Reads documents of one source, or of `any`, and skips what lies beside their records. */
export function compilerOf(name: string): Compile {
  if (name === 'any') return compileAny
  const records = sourceOf(name)?.records
  if (records === undefined) throw new Error(`there are no records of a source "${name}"`)
  return (document) => {
    const { text, value } = parseDocument(document)
    return records.isBeside?.(value) === true ? undefined : records.compile(value, text, document.name)
  }
}

const recordKinds: readonly RecordKind[] = sources.flatMap(({ records }) => records ?? [])

/** A document that a folder or file of records may hold, of whichever source it looks like. undefined: one that lies beside records. */
const compileAny: Compile = (document) => {
  const { text, value } = parseDocument(document)
  const kind = recordKinds.find(({ is }) => is(value, document.file ?? document.name))
  if (kind !== undefined) return kind.compile(value, text, document.name)
  const isBeside = recordKinds.some((each) => each.isBeside?.(value) === true)
  return isBeside ? undefined : anySource.compile(value, text, document.name)
}
