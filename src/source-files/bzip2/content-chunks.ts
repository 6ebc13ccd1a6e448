import { readFile, stat } from 'node:fs/promises'
import { beginsWith, inflatedChunks } from '../inflated-chunks.ts'
import { RefusedData } from '../refused-data.ts'
import { bunzip2 } from './bunzip2.ts'

const magic = Buffer.from('BZh')
/** It is read whole; about ten times the largest that is published. */
const maxFileBytes = 128 * 1024 ** 2

/** The content of a file in pieces, whether it is plain, gzip or bzip2. Refuses (`RefusedData`) as `inflatedChunks` does. */
export async function* contentChunks(path: string, maxBytes: number): AsyncGenerator<Buffer> {
  if (!(await beginsWith(path, magic))) {
    yield* inflatedChunks(path, maxBytes)
    return
  }
  const { size } = await stat(path)
  if (size > maxFileBytes)
    throw new RefusedData(`expected a bzip2 file of at most ${maxFileBytes} bytes, found ${size}`)
  yield* bunzip2(await readFile(path), maxBytes)
}
