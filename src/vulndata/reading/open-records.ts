import { stat } from 'node:fs/promises'
import type { DocumentFile } from '../../source-files/documents.ts'
import { readBeside } from './read-beside.ts'
import type { RecordFile, RecordReading } from './record-import.ts'
import { openHere } from './open-here.ts'

/** A smaller file is read before a thread has even started. */
const besideFromBytes = 512 * 1024

/** Opens a file or folder of records: a large one is read on a thread of its own. Refuses with `RefusedData`. */
export async function openRecords(order: RecordFile): Promise<RecordReading> {
  return (await isReadBeside(order.file)) ? readBeside(order) : openHere(order)
}

export async function isReadBeside({ path }: DocumentFile): Promise<boolean> {
  const found = await stat(path)
  return !found.isFile() || found.size >= besideFromBytes
}
