import type { Db } from '../../database/connection.ts'
import { isSessionLost } from '../../platform/postgres/store-away.ts'
import { reasonOf } from '../../source-files/refused-data.ts'
import { noteAttempt, recordError, type Attempt, type Ended } from './outcomes.ts'
import { describeUnread } from './unread-files.ts'

const unexpected = 'an unexpected failure; the log of the service says more'

/**
 * Tries a source, and returns the outcome. There is always one: `work` has to return what `outcomes.ts` wrote to the row, and what it
 * throws is written there as the error. Errors that are not the fault of the data or its publisher are thrown again; a lost session with
 * the store leaves no outcome, because the job runs again. A source with files that could not be read fails, whatever else was taken over.
 */
export async function attempt(db: Db, tried: Attempt, work: () => Promise<Ended>): Promise<Ended> {
  await noteAttempt(db, tried)
  try {
    const ended = await work()
    if (ended.name !== tried.name)
      throw new Error(`an attempt at ${tried.name} ended as one at ${ended.name}`)
    const unread = ended.outcome === 'error' ? null : await describeUnread(db, tried.name)
    return unread === null ? ended : await recordError(db, tried, unread.message, unread.since)
  } catch (error) {
    const message = reasonOf(error)
    if (message !== null) return recordError(db, tried, message)
    if (!isSessionLost(error)) await recordError(db, tried, unexpected)
    throw error
  }
}
