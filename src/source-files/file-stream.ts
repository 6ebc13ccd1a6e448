import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

const minPieceBytes = 64 * 1024
const maxPieceBytes = 1024 ** 2

/** A stream of a file, and how long its pieces are: up to 1 MB, but memory of that size for a small file would have the garbage collector run for each few. */
export async function fileStream(path: string): Promise<{ stream: ReadStream; pieceBytes: number }> {
  const { size } = await stat(path)
  // one more than it holds: the first piece is then the whole
  const pieceBytes = Math.min(Math.max(size + 1, minPieceBytes), maxPieceBytes)
  return { stream: createReadStream(path, { highWaterMark: pieceBytes }), pieceBytes }
}
