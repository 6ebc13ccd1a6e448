import { createWriteStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { FrameWriter } from './frames.ts'

/** Makes the error of a room: the file exists already, or cannot be written. */
type Unusable = (message: string, options?: ErrorOptions) => Error

type WholeFile = {
  file: string
  unusable: Unusable
  write: (frames: FrameWriter) => Promise<void>
  /** Reads what was written, which is still under its other name. */
  check?: (partial: string) => Promise<void>
}

/**
 * Has `write` fill a compressed file that only its owner can read. Until it is complete it has another name; a run that is killed leaves only that one,
 * which the next run replaces.
 */
export async function writeWholeFile({ file, unusable, write, check }: WholeFile): Promise<void> {
  await refuseExisting(file, unusable)
  const partial = `${file}.partial`
  await rm(partial, { force: true }).catch((cause: unknown) => {
    throw unwritable({ file: partial, unusable }, cause)
  })
  try {
    await fill({ file: partial, unusable, write })
    await check?.(partial)
    await rename(partial, file)
    await flushFolder(dirname(file))
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function fill({ file, unusable, write }: WholeFile): Promise<void> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(gzip, out).catch((cause: unknown) => {
    throw unwritable({ file, unusable }, cause)
  })
  try {
    const filled = write(new FrameWriter(gzip))
    // A disk that is full ends the file while tables are still being read.
    await Promise.race([filled, written.then(() => filled)])
    gzip.end()
    await written
  } catch (error) {
    gzip.destroy()
    await written.catch(() => undefined)
    throw error
  }
}

function unwritable({ file, unusable }: Pick<WholeFile, 'file' | 'unusable'>, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : 'unknown error'
  return unusable(`${file} cannot be written (${reason}).${adviceFor(cause, file)}`, { cause })
}

function adviceFor(cause: unknown, file: string): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return ' Make room there, or name a file on another disk.'
  if (['ENOENT', 'ENOTDIR'].includes(code)) return ` Make the folder ${dirname(file)}, or name another one.`
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return ' Name a folder that this user may write to.'
  return ''
}

export async function refuseExisting(file: string, unusable: Unusable): Promise<void> {
  try {
    await access(file)
  } catch {
    return
  }
  throw unusable(`${file} exists already. Name a new file; nothing was written.`)
}

/** The new name of a file is safe once its folder is on the disk. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Rows come one by one; frames of a few bytes each would be all heads. */
const frameBytes = 64 * 1024

/** Writes what a binary COPY sends as frames of some size. */
export async function writeRows(frames: FrameWriter, rows: AsyncIterable<Buffer>): Promise<void> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of rows) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < frameBytes) continue
    await frames.data(Buffer.concat(chunks))
    chunks = []
    bytes = 0
  }
  await frames.data(Buffer.concat(chunks))
}
