import type { DocumentFile } from '../../source-files/documents.ts'
import type { Ended } from '../ledger/outcomes.ts'
import { selectUnread } from '../ledger/unread-files.ts'
import type { RecordImport } from './record-import.ts'
import type { RefreshTurn } from '../sources/source.ts'

type Taking = Omit<
  RecordImport,
  'reading' | 'address' | 'ecosystem' | 'waiting' | 'now' | 'onProgress' | 'unreadOf'
> & {
  /** What cannot be read of it is left alone at first for so long; the rest is taken over all the same. */
  leftForMs?: number
  areSingle?: boolean
  completes?: boolean
}

/**
 * Imports what a refresh has fetched of a source that is no ecosystem. Returns the outcome for the source's row; undefined: there was nothing in
 * it (`mayBeEmpty`).
 */
export async function importFetched(
  { db, tools, address, waiting, now }: RefreshTurn,
  source: string,
  file: DocumentFile,
  { leftForMs, areSingle = false, completes = false, ...taking }: Taking,
): Promise<Ended | undefined> {
  const awaited = [...(await selectUnread(db, source)).keys()]
  // a line has no name by which it could be asked for again
  const passesOver = file.kind !== 'lines'
  const reading = await tools.openRecords({ file, compiler: source, passesOver, awaited })
  try {
    const unreadOf = { source, areSingle, completes, ...(leftForMs === undefined ? {} : { leftForMs }) }
    const place = { unreadOf, address, ecosystem: null, waiting, now, onProgress: () => undefined } as const
    const { endings } = await tools.importRecords(db, { ...place, ...taking, reading })
    return endings.get(source)
  } finally {
    await reading.close()
  }
}
