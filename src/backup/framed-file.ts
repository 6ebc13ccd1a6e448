import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { readFrames, type Frame } from './frames.ts'

/** The error of the room that reads the file. */
type Failure = new (code: 'file_unusable' | 'file_damaged', message: string, options?: ErrorOptions) => Error

type FramedFile = {
  file: string
  /** What the file should be: "a backup". */
  title: string
  Failure: Failure
  /** Told how far through the file the reader is, in bytes. */
  onBytes?: (done: number, total: number) => void
}

/** The frames of a compressed file. Throws the `Failure` for what zlib and the file system say; errors of `readFrames` pass unchanged. */
export async function* readFramedFile({
  file,
  title,
  Failure,
  onBytes,
}: FramedFile): AsyncGenerator<Frame & { digestBefore: () => string }> {
  const total = await sizeOf(file, Failure)
  const source = createReadStream(file)
  source.on('data', () => onBytes?.(source.bytesRead, total))
  const inflated = createGunzip({ chunkSize: 256 * 1024 })
  // an error of either is thrown to the reader of the second
  pipeline(source, inflated, () => undefined)
  try {
    yield* readFrames(inflated)
  } catch (error) {
    const code = codeOf(error)
    if (!code.startsWith('Z_')) throw unreadable(error, file, Failure)
    throw new Failure('file_damaged', `${file} is not ${title}, was cut short, or is damaged (${code}).`)
  } finally {
    source.destroy()
    inflated.destroy()
  }
}

/** In bytes. Throws the `Failure` `file_unusable`. */
export async function sizeOf(file: string, Failure: Failure): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    throw unreadable(error, file, Failure)
  })
  if (!found.isFile()) throw new Failure('file_unusable', `${file} is not a file.`)
  return found.size
}

function unreadable(error: unknown, file: string, Failure: Failure): unknown {
  const code = codeOf(error)
  if (!['ENOENT', 'EACCES', 'EISDIR', 'EPERM', 'EIO'].includes(code)) return error
  return new Failure('file_unusable', `${file} cannot be read (${code}).`, { cause: error })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
