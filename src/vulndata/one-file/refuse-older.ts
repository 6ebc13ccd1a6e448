import { shownSecond } from '../../contract/shown-time.ts'
import { RefusedData } from '../../source-files/refused-data.ts'

type Releases = { releasedAt: Date | null; releasedBefore: Date | null }

/** What a copy that is behind its publisher lacks has not been removed. */
export function refuseOlder({ releasedAt, releasedBefore }: Releases): void {
  if (releasedAt === null || releasedBefore === null || releasedAt >= releasedBefore) return
  throw new RefusedData(
    `expected a release of ${shownSecond(releasedBefore)} or later, found one of ${shownSecond(releasedAt)}`,
  )
}
