import { open, readFile, stat } from 'node:fs/promises'
import { inflatedChunks } from '../inflated-chunks.ts'
import { RefusedData } from '../refused-data.ts'
import { bunzip2 } from './bunzip2.ts'

const magic = Buffer.from('BZh')
/** It is read whole; about ten times the largest that is published. */
const maxFileBytes = 128 * 1024 ** 2

/** The content of a file in pieces, whether it is plain, gzip or bzip2. Refuses (`RefusedData`) as `inflatedChunks` does. */
export async function* contentChunks(path: string, maxBytes: number): AsyncGenerator<Buffer> {
  if (!(await isBzip2(path))) {
    yield* inflatedChunks(path, maxBytes)
    return
  }
  const { size } = await stat(path)
  if (size > maxFileBytes)
    throw new RefusedData(`expected a bzip2 file of at most ${maxFileBytes} bytes, found ${size}`)
  yield* bunzip2(await readFile(path), maxBytes)
}

async function isBzip2(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    return bytesRead === magic.length && buffer.equals(magic)
  } finally {
    await file.close()
  }
}
