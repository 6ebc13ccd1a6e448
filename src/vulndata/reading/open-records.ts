import { stat } from 'node:fs/promises'
import { readBeside } from './read-beside.ts'
import { openHere, type RecordFile, type RecordReading } from './record-reading.ts'

/** A smaller file has been read before a thread has started. */
const besideFromBytes = 512 * 1024

/** Opens a file or folder of records: a large one is read on a thread of its own. Refuses with `RefusedData`. */
export async function openRecords(order: RecordFile): Promise<RecordReading> {
  const found = await stat(order.file.path)
  const isSmall = found.isFile() && found.size < besideFromBytes
  return isSmall ? openHere(order) : readBeside(order)
}
