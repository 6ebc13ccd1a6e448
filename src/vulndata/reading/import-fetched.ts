import type { DocumentFile } from '../../source-files/documents.ts'
import type { Ended } from '../ledger/outcomes.ts'
import type { RecordImport } from './record-import.ts'
import type { RefreshTurn } from '../sources/source.ts'

type Taking = Omit<RecordImport, 'reading' | 'address' | 'ecosystem' | 'waiting' | 'now' | 'onProgress'>

/**
 * Imports what a refresh has fetched of a source that is no ecosystem. Returns the outcome for the source's row; undefined: there was nothing in
 * it (`mayBeEmpty`).
 */
export async function importFetched(
  { db, tools, address, waiting, now }: RefreshTurn,
  source: string,
  file: DocumentFile,
  taking: Taking,
): Promise<Ended | undefined> {
  const reading = await tools.openRecords({ file, compiler: source })
  try {
    const place = { address, ecosystem: null, waiting, now, onProgress: () => undefined } as const
    const { endings } = await tools.importRecords(db, { ...place, ...taking, reading })
    return endings.get(source)
  } finally {
    await reading.close()
  }
}
