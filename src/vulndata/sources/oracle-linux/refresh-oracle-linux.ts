import { join } from 'node:path'
import type { Db } from '../../../database/connection.ts'
import { refuseUnlessOk } from '../../../source-files/refused-data.ts'
import { isFirstComponentOf, usesEcosystem } from '../../ledger/in-store.ts'
import { recordUnchanged, type Ended } from '../../ledger/outcomes.ts'
import { forgetContent, selectSource } from '../../ledger/source-rows.ts'
import { statedContent } from '../../one-file/stated-content.ts'
import { importAdvisories } from '../../reading/import-advisories.ts'
import type { RefreshTurn } from '../source.ts'
import { readOval } from '../../../records/oracle-linux/read-oval.ts'

const source = 'oracle-linux'
const ecosystem = 'Oracle Linux'

/** Refreshes the notices of Oracle Linux once some component is of it: one file, which its server says whether it has changed. */
export async function refreshOracleLinux(turn: RefreshTurn): Promise<Ended> {
  const { db, tools, outbound, address, folder, now, waiting } = turn
  const tried = { name: source, address, now }
  if (!(await usesEcosystem(db, ecosystem))) return recordUnchanged(db, tried, null)
  const before = await selectSource(db, source)
  const stated = await statedContent(outbound, address)
  if (stated !== null && before?.address === address && before.contentHash === stated)
    return recordUnchanged(db, tried, { recordCount: before.recordCount })
  const path = join(folder, 'oracle-linux')
  const { status } = await outbound.download({ url: address, purpose: 'feed', toFile: path })
  refuseUnlessOk(status)
  const work = { db, tools, from: address, now, waiting, onProgress: () => undefined }
  const importing = { source, advisories: readOval(path), extent: 'whole', folder } as const
  const known = stated === null ? {} : { contentHash: stated }
  const ended = (await importAdvisories(work, { ...importing, ...known })).endings.get(source)
  if (ended === undefined) throw new Error('an import of Oracle Linux noted nothing of it')
  return ended
}

export function isOracleLinuxAwaited(db: Db): Promise<boolean> {
  return isFirstComponentOf(db, { source, ecosystem })
}

export function readOracleLinuxAgain(db: Db): Promise<void> {
  return forgetContent(db, source)
}
