import { createHash } from 'node:crypto'
import { tarEnd, tarHeader, tarPadding } from '../../formats/tar-entry.ts'
import { jsonFile, type ExportFile } from './export-file.ts'

/** Small enough to notice a slow reader in the middle of a file. */
const pieceBytes = 64 * 1024

/** What the manifest says beside the list of files. */
export type AboutArchive = Readonly<Record<string, unknown>>

/**
 * A tar archive of files as they are read, at the speed at which the bytes are taken. The last file is `manifest.json`: every other one with
 * its size and SHA-256. `about` is called once all of them have been read.
 */
export async function* archiveOf(
  files: AsyncIterable<ExportFile>,
  { modifiedAt, about }: { modifiedAt: Date; about: () => AboutArchive },
): AsyncGenerator<Buffer> {
  const listed: { name: string; bytes: number; sha256: string }[] = []
  for await (const file of files) {
    listed.push({
      name: file.name,
      bytes: file.bytes.length,
      sha256: createHash('sha256').update(file.bytes).digest('hex'),
    })
    yield* entryOf(file, modifiedAt)
  }
  yield* entryOf(jsonFile('manifest', { ...about(), files: listed }), modifiedAt)
  yield tarEnd()
}

function* entryOf({ name, bytes }: ExportFile, modifiedAt: Date): Generator<Buffer> {
  yield tarHeader({ name, sizeBytes: bytes.length, modifiedAt })
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
  yield tarPadding(bytes.length)
}
