import { openDocuments } from '../../source-files/documents.ts'
import type { RecordFile, RecordReading } from './record-import.ts'
import { compilerOf } from './compile-document.ts'
import { readHere } from './record-reading.ts'

export async function openHere({ file, compiler, ...passing }: RecordFile): Promise<RecordReading> {
  return readHere(await openDocuments(file), compilerOf(compiler), passing)
}

/** Ecosystems that all sampled OSV records of a set name. */
export async function commonEcosystems({ file, compiler }: RecordFile): Promise<string[]> {
  const source = await openDocuments(file)
  const compile = compilerOf(compiler)
  try {
    let common: Set<string> | undefined
    for await (const document of source.sample()) {
      const record = compile(document)
      if (record?.source !== null || record.ecosystems.length === 0) continue
      common = common?.intersection(new Set(record.ecosystems)) ?? new Set(record.ecosystems)
    }
    return [...(common ?? [])]
  } finally {
    await source.close()
  }
}
