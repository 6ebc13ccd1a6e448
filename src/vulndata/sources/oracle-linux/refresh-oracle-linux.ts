import { join } from 'node:path'
import type { Db } from '../../../database/connection.ts'
import { RefusedData } from '../../documents/refused-data.ts'
import { usesEcosystem } from '../../ledger/in-store.ts'
import { recordUnchanged, type Ended } from '../../ledger/outcomes.ts'
import { selectSource } from '../../ledger/source-rows.ts'
import { hashOf } from '../../records/compiled-record.ts'
import { forgetContent, isDistributionAwaited } from '../../rpm-advisories/awaited.ts'
import { importAdvisories } from '../../rpm-advisories/import-advisories.ts'
import type { RefreshTurn } from '../source.ts'
import { readOval } from './read-oval.ts'

const source = 'oracle-linux'
const ecosystem = 'Oracle Linux'

/** Refreshes the notices of Oracle Linux once some component is of it: one file, which its server says whether it has changed. */
export async function refreshOracleLinux(turn: RefreshTurn): Promise<Ended> {
  const { db, tools, outbound, address, folder, now, waiting } = turn
  const tried = { name: source, address, now }
  if (!(await usesEcosystem(db, ecosystem))) return recordUnchanged(db, tried, null)
  const before = await selectSource(db, source)
  const stated = await statedContent(turn)
  if (stated !== null && before?.address === address && before.contentHash === stated)
    return recordUnchanged(db, tried, { recordCount: before.recordCount })
  const path = join(folder, 'oracle-linux')
  const { status } = await outbound.download({ url: address, purpose: 'feed', toFile: path })
  if (status !== 200) throw new RefusedData(`expected status 200, found ${status}`)
  const work = { db, tools, from: address, now, waiting, onProgress: () => undefined }
  const order = { source, advisories: readOval(path), extent: 'whole', folder } as const
  const known = stated === null ? {} : { contentHash: stated }
  const ended = (await importAdvisories(work, { ...order, ...known })).endings.get(source)
  if (ended === undefined) throw new Error('an import of Oracle Linux noted nothing of it')
  return ended
}

/** A hash of what the server says of the file without sending it; null: nothing that would tell another one. */
async function statedContent({ outbound, address: url }: RefreshTurn): Promise<string | null> {
  const { status, headers } = await outbound.ask({ url, purpose: 'feed', method: 'HEAD' })
  const [tag, modified] = [headers.get('etag'), headers.get('last-modified')]
  if (status !== 200 || (tag === undefined && modified === undefined)) return null
  return hashOf(JSON.stringify([tag, modified, headers.get('content-length')]))
}

export function isOracleLinuxAwaited(db: Db): Promise<boolean> {
  return isDistributionAwaited(db, { source, ecosystem })
}

export function readOracleLinuxAgain(db: Db): Promise<void> {
  return forgetContent(db, source)
}
