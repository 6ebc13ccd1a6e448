import { join } from 'node:path'
import type { Db } from '../../../database/connection.ts'
import { refuseUnlessOk } from '../../../source-files/refused-data.ts'
import { hasIdentities, isFirstComponent } from '../../ledger/in-store.ts'
import { recordUnchanged, type Ended } from '../../ledger/outcomes.ts'
import { forgetContent, selectSource } from '../../ledger/source-rows.ts'
import { statedContent } from '../../one-file/stated-content.ts'
import { importFetched } from '../../reading/import-fetched.ts'
import type { RefreshTurn } from '../source.ts'

const sourceName = 'vulnrichment'

/**
 * Refreshes vulnrichment once there is some component. It is published only as a repository, so its whole archive is fetched, and only when the
 * server says that it has changed.
 */
export async function refreshVulnrichment(turn: RefreshTurn): Promise<Ended> {
  const { db, outbound, address, now } = turn
  const tried = { name: sourceName, address, now }
  if (!(await hasIdentities(db))) return recordUnchanged(db, tried, null)
  const before = await selectSource(db, sourceName)
  const stated = await statedContent(outbound, address)
  if (stated !== null && before?.address === address && before.contentHash === stated)
    return recordUnchanged(db, tried, { recordCount: before.recordCount })
  return take(turn, stated)
}

/** Whether there is some component now, and the last refresh waited for one. */
export async function isVulnrichmentAwaited(db: Db): Promise<boolean> {
  return isFirstComponent(db, sourceName)
}

/** Lets the next refresh fetch the archive although it is the same. */
export async function readVulnrichmentAgain(db: Db): Promise<void> {
  await forgetContent(db, sourceName)
}

async function take(turn: RefreshTurn, stated: string | null): Promise<Ended> {
  const path = join(turn.folder, 'vulnrichment.zip')
  const { status } = await turn.outbound.download({ url: turn.address, purpose: 'feed', toFile: path })
  refuseUnlessOk(status)
  const whole = { label: 'vulnrichment', extent: 'whole', wholeOf: sourceName } as const
  const marks = stated === null ? {} : { contentHash: stated }
  const ended = await importFetched(turn, sourceName, { kind: 'zip', path }, { ...whole, ...marks })
  if (ended === undefined) throw new Error('an import of vulnrichment noted nothing of it')
  return ended
}
