import type { Tx } from '../../database/connection.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import type { RecordImport } from '../reading/record-import.ts'
import { forgetUnread, noteUnread, selectUnread, type UnreadFile } from './unread-files.ts'

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
  const { reading, unreadOf, now } = importing
  if (unreadOf === undefined) return { unread: 0, isCompleted: false }
  const { unread } = reading
  refuseBroken(importing, read)
  const { source, completes = false } = unreadOf
  const before = await selectUnread(tx, source)
  const names = new Set(unread.map(({ name }) => name))
  await forgetUnread(
    tx,
    source,
    [...reading.readAgain, ...goneFrom(importing, before)].filter((file) => !names.has(file)),
  )
  await noteUnread(tx, { ...unreadOf, now }, unread)
  const isCompleted = completes && before.size > 0 && (await selectUnread(tx, source)).size === 0
  return { unread: unread.length, isCompleted }
}

/** All there was at a moment has what could not be read before it, unless its publisher has taken it away. */
function goneFrom(
  { extent, watermark, now }: RecordImport,
  before: ReadonlyMap<string, UnreadFile>,
): string[] {
  if (extent !== 'whole') return []
  return [...before].flatMap(([file, { lastFailedAt }]) => (lastFailedAt < (watermark ?? now) ? file : []))
}

function refuseBroken({ reading, unreadOf, mayBeEmpty }: RecordImport, read: number): void {
  const [first] = reading.unread
  const isAlone = read === 0 && mayBeEmpty !== true
  const areMany =
    unreadOf?.areSingle !== true && reading.unread.length > Math.max(maxUnread, read * maxUnreadShare)
  if (first !== undefined && (isAlone || areMany)) throw new RefusedData(first.reason)
}
