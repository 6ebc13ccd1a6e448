import { join } from 'node:path'
import { reasonOf, RefusedData } from '../documents/refused-data.ts'
import { withImportLock } from '../ledger/import-lock.ts'
import type { FileWork, RefreshTurn } from '../sources/source.ts'
import { takeOverFile } from './import-one-file.ts'
import type { OneFile } from './taking.ts'

/** Fetches the file and takes it over. While another import runs, the rest waits for the next turn. */
export async function refreshOneFile(file: OneFile, turn: RefreshTurn): Promise<void> {
  const { db, tools, address, now } = turn
  const path = await fetchFile(file, turn)
  const found = await tools.recognise(path)
  if (found !== file.id) throw new RefusedData(`expected the data of ${file.id}, found those of ${found}`)
  const locked: FileWork['locked'] = (lock, work) => withImportLock(db, { lock, isWaiting: null }, work)
  const onProgress = () => undefined
  await takeOverFile(file, { db, tools, path, from: address, isComplete: false, now, onProgress, locked })
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
  if (status !== 200) throw new RefusedData(`expected status 200, found ${status}`)
  return toFile
}
