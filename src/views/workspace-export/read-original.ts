import { ServiceError } from '../../contract/errors.ts'
import type { Tx } from '../../database/connection.ts'
import { UnreadableOriginal, type Originals } from '../../originals/originals.ts'

/** What files of a workspace are read with. */
export type Reading = {
  tx: Tx
  originals: Originals
  unreadable: { originals: number; lostOriginals: number }
}

/**
 * One file, or null where it is lost, as the manifest says. If the object store does not answer, the archive breaks off in the middle, so that it
 * cannot look complete.
 */
export async function readOrNote<T>(
  { unreadable }: Reading,
  name: string,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read()
  } catch (cause) {
    if (!(cause instanceof ServiceError && cause.code === 'not_configured')) throw cause
    if (cause.retryAfterSeconds !== undefined) throw new Error(`${name} cannot be read now`, { cause })
    if (cause instanceof UnreadableOriginal && cause.isGivenUp) unreadable.lostOriginals += 1
    else unreadable.originals += 1
    return null
  }
}
