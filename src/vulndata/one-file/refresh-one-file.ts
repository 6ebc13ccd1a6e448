import { join } from 'node:path'
import { reasonOf, RefusedData, refuseUnlessOk } from '../../source-files/refused-data.ts'
import type { Ended } from '../ledger/outcomes.ts'
import type { RefreshTurn } from '../sources/source.ts'
import { takeOverFile } from './import-one-file.ts'
import type { OneFile } from './taking.ts'

/** Fetches the file and takes it over. */
export async function refreshOneFile(file: OneFile, turn: RefreshTurn): Promise<Ended> {
  const { db, tools, address, now, waiting } = turn
  const path = await fetchFile(file, turn)
  const found = await tools.recognise(path)
  if (found !== file.id) throw new RefusedData(`expected the data of ${file.id}, found ${wordsOf(found)}`)
  const work = { db, tools, path, from: address, isComplete: false, now, waiting }
  return (await takeOverFile(file, { ...work, onProgress: () => undefined })).ended
}

/** Of what was recognised: a source, or a kind of documents. */
function wordsOf(found: string): string {
  const words: Record<string, string> = {
    zip: 'a zip file',
    tar: 'a tar archive',
    lines: 'records in lines',
    record: 'a record',
  }
  return words[found] ?? `those of ${found}`
}

async function fetchFile({ id, feed }: OneFile, turn: RefreshTurn): Promise<string> {
  const { address, tools } = turn
  if (feed.fallback === undefined || address !== feed.address) return download(id, turn, address)
  try {
    const path = await download(id, turn, address)
    await tools.recognise(path)
    return path
  } catch (error) {
    if (reasonOf(error) === null) throw error
    return download(id, turn, feed.fallback)
  }
}

const maxBytes = 256 * 1024 ** 2

async function download(id: string, { outbound, folder }: RefreshTurn, url: string): Promise<string> {
  const toFile = join(folder, id)
  const { status } = await outbound.download({ url, purpose: 'feed', toFile, maxBytes })
  refuseUnlessOk(status)
  return toFile
}
