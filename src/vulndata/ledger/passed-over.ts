import type { Tx } from '../../database/connection.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import type { RecordImport } from '../reading/record-import.ts'
import { forgetUnread, noteUnread, selectUnread } from './unread-files.ts'

/** Beyond a few, what is broken is the file, or its publisher writes another format. */
const maxUnreadShare = 0.01
const maxUnread = 20

export type PassedOver = {
  /** How many documents could not be read. */
  unread: number
  /** With this import everything was read that could not be before. */
  isCompleted: boolean
}

/** Notes what an import has passed over, and forgets what it could read again. `read`: how many documents it could read. */
export async function notePassedOver(tx: Tx, importing: RecordImport, read: number): Promise<PassedOver> {
  const { reading, unreadOf, extent, wholeOf, now } = importing
  if (unreadOf === undefined) return { unread: 0, isCompleted: false }
  const { unread } = reading
  refuseBroken(importing, read)
  const { source, completes = false } = unreadOf
  const before = [...(await selectUnread(tx, source)).keys()]
  const isAll = extent === 'whole' && wholeOf !== undefined
  const names = new Set(unread.map(({ name }) => name))
  await forgetUnread(
    tx,
    source,
    (isAll ? before : reading.readAgain).filter((file) => !names.has(file)),
  )
  await noteUnread(tx, { ...unreadOf, now }, unread)
  const isCompleted = completes && before.length > 0 && (await selectUnread(tx, source)).size === 0
  return { unread: unread.length, isCompleted }
}

function refuseBroken({ reading, unreadOf, mayBeEmpty }: RecordImport, read: number): void {
  const [first] = reading.unread
  const isAlone = read === 0 && mayBeEmpty !== true
  const areMany =
    unreadOf?.areSingle !== true && reading.unread.length > Math.max(maxUnread, read * maxUnreadShare)
  if (first !== undefined && (isAlone || areMany)) throw new RefusedData(first.reason)
}
