import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../../database/connection.ts'
import { reasonOf, RefusedData, refuseUnlessOk } from '../../../source-files/refused-data.ts'
import { isFirstComponentOf, usesEcosystem } from '../../ledger/in-store.ts'
import { recordUnchanged, type Ended } from '../../ledger/outcomes.ts'
import { forgetContent, selectSource } from '../../ledger/source-rows.ts'
import { hashOf } from '../../../records/compiled-record.ts'
import { importAdvisories } from '../../reading/import-advisories.ts'
import type { RefreshTurn } from '../source.ts'
import { readAll } from './import-updateinfo.ts'
import {
  mainRepositories,
  mirrorsIn,
  topicCatalogue,
  topicRepositories,
  updateinfoOf,
  type Updateinfo,
} from './repositories.ts'

const sourceName = 'amazon-linux'
const ecosystem = 'Amazon Linux'
const maxListBytes = 4 * 1024 ** 2

/**
 * Refreshes the notices of Amazon Linux once some component is of it: all repositories of its releases, or none. Their indexes have the checksums of
 * the files with notices, which tell that nothing is new.
 */
export async function refreshAmazonLinux(turn: RefreshTurn): Promise<Ended> {
  const { db, tools, address, folder, now, waiting } = turn
  const tried = { name: sourceName, address, now }
  if (!(await usesEcosystem(db, ecosystem))) return recordUnchanged(db, tried, null)
  const before = await selectSource(db, sourceName)
  const files = await listUpdateinfo(turn)
  const contentHash = hashOf(files.map(({ url, sha256 }) => `${new URL(url).pathname} ${sha256}`).join('\n'))
  if (before?.address === address && before.contentHash === contentHash)
    return recordUnchanged(db, tried, { recordCount: before.recordCount })
  const paths: string[] = []
  for (const [index, file] of files.entries())
    paths.push(await download(turn, file, join(folder, `updateinfo-${index}`)))
  const work = { db, tools, from: address, now, waiting, onProgress: () => undefined }
  const advisories = readAll(paths)
  const importing = { source: sourceName, advisories, extent: 'whole', folder, contentHash } as const
  const ended = (await importAdvisories(work, importing)).endings.get(sourceName)
  if (ended === undefined) throw new Error('an import of Amazon Linux noted nothing of it')
  return ended
}

export function isAmazonLinuxAwaited(db: Db): Promise<boolean> {
  return isFirstComponentOf(db, { source: sourceName, ecosystem })
}

export function readAmazonLinuxAgain(db: Db): Promise<void> {
  return forgetContent(db, sourceName)
}

async function listUpdateinfo(turn: RefreshTurn): Promise<Updateinfo[]> {
  const topics = topicRepositories(await ask(turn, `${turn.address}/${topicCatalogue}`))
  const found: Updateinfo[] = []
  for (const repository of [...mainRepositories, ...topics]) {
    const file = await findUpdateinfo(turn, repository)
    if (file === null && mainRepositories.includes(repository))
      throw new RefusedData(`${repository}: expected a repository with advisories, found one without`)
    // a topic whose packages were never found vulnerable
    if (file !== null) found.push(file)
  }
  return found
}

/** The first mirror that answers counts. */
async function findUpdateinfo(turn: RefreshTurn, repository: string): Promise<Updateinfo | null> {
  const list = `${turn.address}/${repository}`
  const mirrors = mirrorsIn((await ask(turn, list)).toString('utf8'), { base: turn.address, list })
  let refusal: unknown
  for (const mirror of mirrors.slice(0, 5)) {
    try {
      return await updateinfoOf(await ask(turn, new URL('repodata/repomd.xml', mirror).href), mirror)
    } catch (error) {
      if (reasonOf(error) === null) throw error
      refusal = error
    }
  }
  throw refusal
}

async function ask({ outbound }: RefreshTurn, url: string): Promise<Buffer> {
  const { status, body } = await outbound.ask({ url, purpose: 'feed', maxBytes: maxListBytes })
  refuseUnlessOk(status, url)
  return body
}

async function download(
  { outbound }: RefreshTurn,
  { url, sha256 }: Updateinfo,
  toFile: string,
): Promise<string> {
  const { status } = await outbound.download({ url, purpose: 'feed', toFile })
  refuseUnlessOk(status, url)
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(toFile) as AsyncIterable<Buffer>) hash.update(chunk)
  if (hash.digest('hex') !== sha256)
    throw new RefusedData(`${url}: expected the SHA-256 that the repository states, found another one`)
  return toFile
}
